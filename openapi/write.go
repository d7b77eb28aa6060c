package openapi

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/schema"
)

// object is an object that the builder makes, with its fields in the order of the document. Fields without a value are
// omitted: nil, "" and false.
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

// usual is the order of the fields of operations, parameters, schemas and paths, for readers. Further fields follow by
// name. All other objects have the order in which they are built.
var usual = [...]string{
	"$ref", "name", "in", "title", "version", "tags", "operationId", "summary", "type", "format", "description",
	"parameters", "required", "requestBody", "responses", "readOnly", "writeOnly", "headers", "content", "schema",
	"default", "example", "examples", "minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum",
	"get", "post", "put", "patch", "delete",
}

// inUsualOrder compares two fields of an object.
func inUsualOrder(a, b member) int {
	place := func(name string) int {
		if i := slices.Index(usual[:], name); i >= 0 {
			return i
		}
		return len(usual)
	}
	return cmp.Or(cmp.Compare(place(a.name), place(b.name)), strings.Compare(a.name, b.name))
}

// byName compares two fields of an object whose names are not fixed.
func byName(a, b member) int { return strings.Compare(a.name, b.name) }

// node is an object that was read, with all its fields in their order. The methods that read take nil for an empty one.
type node struct{ fields []member }

// find returns the value of a field, and whether there is one.
func (n *node) find(name string) (any, bool) {
	if n != nil {
		for _, m := range n.fields {
			if m.name == name {
				return m.value, true
			}
		}
	}
	return nil, false
}

// get returns the value of a field, nil if it is missing.
func (n *node) get(name string) any {
	value, _ := n.find(name)
	return value
}

// child returns the object in a field, nil if there is none.
func (n *node) child(name string) *node {
	inner, _ := n.get(name).(*node)
	return inner
}

// set replaces the value of a field. An object with the usual order keeps it; else a new field comes last.
func (n *node) set(name string, value any) {
	for i := range n.fields {
		if n.fields[i].name == name {
			n.fields[i].value = value
			return
		}
	}
	m, place := member{name, value}, len(n.fields)
	if slices.IsSortedFunc(n.fields, inUsualOrder) {
		place, _ = slices.BinarySearchFunc(n.fields, m, inUsualOrder)
	}
	n.fields = slices.Insert(n.fields, place, m)
}

// remove removes fields.
func (n *node) remove(names ...string) {
	if n != nil {
		n.fields = slices.DeleteFunc(n.fields, func(m member) bool { return slices.Contains(names, m.name) })
	}
}

// readJSON reads a value of the document. Objects are nodes. Numbers are text, because float64 does not have all integers.
func readJSON(text []byte) (any, error) { return readValue(jsontext.NewDecoder(bytes.NewReader(text))) }

func readValue(from *jsontext.Decoder) (any, error) {
	switch from.PeekKind() {
	case jsontext.KindNumber:
		number, err := from.ReadValue()
		return number.Clone(), err
	case jsontext.KindBeginArray:
		list := []any{}
		err := codec.EachElement(from, func() error {
			element, err := readValue(from)
			list = append(list, element)
			return err
		})
		return list, err
	case jsontext.KindBeginObject:
		n := &node{}
		err := codec.EachField(from, func(name string) error {
			value, err := readValue(from)
			n.fields = append(n.fields, member{name, value})
			return err
		})
		return n, err
	}
	token, err := from.ReadToken()
	switch {
	case err != nil:
		return nil, err
	case token.Kind() == jsontext.KindString:
		return token.String(), nil
	case token.Kind() == jsontext.KindNull:
		return nil, nil //nolint:nilnil // null
	}
	return token.Bool(), nil
}

// writer writes one document as indented JSON.
type writer struct {
	definitions [][]string          // the names of the fields of each schema, whose order examples have
	orders      map[string][]string // of examples, by their names
	text        []byte
	depth       int
}

// write writes a document as JSON. Examples have the order of the definitions' fields. It returns an error for values
// that JSON does not have.
func write(document any, definitions [][]string) ([]byte, error) {
	w := writer{definitions: definitions, orders: map[string][]string{}}
	if err := w.value(document); err != nil {
		return nil, err
	}
	return append(w.text, '\n'), nil
}

// deepest is the maximum nesting of values, because a user's value may contain itself.
const deepest = 1000

func (w *writer) value(value any) error {
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
		return w.value(v.value)
	case *object:
		return w.value(*v)
	case object:
		return w.fields(slices.DeleteFunc(slices.Clone(v), func(m member) bool { return !isSet(m.value) }))
	case *node:
		return w.fields(v.fields)
	case map[string]any:
		return w.example(v)
	case []string:
		return writeList(w, v)
	case []any:
		return writeList(w, v)
	case []*schema.Schema:
		return writeList(w, v)
	case *schema.Schema:
		return w.schema(v)
	default:
		return w.other(value)
	}
	return nil
}

// other writes a value of any other type, from users, as encoding/json does.
func (w *writer) other(value any) error {
	text, err := jsonv1.Marshal(value)
	if err == nil {
		value, err = readJSON(text)
	}
	if err != nil {
		return err
	}
	return w.value(value)
}

// schema writes a schema.
func (w *writer) schema(s *schema.Schema) error {
	if s.Always != nil {
		return w.value(*s.Always)
	}
	keywords := make([]member, 0, 8)
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
		keywords = append(keywords, member{name, value})
	}
	slices.SortFunc(keywords, inUsualOrder)
	return w.fields(keywords)
}

// example writes an object of an example with its fields in the order of the smallest schema that has all of them, or by
// name if there is none.
func (w *writer) example(value map[string]any) error {
	members := make([]member, 0, len(value))
	for name, inner := range value {
		members = append(members, member{name, inner})
	}
	slices.SortFunc(members, byName)
	var names strings.Builder
	for _, m := range members {
		names.WriteString(m.name + "\x00")
	}
	order, known := w.orders[names.String()]
	if !known {
		for _, fields := range w.definitions {
			isUnknown := func(m member) bool { return !slices.Contains(fields, m.name) }
			if (order == nil || len(fields) < len(order)) && !slices.ContainsFunc(members, isUnknown) {
				order = fields
			}
		}
		w.orders[names.String()] = order
	}
	if order != nil {
		slices.SortFunc(members, func(a, b member) int { return cmp.Compare(slices.Index(order, a.name), slices.Index(order, b.name)) })
	}
	return w.fields(members)
}

// fields writes an object.
func (w *writer) fields(members []member) error {
	return w.parts("{}", len(members), len(members) == 0, func(i int) error {
		w.text, _ = jsontext.AppendQuote(w.text, members[i].name)
		w.text = append(w.text, ':')
		if w.depth <= lined {
			w.text = append(w.text, ' ')
		}
		return w.value(members[i].value)
	})
}

// writeList writes a list, on one line if it has scalars only.
func writeList[T any](w *writer, elements []T) error {
	if elements == nil {
		return w.value(nil)
	}
	inLine := !slices.ContainsFunc(elements, holdsOthers)
	return w.parts("[]", len(elements), inLine, func(i int) error { return w.value(elements[i]) })
}

// holdsOthers reports whether a value is not one of the usual scalars.
func holdsOthers[T any](value T) bool {
	switch any(value).(type) {
	case string, bool, int64, float64, jsontext.Value:
		return false
	}
	return true
}

// parts writes n fields or elements in brackets.
func (w *writer) parts(brackets string, n int, inLine bool, write func(i int) error) error {
	w.text = append(w.text, brackets[0])
	w.depth++
	for i := range n {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		if !inLine && w.depth <= lined {
			w.line()
		}
		if err := write(i); err != nil {
			return err
		}
	}
	if w.depth--; !inLine && w.depth < lined {
		w.line()
	}
	w.text = append(w.text, brackets[1])
	return nil
}

// lined is the depth to which values have their own lines: properties of schemas and parts of operations. Deeper values
// share a line, because their indentation would double the size of the document.
const lined = 5

func (w *writer) line() {
	const spaces = "\n          "
	w.text = append(w.text, spaces[:1+2*w.depth]...)
}
