package openapi

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// writer writes a document as JSON, indented and in its order. kin-openapi's MarshalJSON
// writes each part into a text of its own, which that of the part around it reads again.
type writer struct {
	order    *order
	keywords []keyword
	text     []byte
	depth    int
}

// write writes a document.
func (o *order) write(document any) ([]byte, error) {
	w := writer{order: o, keywords: keywords()}
	if err := w.value(document, place{}); err != nil {
		return nil, err
	}
	return append(w.text, '\n'), nil
}

func (w *writer) value(value any, at place) error {
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
func (w *writer) part(value any, at place) error {
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
			return w.value(content, at)
		}
		switch {
		case inner.Kind() == reflect.Map && !inner.IsNil():
			return w.members(membersOf(inner), at)
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
func membersOf(v reflect.Value) map[string]any {
	members := make(map[string]any, v.Len())
	for name, member := range v.Seq2() {
		members[name.String()] = member.Interface()
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

func (w *writer) members(members map[string]any, at place) error {
	if members == nil {
		return w.value(nil, at)
	}
	names := slices.AppendSeq(make([]string, 0, len(members)), maps.Keys(members))
	slices.Sort(names)
	return w.object(names, func(name string) any { return members[name] }, at)
}

func (w *writer) object(names []string, member func(name string) any, at place) error {
	w.open('{')
	for i, name := range sorted(names, w.order.of(at, names)) {
		w.next(i)
		w.quote(name)
		w.text = append(w.text, ": "...)
		if err := w.value(member(name), at.member(name)); err != nil {
			return err
		}
	}
	w.end('}', len(names))
	return nil
}

func writeList[T any](w *writer, elements []T, at place) error {
	if elements == nil {
		return w.value(nil, at)
	}
	w.open('[')
	for i, element := range elements {
		w.next(i)
		if err := w.value(element, at); err != nil {
			return err
		}
	}
	w.end(']', len(elements))
	return nil
}

func (w *writer) open(bracket byte) {
	w.text = append(w.text, bracket)
	w.depth++
}

// next begins the line of the i-th member or element.
func (w *writer) next(i int) {
	if i > 0 {
		w.text = append(w.text, ',')
	}
	w.line()
}

func (w *writer) end(bracket byte, length int) {
	w.depth--
	if length > 0 {
		w.line()
	}
	w.text = append(w.text, bracket)
}

func (w *writer) line() {
	w.text = append(w.text, '\n')
	for range w.depth {
		w.text = append(w.text, "  "...)
	}
}
