package uritemplate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Address is where the records of one resource are: what stands in a path around their
// identifier. Each identifier has exactly one address.
type Address struct {
	before, behind string
	suffixes       []string
	several        []part // of an identifier of several parts; nil for other ones
}

// part is one of the parts of an identifier, with what stands before it in the path.
type part struct {
	before string
	number int // of the part, in the identifier
}

// AddressOf returns the addresses that a template makes with one variable, which is its only one. Suffixes are those of
// formats that paths of the template take: an address that ends in one has it twice, for the last one is the format's.
//
// Where several variables name a record, variable has all of them, with semicolons between them, and identifiers are
// texts of as many parts, with semicolons too and percent-encoded.
func AddressOf(t *Template, variable string, suffixes []string) Address {
	if names := strings.Split(variable, separator); len(names) > 1 {
		return addressOfSeveral(t, names, suffixes)
	}
	before, behind, _ := strings.Cut(t.path, "{"+variable+"}")
	return Address{before: before, behind: behind, suffixes: suffixes}
}

func addressOfSeveral(t *Template, names, suffixes []string) Address {
	a := Address{behind: t.path, suffixes: suffixes}
	for _, variable := range t.variables {
		var before string
		before, a.behind, _ = strings.Cut(a.behind, "{"+variable+"}")
		a.several = append(a.several, part{before, slices.Index(names, variable)})
	}
	return a
}

// Form returns the address with the name of the identifier in its place: "/api/users/{id}". Of one of
// several parts there is a name for each.
func (a *Address) Form(names ...string) string {
	return a.Compose(func(text string) string { return text }, func(part int) string { return "{" + names[part] + "}" })
}

// Compose returns what addresses look like: what literal makes of the text between the parts of an
// identifier, and what part makes of each, of which there is one unless several make it.
func (a *Address) Compose(literal func(text string) string, part func(number int) string) string {
	if a.several == nil {
		return literal(a.before) + part(0) + literal(a.behind)
	}
	var text strings.Builder
	for _, p := range a.several {
		text.WriteString(literal(p.before))
		if p.number >= 0 { // else of a mistaken template
			text.WriteString(part(p.number))
		}
	}
	return text.String() + literal(a.behind)
}

// Append appends the address of the record with that identifier. The suffix of a format at its end is there twice.
func (a *Address) Append(b []byte, id string) []byte {
	start := len(b)
	if a.several != nil {
		b = a.appendSeveral(b, strings.Split(id, separator))
	} else {
		b = append(append(b, a.before...), escape(id)...)
	}
	b = append(b, a.behind...)
	for _, suffix := range a.suffixes {
		if end := len(b) - len(suffix); end >= start && string(b[end:]) == suffix {
			return append(b, suffix...)
		}
	}
	return b
}

// AppendInt is Append for an identifier that is an integer.
func (a *Address) AppendInt(b []byte, id int64) []byte {
	if a.behind == "" { // and no format has a suffix of digits alone
		return strconv.AppendInt(append(b, a.before...), id, 10)
	}
	var room [20]byte
	return a.Append(b, string(strconv.AppendInt(room[:0], id, 10)))
}

// escape percent-encodes a value for one segment. A lone dot or two would be a dot segment, which clients remove (RFC 3986,
// section 5.2.4).
func escape(value string) string {
	if value == "." || value == ".." {
		return strings.ReplaceAll(value, ".", "%2E")
	}
	return url.PathEscape(value)
}

// appendSeveral appends the parts of an identifier, each behind what is before it.
func (a *Address) appendSeveral(b []byte, parts []string) []byte {
	for _, p := range a.several {
		b = append(b, p.before...)
		if p.number < 0 || p.number >= len(parts) { // of a mistaken template
			continue
		}
		// A part that is a segment alone must be none that clients remove.
		if text := parts[p.number]; text == "." || text == ".." {
			b = append(b, escape(text)...)
		} else {
			b = append(b, text...)
		}
	}
	return b
}

// Read returns the identifier that a text is the address of. No other text than the one that
// Append makes of it is: none with a host, a query, dot segments, or percent-encoded otherwise.
func (a *Address) Read(text string) (id string, ok bool) {
	inner, ok := strings.CutPrefix(text, a.before)
	if !ok {
		return "", false
	}
	for _, suffix := range a.suffixes {
		if stem, doubled := strings.CutSuffix(inner, suffix+suffix); doubled {
			inner = stem + suffix
			break
		}
	}
	inner, ok = strings.CutSuffix(inner, a.behind)
	if !ok || inner == "" {
		return "", false
	}
	var err error
	if a.several == nil {
		id, err = url.PathUnescape(inner)
	} else {
		id, ok = a.readSeveral(inner)
	}
	if err != nil || !ok {
		return "", false
	}
	var room [128]byte
	return id, string(a.Append(room[:0], id)) == text
}

// readSeveral returns the identifier of several parts that a text is the address of, but for what
// stands behind them. Whether it is written in the one way is for the caller to find out.
func (a *Address) readSeveral(text string) (id string, ok bool) {
	parts := make([]string, len(a.several))
	for i, p := range a.several {
		if text, ok = strings.CutPrefix(text, p.before); !ok || p.number < 0 {
			return "", false
		}
		one := text
		if i+1 < len(a.several) { // a part ends where what is before the next one begins, as in routes
			if one, _, ok = strings.Cut(text, a.several[i+1].before); !ok {
				return "", false
			}
		}
		text = text[len(one):]
		if dots, err := url.PathUnescape(one); err == nil && (dots == "." || dots == "..") {
			one = dots
		}
		parts[p.number] = one
	}
	return strings.Join(parts, separator), !strings.Contains(strings.Join(parts, ""), "/")
}

// Digits is Read for an identifier that is an integer, without a sign but that of a negative one and without
// zeros before it, as it is written.
func (a *Address) Digits(text []byte) (number []byte, ok bool) {
	before, behind := len(a.before), len(text)-len(a.behind)
	if behind <= before || string(text[:before]) != a.before || string(text[behind:]) != a.behind {
		return nil, false
	}
	number = text[before:behind]
	digits := number
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	const always = 18 // digits are in 64 bits
	if len(digits) == 0 || len(digits) > always || digits[0] == '0' && (negative || len(digits) > 1) {
		return nil, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return nil, false
		}
	}
	return number, true
}
