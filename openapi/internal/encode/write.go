package encode

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// writer writes a document as JSON in its order, with lines for what people look for. kin-openapi's MarshalJSON
// writes each part into a text of its own, which that of the part around it reads again.
type writer struct {
	order    *Order
	keywords []keyword
	text     []byte
	depth    int
}

// bytesOfPath is about how long the text of a path is, with its part in all others.
const bytesOfPath = 6 << 10

// JSON writes a document, which consists of kin-openapi's types or is JSON. Its errors are values
// that JSON does not have.
func (o *Order) JSON(document any) ([]byte, error) {
	w := writer{order: o, keywords: keywords(), text: make([]byte, 0, len(o.Paths)*bytesOfPath)}
	if err := w.value(document, location{}); err != nil {
		return nil, err
	}
	return append(w.text, '\n'), nil
}

// deepest is how deep values may stand in each other. A value that holds itself goes on
// for ever.
const deepest = 1000

func (w *writer) value(value any, at location) error {
	if w.depth > deepest {
		return errors.New("values stand in each other without end")
	}
	switch v := value.(type) {
	case nil:
		w.text = append(w.text, "null"...)
	case string:
		w.quote(v)
	case bool:
		w.text = strconv.AppendBool(w.text, v)
	case int64:
		w.text = strconv.AppendInt(w.text, v, 10)
	case uint64:
		w.text = strconv.AppendUint(w.text, v, 10)
	case []string:
		return writeList(w, v, at)
	case []any:
		return writeList(w, v, at)
	case map[string]any:
		return w.members(v, at)
	case jsontext.Value:
		return w.encoded(v, at)
	case *openapi3.SchemaRef:
		return w.schema(v, at)
	default:
		return w.part(value, at)
	}
	return nil
}

// quote writes a text. What is not UTF-8 in it is replaced, as encoding/json does.
func (w *writer) quote(text string) {
	w.text, _ = jsontext.AppendQuote(w.text, text)
}

// modelPackage is where kin-openapi's model is declared.
const modelPackage = "github.com/getkin/kin-openapi/openapi3"

// part writes a part of kin-openapi's model. Values of other types, which users put in,
// are what encoding/json makes of them.
func (w *writer) part(value any, at location) error {
	v := reflect.ValueOf(value)
	inner := v
	if v.Kind() == reflect.Pointer {
		inner = v.Elem()
	}
	if !inner.IsValid() {
		return w.value(nil, at)
	}
	if inner.Type().PkgPath() == modelPackage {
		if described, ok := value.(interface{ MarshalYAML() (any, error) }); ok {
			content, err := described.MarshalYAML()
			if err != nil {
				return err
			}
			if doc, ok := value.(*openapi3.T); ok && doc.Security != nil && len(doc.Security) == 0 {
				content = noSecurity(content)
			}
			return w.value(content, at)
		}
		switch {
		case inner.Kind() == reflect.Map && !inner.IsNil():
			return w.object(membersOf(inner), at)
		case inner.Kind() == reflect.Slice && !inner.IsNil():
			return writeList(w, elementsOf(inner), at)
		}
	}
	text, err := jsonv1.Marshal(value)
	if err != nil {
		return err
	}
	return w.encoded(text, at)
}

// membersOf returns what is in a map of the model, whose keys are names.
func membersOf(v reflect.Value) []entry {
	members := make([]entry, 0, v.Len())
	for name, member := range v.Seq2() {
		members = append(members, entry{name.String(), member.Interface()})
	}
	return members
}

// elementsOf returns what is in a list of the model.
func elementsOf(v reflect.Value) []any {
	elements := make([]any, v.Len())
	for i := range elements {
		elements[i] = v.Index(i).Interface()
	}
	return elements
}

// entry is a member of an object.
type entry struct {
	name  string
	value any
}

func (w *writer) members(members map[string]any, at location) error {
	if members == nil {
		return w.value(nil, at)
	}
	entries := make([]entry, 0, len(members))
	for name, value := range members {
		entries = append(entries, entry{name, value})
	}
	return w.object(entries, at)
}

// object writes members in the document's order, and by name where that has none.
func (w *writer) object(members []entry, at location) error {
	slices.SortFunc(members, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return w.arranged(members, at)
}

// arranged writes members in the document's order, and as they are where that has none.
func (w *writer) arranged(members []entry, at location) error {
	w.open('{')
	w.order.arrange(members, at)
	for i, member := range members {
		w.next(i, false)
		w.quote(member.name)
		w.text = append(w.text, ':')
		if w.depth <= lined {
			w.text = append(w.text, ' ')
		}
		if err := w.value(member.value, at.member(member.name)); err != nil {
			return err
		}
	}
	w.end('}', len(members) == 0)
	return nil
}

// writeList writes a list, one of scalars on one line.
func writeList[T any](w *writer, elements []T, at location) error {
	if elements == nil {
		return w.value(nil, at)
	}
	w.open('[')
	inLine := !slices.ContainsFunc(elements, holdsOthers)
	for i, element := range elements {
		w.next(i, inLine)
		if err := w.value(element, at); err != nil {
			return err
		}
	}
	w.end(']', inLine)
	return nil
}

// holdsOthers reports whether a value is none of the scalars that documents are full of.
func holdsOthers[T any](value T) bool {
	switch v := any(value).(type) {
	case string, bool, int64, float64:
		return false
	case jsontext.Value:
		return v.Kind() == jsontext.KindBeginObject || v.Kind() == jsontext.KindBeginArray
	}
	return true
}

func (w *writer) open(bracket byte) {
	w.text = append(w.text, bracket)
	w.depth++
}

// next begins the i-th member or element.
func (w *writer) next(i int, inLine bool) {
	if i > 0 {
		w.text = append(w.text, ',')
	}
	if !inLine && w.depth <= lined {
		w.line()
	}
}

func (w *writer) end(bracket byte, inLine bool) {
	if w.depth--; !inLine && w.depth < lined {
		w.line()
	}
	w.text = append(w.text, bracket)
}

// lined is how deep values stand on lines of their own: as deep as the properties of a
// schema and what there is of an operation. Deeper ones share a line, for indenting them
// takes as much room as all that a document says.
const lined = 5

func (w *writer) line() {
	const spaces = "\n          "
	w.text = append(w.text, spaces[:1+2*w.depth]...)
}

// noSecurity adds an empty list of security requirements to a document, which kin-openapi leaves out. It says
// that operations need no credentials unless they list some.
func noSecurity(content any) any {
	if members, ok := content.(map[string]any); ok {
		members["security"] = []any{}
	}
	return content
}
