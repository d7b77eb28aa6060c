package openapi

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/trove-api/trove/internal/schema"
)

// object is an object of the document. Fields without a value are omitted: nil, "" and false.
type object []member

type member struct {
	name  string
	value any
}

// literal is an example, of which only nil is omitted.
type literal struct{ value any }

// isSet reports whether a value is written as a field of an object.
func isSet(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case string:
		return v != ""
	case bool:
		return v
	case literal:
		return v.value != nil
	case object:
		return v != nil
	case *object:
		return v != nil
	case []any:
		return v != nil
	}
	return true
}

// readJSON reads a value of the document, with numbers as text because float64 does not have all integers.
func readJSON(text []byte) (value any, err error) {
	exact := func(from *jsontext.Decoder, to *any) error {
		if from.PeekKind() != jsontext.KindNumber {
			return errors.ErrUnsupported
		}
		number, err := from.ReadValue()
		*to = number.Clone()
		return err
	}
	err = json.Unmarshal(text, &value, json.WithUnmarshalers(json.UnmarshalFromFunc(exact)))
	return value, err
}

// writer writes one document as indented JSON, its fields in order.
type writer struct {
	order    *order
	literals map[string]ranks // of examples, by the names of their fields
	text     []byte
	depth    int
}

// bytesOfPath is the approximate size of a document for each path.
const bytesOfPath = 6 << 10

// write writes a document as JSON. It returns an error for values that JSON does not have.
func (o *order) write(document any) ([]byte, error) {
	w := writer{order: o, literals: map[string]ranks{}, text: make([]byte, 0, len(o.paths)*bytesOfPath)}
	if err := w.value(document, location{}); err != nil {
		return nil, err
	}
	return append(w.text, '\n'), nil
}

// deepest is the maximum nesting of values, because a user's value may contain itself.
const deepest = 1000

func (w *writer) value(value any, at location) error {
	if w.depth > deepest {
		return errors.New("values are nested too deeply; a value may contain itself")
	}
	switch v := value.(type) {
	case nil:
		w.text = append(w.text, "null"...)
	case string:
		w.text, _ = jsontext.AppendQuote(w.text, v) // invalid UTF-8 is replaced
	case bool:
		w.text = strconv.AppendBool(w.text, v)
	case int64:
		w.text = strconv.AppendInt(w.text, v, 10)
	case uint64:
		w.text = strconv.AppendUint(w.text, v, 10)
	case jsontext.Value: // a number that was read
		w.text = append(w.text, v...)
	case literal:
		return w.value(v.value, at)
	case *object:
		return w.value(*v, at)
	case object:
		members := slices.DeleteFunc(slices.Clone(v), func(m member) bool { return !isSet(m.value) })
		return w.object(members, at)
	case map[string]any:
		members := make([]member, 0, len(v))
		for name, value := range v {
			members = append(members, member{name, value})
		}
		return w.object(members, at)
	case []string:
		return writeList(w, v, at)
	case []any:
		return writeList(w, v, at)
	case []*schema.Schema:
		return writeList(w, v, at)
	case *schema.Schema:
		return w.schema(v, at)
	default:
		return w.other(value, at)
	}
	return nil
}

// other writes a value of any other type, from users, as encoding/json does.
func (w *writer) other(value any, at location) error {
	text, err := jsonv1.Marshal(value)
	if err == nil {
		value, err = readJSON(text)
	}
	if err != nil {
		return err
	}
	return w.value(value, at)
}

// schema writes a schema, with keywords in the order of the document.
func (w *writer) schema(s *schema.Schema, at location) error {
	if s.Always != nil {
		return w.value(*s.Always, at)
	}
	members := make([]member, 0, 8)
	for name, value := range s.Keywords(placeOfSchemas) {
		switch v := value.(type) {
		case jsontext.Value:
			value = schema.Go(v)
		case []jsontext.Value:
			list := make([]any, len(v))
			for i, text := range v {
				list[i] = schema.Go(text)
			}
			value = list
		case []schema.Property:
			properties := make(object, len(v))
			for i, p := range v {
				properties[i] = member{p.Name, p.Schema}
			}
			value = properties
		}
		members = append(members, member{name, value})
	}
	return w.object(members, at)
}

// object writes the fields of an object in the document's order, and further fields by name.
func (w *writer) object(members []member, at location) error {
	var inOrder ranks
	if at.literal {
		inOrder = w.ofLiteral(members)
	} else {
		inOrder = w.order.of(at)
	}
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(inOrder.compare(a.name, b.name), strings.Compare(a.name, b.name))
	})
	w.open('{')
	for i, m := range members {
		w.next(i, false)
		w.text, _ = jsontext.AppendQuote(w.text, m.name)
		w.text = append(w.text, ':')
		if w.depth <= lined {
			w.text = append(w.text, ' ')
		}
		if err := w.value(m.value, at.field(m.name)); err != nil {
			return err
		}
	}
	w.end('}', len(members) == 0)
	return nil
}

// writeList writes a list, on one line if it has scalars only.
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

// holdsOthers reports whether a value is not one of the usual scalars.
func holdsOthers[T any](value T) bool {
	switch any(value).(type) {
	case string, bool, int64, float64, jsontext.Value:
		return false
	}
	return true
}

func (w *writer) open(bracket byte) {
	w.text = append(w.text, bracket)
	w.depth++
}

// next begins the i-th field or element.
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

// lined is the depth to which values have their own lines: properties of schemas and parts of operations. Deeper values
// share a line, because their indentation would double the size of the document.
const lined = 5

func (w *writer) line() {
	const spaces = "\n          "
	w.text = append(w.text, spaces[:1+2*w.depth]...)
}
