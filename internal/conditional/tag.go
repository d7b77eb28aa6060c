package conditional

import (
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// separator stands in a tag between the state and the representation.
const separator = '.'

// AppendState appends the state of a record: the number of its version, where it has one,
// and a hash of its content, where that is given.
func AppendState(b []byte, version string, content []byte) []byte {
	b = append(b, version...)
	if content == nil {
		return b
	}
	if version != "" {
		b = append(b, '-')
	}
	return AppendHash(b, content)
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
	for shift := 60; shift >= 0; shift -= 5 {
		b = append(b, digits[sum>>shift&31])
	}
	return b
}

// StateOf returns the state in a tag, or in what is between its quotation marks.
func StateOf(tag string) string {
	opaque := strings.Trim(tag, `"`)
	state, _, _ := strings.Cut(opaque, string(separator))
	return state
}
