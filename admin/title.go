package admin

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/naming"
)

// titlePart is a part of the title of a record: a text, or the value of a field.
type titlePart struct {
	Text  string `json:"text,omitempty"`
	Field string `json:"field,omitempty"`
	Of    string `json:"of,omitempty"` // a field of the record that Field refers to; "" for its title, or for the value of Field
}

// fieldIn matches a field in a title.
var fieldIn = regexp.MustCompile(`^{([^{}.]+)(?:\.([^{}.]+))?}`)

// parseTitle returns the parts of a title, and whether its braces are right.
func parseTitle(text string) (parts []titlePart, ok bool) {
	for text != "" {
		if found := fieldIn.FindStringSubmatch(text); found != nil {
			parts, text = append(parts, titlePart{Field: found[1], Of: found[2]}), text[len(found[0]):]
			continue
		}
		end := strings.IndexAny(text, "{}")
		if end < 0 {
			end = len(text)
		}
		if end == 0 {
			return nil, false
		}
		parts, text = append(parts, titlePart{Text: text[:end]}), text[end:]
	}
	return parts, true
}

// composed returns the parts of the title of records, nil for the default or if the caller may not see one of its fields.
func (v *view) composed(m *resourceModel, l *layout) []titlePart {
	for _, p := range l.title {
		if p.Field != "" && (!m.isReadable(p.Field) || p.Of != "" && !v.reads(l.Field(p.Field).To, p.Of)) {
			return nil
		}
	}
	return l.title
}

// reads reports whether the caller may see a field of a resource in some record.
func (v *view) reads(r *invoke.Resource, name string) bool {
	if l := layoutOf(v.layouts, r); l == nil || v.first(l.gets) == nil {
		return false
	}
	f := r.Field(name)
	return f == nil || v.caller.Sees(f) // a field of another type has no rule
}

// label returns the name of a field for people.
func (l *layout) label(name string) string {
	return cmp.Or(l.config.Fields[name].Label, naming.Label(name))
}
