package conditional

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// separator stands in a tag between the state and the representation.
const separator = '.'

// AppendState appends the state of a record: its version, where it has one, and a hash of
// its content.
func AppendState(b []byte, version string, content []byte) []byte {
	return AppendHash(appendVersion(b, version), content)
}

// AppendKeyedState appends the state of a record whose content is not for everybody: who
// does not know the key cannot try out what content it is of. Where the key is the same,
// it is the same on every machine and in every release.
func AppendKeyedState(b []byte, version string, content, key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write(content) // a hash takes everything
	var room [sha256.Size]byte
	return appendSum(appendVersion(b, version), binary.LittleEndian.Uint64(mac.Sum(room[:0])))
}

func appendVersion(b []byte, version string) []byte {
	if version == "" {
		return b
	}
	return append(append(b, version...), '-')
}

// AppendRepresentation appends to a state what tells the representation of it apart from
// others.
func AppendRepresentation(b, content []byte) []byte {
	return AppendHash(append(b, separator), content)
}

// AppendHash appends a short text that stands for a content. It is the same on every
// machine and in every release; it is no secret, and does not resist forgery.
func AppendHash(b, content []byte, more ...[]byte) []byte {
	sum := xxhash.Sum64(content)
	for _, text := range more {
		var chain [8]byte
		binary.LittleEndian.PutUint64(chain[:], sum)
		digest := xxhash.New()
		_, _ = digest.Write(chain[:]) // a hash takes everything
		_, _ = digest.Write(text)
		sum = digest.Sum64()
	}
	return appendSum(b, sum)
}

// appendSum appends a hash in base 32 (RFC 4648, section 7), five bits a character.
func appendSum(b []byte, sum uint64) []byte {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var text [13]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = digits[sum&31]
		sum >>= 5
	}
	return append(b, text[:]...)
}

// StateOf returns the state in a tag, or in what is between its quotation marks.
func StateOf(tag string) string {
	opaque := strings.Trim(tag, `"`)
	state, _, _ := strings.Cut(opaque, string(separator))
	return state
}
