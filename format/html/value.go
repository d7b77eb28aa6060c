package html

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// value is a JSON value as a page shows it.
type value struct {
	Kind   string // "null", "bool", "number", "text", "time", "link", "web", "list", "object"
	Text   string
	More   int    // how many characters of Text or elements of the list are not shown
	Href   string // of "link" and "web"
	Stamp  string // of "time", for machines
	Items  []value
	Fields []named
}

// named is a field of a value.
type named struct {
	Name, Hint string
	Value      value
}

// limits is how much of a value a page shows.
type limits struct{ characters, elements, depth int }

// Limits of a cell of a table and of the page of a record. A page must stay usable with values of a megabyte.
func ofCell() limits   { return limits{90, 4, 1} }
func ofRecord() limits { return limits{20_000, 100, 5} }

// inner returns the limits of what a value contains.
func (l limits) inner() limits {
	return limits{min(l.characters, 2_000), l.elements, l.depth - 1}
}

// show returns a value as a page shows it. The type may be nil.
func show(text []byte, t *format.Type, within limits) value {
	if t == nil {
		t = &format.Type{}
	}
	switch {
	case len(text) == 0, text[0] == 'n':
		return value{Kind: "null"}
	case text[0] == 't' || text[0] == 'f':
		return value{Kind: "bool", Text: string(text)}
	case text[0] == '"':
		return showText(string(scan.AppendText(nil, text)), t, within)
	case text[0] == '[' || text[0] == '{':
		return showMany(text, t, within)
	}
	return value{Kind: "number", Text: string(text)}
}

func showText(text string, t *format.Type, within limits) value {
	if moment, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Format == "date-time" {
		return value{Kind: "time", Text: moment.UTC().Format("2 Jan 2006 15:04:05 UTC"), Stamp: text}
	}
	short, more := cut(text, within.characters)
	if more == 0 && isWeb(text) {
		return value{Kind: "web", Text: short, Href: text}
	}
	return value{Kind: "text", Text: short, More: more}
}

// cut returns the first characters of a text, and how many are left.
func cut(text string, characters int) (string, int) {
	if len(text) <= characters {
		return text, 0
	}
	end := 0
	for range characters {
		if end >= len(text) {
			return text, 0
		}
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end], utf8.RuneCountInString(text[end:])
}

// isWeb reports whether a text is the URL of a web page. Other schemes are not links, because javascript: is one.
func isWeb(text string) bool {
	if len(text) > 2_000 || !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		return false
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '<' || r == '>' }) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil
}

// showMany shows a list or an object.
func showMany(text []byte, t *format.Type, within limits) value {
	parts, isList := scan.Values(text), text[0] == '['
	made := value{Kind: "object"}
	if isList {
		made.Kind = "list"
	}
	if within.depth <= 1 && len(parts) > 0 && (!isList || hasMany(parts)) {
		short, more := cut(brief(parts, isList), min(within.characters, 200))
		return value{Kind: "text", Text: short, More: more}
	}
	if len(parts) > within.elements {
		made.More = len(parts) - within.elements
		parts = parts[:within.elements]
	}
	for _, part := range parts {
		if isList {
			made.Items = append(made.Items, show(part.Text, t.Elem, within.inner()))
			continue
		}
		of := fieldOf(t, part.Name)
		name, _ := cut(part.Name, 100)
		made.Fields = append(made.Fields, named{Name: name, Value: showField(part.Text, of, nil, within.inner())})
	}
	return made
}

// brief returns a list or an object in one line, for where it has no room.
func brief(parts []scan.Named, isList bool) string {
	var b strings.Builder
	for _, part := range parts {
		text := string(part.Text)
		if part.Text[0] == '"' {
			text = textOf(part.Text)
		}
		if text == "null" || text == "" || b.Len() > 1_000 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if !isList {
			b.WriteString(part.Name + ": ")
		}
		text, _ = cut(text, 200)
		b.WriteString(text)
	}
	return b.String()
}

// hasMany reports whether an element is a list or an object.
func hasMany(parts []scan.Named) bool {
	for _, part := range parts {
		if part.Text[0] == '[' || part.Text[0] == '{' {
			return true
		}
	}
	return false
}

// fieldOf returns a field of an object's type. For a map it is one that has the type of the values.
func fieldOf(t *format.Type, name string) *format.TypeField {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return &format.TypeField{Name: name, Type: t.Elem}
}

// showField shows the value of a field: links for references, with the titles of embedded records.
func showField(text []byte, of *format.TypeField, embedded []byte, within limits) value {
	switch r := of.Reference; {
	case r == nil, len(text) == 0, text[0] == 'n':
		return show(text, of.Type, within)
	case r.Inverse:
		path := string(scan.AppendText(nil, text))
		return value{Kind: "link", Text: "All " + of.Name, Href: path}
	case r.Many && text[0] == '[':
		made, titles := value{Kind: "list"}, scan.Values(embedded)
		for i, one := range scan.Values(text) {
			if i == within.elements {
				made.More++
				continue
			}
			if made.More > 0 {
				made.More++
				continue
			}
			var title []byte
			if i < len(titles) {
				title = titles[i].Text
			}
			made.Items = append(made.Items, showReference(one.Text, of, title))
		}
		return made
	}
	return showReference(text, of, embedded)
}

// showReference shows a link to a record.
func showReference(text []byte, of *format.TypeField, embedded []byte) value {
	if text[0] == 'n' {
		return value{Kind: "null"}
	}
	path := string(of.Reference.AppendPath(nil, text))
	made := value{Kind: "link", Text: path, Href: path}
	if of.Embedded != nil && of.Embedded.Title != "" {
		made.Text = titleOf(embedded, of.Embedded, path)
	}
	if path == "" { // the resource has no Get
		made.Kind = "text"
		made.Text = string(of.Reference.AppendID(nil, text))
	}
	return made
}

// titleOf returns the title of a record, otherwise if it has none.
func titleOf(record []byte, t *format.Type, otherwise string) string {
	if t == nil || t.Title == "" {
		return otherwise
	}
	text := scan.Find(record, t.Title)
	if len(text) == 0 || text[0] != '"' {
		return otherwise
	}
	title, more := cut(strings.TrimSpace(string(scan.AppendText(nil, text))), ofCell().characters)
	if more > 0 {
		title += "…"
	}
	if title == "" {
		return otherwise
	}
	return title
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
