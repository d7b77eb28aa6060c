package model

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// tags are the keys of tags that Trove reads.
var tags = []string{"json", "api", "validate", "message", "default", "example", "doc", "db"}

// checkTag checks that a tag is written as reflect.StructTag reads it, for what is not is
// passed over in silence, by the compiler too; and that no key is one of ours misspelt.
func (c *compiler) checkTag(where string, tag reflect.StructTag) {
	var keys []string
	for text := strings.TrimLeft(string(tag), " "); text != ""; {
		key, rest, ok := strings.Cut(text, ":")
		quoted, err := strconv.QuotedPrefix(rest)
		if !ok || err != nil || quoted[0] != '"' || !isKey(key) {
			c.fail(where, "has the tag `%s`, which is not well formed from %q on; write it as `json:\"name\" validate:\"max=9\"`", tag, text)
			return
		}
		if slices.Contains(keys, key) {
			c.fail(where, "has the tag %s twice; only the first one counts", key)
		}
		keys = append(keys, key)
		if near := misspelt(key); near != "" {
			c.fail(where, "has the tag %s, which nothing reads; did you mean %s?", key, near)
		}
		after := rest[len(quoted):]
		if text = strings.TrimLeft(after, " "); text != "" && text == after {
			c.fail(where, "has the tag `%s`, with no space before %q; write one between two tags", tag, text)
			return
		}
	}
}

// isKey reports whether a text can be the key of a tag.
func isKey(text string) bool {
	odd := func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f || r == ',' || r == ';' }
	return text != "" && !strings.ContainsFunc(text, odd)
}

// misspelt returns the key that was meant, "" for one that may be another library's: short
// ones are near to too many.
// Letters of another case are always a mistake, as no library has "JSON" for a key.
func misspelt(key string) string {
	if slices.Contains(tags, key) {
		return ""
	}
	near := naming.Suggest(key, tags)
	if strings.EqualFold(key, near) || len(near) > len("json") && len(key) > len("json") {
		return near
	}
	return ""
}
