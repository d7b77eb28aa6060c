package html

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader reads the bodies of one type.
type reader struct{ t *format.Type }

// read converts the body of a form to JSON. What does not fit its type becomes a string, so that the decoder reports it as
// for any other body.
func (r *reader) read(body *format.Body) ([]byte, error) {
	root, was, err := parse(body)
	if err != nil {
		return nil, err
	}
	if whole := root.children[wholeField]; whole != nil {
		return []byte(whole.last()), nil
	}
	if r.t.Kind != format.Object {
		return nil, &format.Error{Detail: "The body is not an object. Send it as JSON in the field " + wholeField + "."}
	}
	w := &writer{method: body.Method}
	if body.Method == http.MethodPatch {
		w.was = was
	}
	b, _ := w.object(make([]byte, 0, len(body.Bytes)), r.t, root, "")
	return b, nil
}

// writer writes the values of a form as JSON.
type writer struct {
	method string
	was    map[string][]string // hashes of the values that need not be sent, because the form had them
}

// object appends an object, and reports whether it has fields.
func (w *writer) object(b []byte, t *format.Type, of *node, prefix string) ([]byte, bool) {
	b = append(b, '{')
	start := len(b)
	known := make(map[string]bool, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		known[f.Name] = true
		if child := of.children[f.Name]; child != nil {
			b = w.field(b, f, child, prefix+f.Name)
		}
	}
	for _, name := range of.names() {
		if known[name] {
			continue
		}
		f := &format.TypeField{Name: name, Type: &format.Type{Kind: format.Text}, Required: true}
		if t.Kind == format.Map {
			f.Type = t.Elem
		}
		b = w.field(b, f, of.children[name], prefix+name)
	}
	if len(b) == start {
		return append(b, '}'), false
	}
	b[len(b)-1] = '}' // replaces the comma
	return b, true
}

// field appends a field and a comma, or nothing if the form leaves the field as it is.
func (w *writer) field(b []byte, f *format.TypeField, of *node, path string) []byte {
	if was := w.was[path]; len(was) == 1 && was[0] == hashOf(of.values...) && of.children == nil {
		return b
	}
	before := len(b)
	b = append(scan.AppendQuoted(b, f.Name), ':')
	begin := len(b)
	if of.values == nil {
		t := f.Type
		if t.Kind != format.Object && t.Kind != format.Map {
			t = &format.Type{Kind: format.Object} // the decoder reports that it is not one
		}
		made, filled := w.object(b, t, of, path+".")
		if b = made; !filled {
			if w.method != http.MethodPut || !f.Type.Nullable {
				return b[:before]
			}
			b = append(b[:begin], "null"...)
		}
		return append(b, ',')
	}
	if b = w.value(b, f, of); len(b) == begin {
		return b[:before]
	}
	return append(b, ',')
}

// value appends the value of a field, or nothing for a field that the body omits.
func (w *writer) value(b []byte, f *format.TypeField, of *node) []byte {
	t := f.Type
	switch {
	case of.isEmpty():
		return w.empty(b, f)
	case of.isJSON || !isPlain(t):
		return appendJSON(b, of.last())
	case t.Kind != format.List:
		return appendScalar(b, t, f.Reference, of.last())
	}
	b = append(b, '[')
	for _, value := range of.values {
		for line := range strings.SplitSeq(value, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				b = append(appendScalar(b, t.Elem, f.Reference, line), ',')
			}
		}
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, ']')
}

// empty appends the value of an empty input: null where that is a value, or nothing when a record is created, because the
// field then has its default.
func (w *writer) empty(b []byte, f *format.TypeField) []byte {
	creates, isText := w.method == http.MethodPost, f.Type.Kind == format.Text && f.Type.Format == "" && f.Reference == nil
	switch {
	case f.Type.Nullable && creates:
		return b
	case f.Type.Nullable:
		return append(b, "null"...)
	case f.Type.Kind == format.List:
		return append(b, "[]"...)
	case isText && (!creates || f.Required):
		return append(b, `""`...)
	case w.method == http.MethodPatch: // the decoder reports that there must be a value
		return append(b, "null"...)
	}
	return b
}

// isPlain reports whether people can write values of a type without JSON: scalars, and lists of them.
func isPlain(t *format.Type) bool {
	if t.Kind == format.List {
		return t.Elem != nil && isScalar(t.Elem)
	}
	return isScalar(t)
}

func isScalar(t *format.Type) bool {
	return t.Kind == format.Boolean || t.Kind == format.Integer || t.Kind == format.Number || t.Kind == format.Text
}

// appendJSON appends JSON that a person has written, as a string if it is malformed.
func appendJSON(b []byte, text string) []byte {
	if jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
		return append(b, strings.TrimSpace(text)...)
	}
	return scan.AppendQuoted(b, text)
}

// appendScalar appends the value of one input. Numbers keep their digits.
func appendScalar(b []byte, t *format.Type, reference *format.Reference, text string) []byte {
	trimmed := strings.TrimSpace(text)
	switch {
	case reference != nil:
		return appendReference(b, reference, trimmed)
	case t.Kind == format.Boolean && (trimmed == "true" || trimmed == "false"):
		return append(b, trimmed...)
	case t.Kind == format.Boolean && trimmed == "on": // a checkbox without a value
		return append(b, "true"...)
	case t.Kind == format.Integer || t.Kind == format.Number:
		if number := jsontext.Value(trimmed); number.IsValid() && number.Kind() == jsontext.KindNumber {
			return append(b, trimmed...)
		}
	case t.Format == "date-time":
		return scan.AppendQuoted(b, withZone(trimmed))
	}
	return scan.AppendQuoted(b, text)
}

// appendReference appends a reference, which people write as a path or an identifier.
func appendReference(b []byte, r *format.Reference, text string) []byte {
	id, isPath := r.IDAt(text)
	if !isPath && strings.HasPrefix(text, "/") {
		return scan.AppendQuoted(b, text) // the decoder reports what is wrong with it
	}
	if !isPath {
		id = text
	} else if !r.Identifiers {
		return scan.AppendQuoted(b, text)
	}
	if made, ok := r.AppendValue(b, id); ok {
		return made
	}
	return scan.AppendQuoted(b, text)
}

// Layouts of the input datetime-local.
const (
	withMinutes = "2006-01-02T15:04"
	withSeconds = "2006-01-02T15:04:05"
)

// withZone returns a time of an input as one of UTC, and any other text as it is.
func withZone(text string) string {
	for _, layout := range []string{withMinutes, withSeconds} {
		if moment, err := time.Parse(layout, text); err == nil {
			return moment.Format(time.RFC3339)
		}
	}
	return text
}

// withoutZone returns a time as the input datetime-local has it, the shortest form, which is what browsers send.
func withoutZone(text string) string {
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	if moment = moment.UTC(); moment.Second() == 0 {
		return moment.Format(withMinutes)
	}
	return moment.Format(withSeconds)
}
