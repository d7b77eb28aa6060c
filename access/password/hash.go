package password

import (
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// hash is the hash of a password with its costs.
type hash struct {
	memory, passes uint32
	threads        uint8
	salt, sum      []byte
}

const costs = "m=%d,t=%d,p=%d"

// Limits of the costs in a hash, because a hash from a database could exhaust memory. Argon2 panics without a pass or a
// thread.
const (
	maxMemory  = 1 << 20
	maxPasses  = 64
	maxThreads = 64
	maxBytes   = 64
)

// String returns the hash in the PHC format, which other libraries also read.
func (h hash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$"+costs+"$%s$%s", argon2.Version, h.memory, h.passes, h.threads,
		base64.RawStdEncoding.EncodeToString(h.salt), base64.RawStdEncoding.EncodeToString(h.sum))
}

// parse parses the output of String. It rejects other spellings of the same hash.
func parse(text string) (h hash, err error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 {
		return h, ErrHash
	}
	if _, err := fmt.Sscanf(parts[3], costs, &h.memory, &h.passes, &h.threads); err != nil {
		return h, ErrHash
	}
	h.salt, err = base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return h, ErrHash
	}
	h.sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || h.String() != text {
		return h, ErrHash
	}
	small := h.memory <= maxMemory && h.passes <= maxPasses && h.threads <= maxThreads && len(h.salt) <= maxBytes && len(h.sum) <= maxBytes
	// A short sum would match many passwords.
	if !small || h.passes == 0 || h.threads == 0 || len(h.sum) < saltBytes {
		return h, ErrHash
	}
	return h, nil
}
