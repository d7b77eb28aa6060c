package conditional

import (
	"slices"
	"strings"
)

// field is a field of a request that lists entity tags (RFC 9110, section 8.8.3).
type field struct {
	any  bool // "*"
	tags []tag
}

// tag is one entity tag of a list.
type tag struct {
	weak   bool
	opaque string
}

// parse reads the lines of a field, and reports whether they are well formed.
func parse(lines []string) (field, bool) {
	rest := strings.Trim(strings.Join(lines, ","), " \t")
	if rest == "*" {
		return field{any: true}, true
	}
	var f field
	for {
		rest = strings.TrimLeft(rest, " \t,") // a list may have empty elements
		if rest == "" {
			return f, len(f.tags) > 0
		}
		var t tag
		rest, t.weak = strings.CutPrefix(rest, "W/")
		end := closing(rest)
		if end < 0 {
			return field{}, false
		}
		t.opaque, rest = rest[1:end], strings.TrimLeft(rest[end+1:], " \t")
		if rest != "" && rest[0] != ',' {
			return field{}, false
		}
		f.tags = append(f.tags, t)
	}
}

// closing returns the index of the quotation mark that ends the one at the beginning, -1
// where there is none.
func closing(text string) int {
	if text == "" || text[0] != '"' {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i
		case c <= ' ' || c == 0x7f:
			return -1
		}
	}
	return -1
}

// has reports whether one of the tags passes.
func (f field) has(passes func(tag) bool) bool {
	return slices.ContainsFunc(f.tags, passes)
}
