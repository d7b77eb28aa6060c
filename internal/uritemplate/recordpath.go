package uritemplate

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// RecordPath makes the paths of a resource's records from their identifiers. It writes one path for each identifier.
type RecordPath struct {
	parts    []part // of the identifier, several if it is composite
	behind   string
	suffixes []string
}

// part is a part of an identifier, with the text before it in the path.
type part struct {
	before string
	number int // index of the part in the identifier; negative in an invalid template
}

// RecordPathOf returns the paths that a template makes with one variable, which must be its only one. Suffixes are
// those of the formats that the paths accept: see [EscapeSuffix].
//
// For a composite identifier, variable has all names with semicolons between them. Identifiers are then texts with as
// many percent-encoded parts, also with semicolons between them.
func RecordPathOf(t *Template, variable string, suffixes []string) RecordPath {
	a, names := RecordPath{behind: t.path, suffixes: suffixes}, strings.Split(variable, separator)
	for _, variable := range t.variables {
		var before string
		before, a.behind, _ = strings.Cut(a.behind, "{"+variable+"}")
		a.parts = append(a.parts, part{before, slices.Index(names, variable)})
	}
	return a
}

// Form returns the path with the names of the identifier's parts as variables: "/api/users/{id}".
func (a *RecordPath) Form(names ...string) string {
	return a.Compose(func(text string) string { return text }, func(part int) string { return "{" + names[part] + "}" })
}

// Compose returns the pattern of the paths: the results of literal for the fixed text, and of part for each part of the
// identifier.
func (a *RecordPath) Compose(literal func(text string) string, part func(number int) string) string {
	var text strings.Builder
	for _, p := range a.parts {
		text.WriteString(literal(p.before))
		if p.number >= 0 {
			text.WriteString(part(p.number))
		}
	}
	return text.String() + literal(a.behind)
}

// Append appends the path of the record with that identifier.
func (a *RecordPath) Append(b []byte, id string) []byte {
	start := len(b)
	parts := []string{id}
	if len(a.parts) > 1 {
		parts = strings.Split(id, separator)
	}
	for _, p := range a.parts {
		b = append(b, p.before...)
		switch {
		case p.number < 0 || p.number >= len(parts):
		case len(parts) == 1 || isDots(parts[p.number]): // a part may be a whole segment
			b = append(b, escape(parts[p.number])...)
		default:
			b = append(b, parts[p.number]...)
		}
	}
	if a.behind == "" {
		return EscapeSuffix(b, start, a.suffixes)
	}
	return append(b, a.behind...)
}

// dot is a percent-encoded dot. Only the paths of this package have it, because no encoder encodes dots.
const dot = "%2E"

// EscapeSuffix percent-encodes the last dot of a path that ends in an identifier, if it ends in the suffix of a format,
// too. A suffix is only recognized behind a dot. The path begins at start.
func EscapeSuffix(b []byte, start int, suffixes []string) []byte {
	for _, suffix := range suffixes {
		if end := len(b) - len(suffix); end >= start && string(b[end:]) == suffix {
			last := bytes.LastIndexByte(b, '.')
			return slices.Replace(b, last, last+1, []byte(dot)...)
		}
	}
	return b
}

// AppendInt is Append for an integer.
func (a *RecordPath) AppendInt(b []byte, id int64) []byte {
	if len(a.parts) == 1 && a.behind == "" { // an integer cannot end in a suffix
		return strconv.AppendInt(append(b, a.parts[0].before...), id, 10)
	}
	var room [20]byte
	return a.Append(b, string(strconv.AppendInt(room[:0], id, 10)))
}

// escape percent-encodes a value for one segment. It also encodes "." and "..", because clients remove dot segments
// (RFC 3986, section 5.2.4).
func escape(value string) string {
	if isDots(value) {
		return strings.ReplaceAll(value, ".", dot)
	}
	return url.PathEscape(value)
}

// isDots reports whether a segment is a dot segment, which clients remove.
func isDots(segment string) bool { return segment == "." || segment == ".." }

// Read returns the identifier in a path. It accepts only the result of Append, with dots percent-encoded or not: no host,
// query, dot segments or other percent-encoding.
func (a *RecordPath) Read(text string) (id string, ok bool) {
	inner, ok := strings.CutSuffix(text, a.behind)
	if !ok {
		return "", false
	}
	if len(a.parts) != 1 {
		id, ok = a.readSeveral(inner)
	} else if inner, ok = strings.CutPrefix(inner, a.parts[0].before); ok {
		var err error
		id, err = url.PathUnescape(inner)
		ok = err == nil && inner != ""
	}
	if !ok {
		return "", false
	}
	var room [128]byte
	made := a.Append(room[:0], id)
	return id, string(made) == text || isSame(string(made), text)
}

// isSame reports whether two paths of records differ at most in which of their dots are percent-encoded (RFC 3986, section
// 6.2.2.2). A path with dot segments is the same as no other.
func isSame(a, b string) bool {
	return strings.ReplaceAll(a, dot, ".") == strings.ReplaceAll(b, dot, ".") && !slices.ContainsFunc(strings.Split(b, "/"), isDots)
}

// readSeveral returns the composite identifier in a path, up to the text after its last part. It does not check whether
// the encoding is canonical.
func (a *RecordPath) readSeveral(text string) (id string, ok bool) {
	parts := make([]string, len(a.parts))
	for i, p := range a.parts {
		if text, ok = strings.CutPrefix(text, p.before); !ok || p.number < 0 {
			return "", false
		}
		one := text
		if i+1 < len(a.parts) { // as in routes, a part ends where the text before the next one begins
			if one, _, ok = strings.Cut(text, a.parts[i+1].before); !ok {
				return "", false
			}
		}
		text = text[len(one):]
		parts[p.number] = strings.ReplaceAll(one, dot, ".")
	}
	return strings.Join(parts, separator), !strings.Contains(strings.Join(parts, ""), "/")
}

// Digits is Read for an integer: without a plus sign and leading zeros.
func (a *RecordPath) Digits(text []byte) (number []byte, ok bool) {
	before, behind := len(a.parts[0].before), len(text)-len(a.behind)
	if behind <= before || string(text[:before]) != a.parts[0].before || string(text[behind:]) != a.behind {
		return nil, false
	}
	number = text[before:behind]
	digits := number
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	const always = 18 // this many digits always fit into 64 bits
	if len(digits) == 0 || len(digits) > always || digits[0] == '0' && (negative || len(digits) > 1) {
		return nil, false
	}
	return number, len(bytes.Trim(digits, "0123456789")) == 0
}
