package conditional

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// separator stands in a tag between the state and the representation.
const separator = '.'

// Tag returns the entity tag of a state in a representation; "" for the representation
// that the state alone tells.
func Tag(state, representation string) string {
	if representation == "" {
		return `"` + state + `"`
	}
	return `"` + state + string(separator) + representation + `"`
}

// State returns the state of a record: the number of its version, where it has one, and
// a hash of its content, where that is given.
func State(version string, content []byte) string {
	if version == "" {
		return Hash(content)
	}
	if content == nil {
		return version
	}
	return version + "-" + Hash(content)
}

// Hash returns a short text that stands for a content. It is the same on every machine
// and in every release; it is no secret, and does not resist forgery.
func Hash(content []byte, more ...string) string {
	sum := xxhash.Sum64(content)
	for _, text := range more {
		var chain [8]byte
		binary.LittleEndian.PutUint64(chain[:], sum)
		sum = xxhash.Sum64String(string(chain[:]) + text)
	}
	return strconv.FormatUint(sum, 36)
}

// stateOf returns the state in the opaque part of a tag.
func stateOf(opaque string) string {
	state, _, _ := strings.Cut(opaque, string(separator))
	return state
}
