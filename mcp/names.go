package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/trove-api/trove/internal/schema"
)

// maxName is the maximum length of names that clients accept.
const maxName = 64

// nameOf returns the name of a tool or argument for clients, which accept only ASCII letters, digits, _ and -. The dots
// and brackets of parameters become _: year_gte for year[gte]. If the name loses anything else, it ends in a hash of the
// whole name, so it is the same after a restart and differs from other names.
func nameOf(name string) string {
	parts := strings.NewReplacer("[", "_", "]", "", ".", "_").Replace(name)
	isKept := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
	}
	made := strings.Map(func(r rune) rune {
		if isKept(r) {
			return r
		}
		return '_'
	}, parts)
	if made == parts && len(made) <= maxName && made != "" {
		return made
	}
	return hashed(made, name)
}

// hashed returns a name that ends in a hash of another one.
func hashed(made, name string) string {
	sum := sha256.Sum256([]byte(name))
	end := "_" + hex.EncodeToString(sum[:6])
	return made[:min(len(made), maxName-len(end))] + end
}

// free returns a name for an argument that has none yet: that of [nameOf], else with the word in front, else with a hash.
func free(all *schema.Schema, name, word string) string {
	for _, made := range []string{nameOf(name), nameOf(word + "." + name)} {
		if all.Property(made) == nil {
			return made
		}
	}
	return hashed(nameOf(name), word+"."+name)
}
