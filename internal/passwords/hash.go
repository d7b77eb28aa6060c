// Package passwords reads and writes stored passwords. It does not hash; package access/password does.
package passwords

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Hash is the Argon2id hash of a password with its costs (RFC 9106).
type Hash struct {
	Costs

	Salt, Sum []byte
}

// Costs decide how much computing a hash takes.
type Costs struct {
	Memory, Passes uint32 // memory in KiB
	Threads        uint8
}

const (
	version = 0x13             // of Argon2
	format  = "m=%d,t=%d,p=%d" // of costs
)

// Limits of a hash, because one from a database could exhaust memory. Argon2 panics without a pass or a thread.
const (
	maxMemory  = 1 << 20
	maxPasses  = 64
	maxThreads = 64
	maxBytes   = 64
)

// Sizes of new hashes in bytes. A shorter sum would match many passwords.
const (
	SaltBytes = 16
	SumBytes  = 32
	minSum    = 16
)

// Work returns how much a guess costs: KiB of memory times passes. It is not a measure of time, because one KiB takes less
// time if the memory is small.
func (c Costs) Work() uint64 { return uint64(c.Memory) * uint64(c.Passes) }

// Identity returns what a stored password keeps when the same password is hashed again with other costs: its salt. A
// salt that is too short to be unique does not identify a password; then the result is the whole string.
func Identity(stored string) string {
	if h, ok := Parse(stored); ok && len(h.Salt) >= SaltBytes {
		return string(h.Salt)
	}
	return stored
}

// String returns the hash in the PHC format, which other libraries also read.
func (h Hash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$"+format+"$%s$%s", version, h.Memory, h.Passes, h.Threads,
		base64.RawStdEncoding.EncodeToString(h.Salt), base64.RawStdEncoding.EncodeToString(h.Sum))
}

// Parse parses the output of String. It returns false for other spellings of the same hash, and for a hash that exceeds
// the limits.
func Parse(text string) (h Hash, ok bool) {
	parts := strings.SplitN(text, "$", 7)
	if len(parts) != 6 {
		return h, false
	}
	if _, err := fmt.Sscanf(parts[3], format, &h.Memory, &h.Passes, &h.Threads); err != nil {
		return h, false
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[5])
	h.Salt, h.Sum = salt, sum
	isSmall := h.Memory <= maxMemory && h.Passes <= maxPasses && h.Threads <= maxThreads && len(salt) <= maxBytes && len(sum) <= maxBytes
	ok = saltErr == nil && sumErr == nil && isSmall && h.Passes > 0 && h.Threads > 0 && len(sum) >= minSum
	return h, ok && h.String() == text
}

var errPlain = errors.New("is not the hash of a password; store what Hash of password.Accounts or password.Hasher makes of it")

// Check returns an error unless stores can keep a value in a field for passwords: a hash, or "" for no password. It
// continues a sentence that begins with the name of the field, and does not contain the value.
func Check(text string) error {
	if text == "" {
		return nil
	}
	if !IsHash(text) {
		return errPlain
	}
	return nil
}

// IsHash reports whether a text is the hash of a password.
func IsHash(text string) bool {
	_, ok := Parse(text)
	return ok
}
