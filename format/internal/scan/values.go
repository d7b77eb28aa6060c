package scan

import (
	"bytes"
	"errors"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// Named is a field of an object, or an element of an array, whose name is its index.
type Named struct {
	Name string
	Text []byte
}

// Values lists what an object or an array consists of, nothing of another value.
func Values(text []byte) (list []Named) {
	for name, value := range Members(text) {
		plain, err := jsontext.AppendUnquote(nil, name)
		if err != nil {
			return list
		}
		list = append(list, Named{string(plain), value})
	}
	for element := range Elements(text) {
		list = append(list, Named{strconv.Itoa(len(list)), element})
	}
	return list
}

// Members yields the names of an object's fields, as JSON strings, and their values; nothing of another value.
func Members(text []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		i := Space(text, 0)
		if i >= len(text) || text[i] != '{' {
			return
		}
		for i = Space(text, i+1); i < len(text) && text[i] == '"'; i = Space(text, i) {
			behind, _ := String(text, i)
			value := Space(text, Space(text, behind)+1)
			end := Value(text, value)
			if !yield(text[i:behind], text[value:end]) {
				return
			}
			if i = Space(text, end); i < len(text) && text[i] == ',' {
				i++
			}
		}
	}
}

// Elements yields the elements of an array, nothing of another value.
func Elements(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := Space(text, 0)
		if i >= len(text) || text[i] != '[' {
			return
		}
		for i = Space(text, i+1); i < len(text) && text[i] != ']'; i = Space(text, i) {
			end := Value(text, i)
			if !yield(text[i:end]) {
				return
			}
			if i = Space(text, end); i < len(text) && text[i] == ',' {
				i++
			}
		}
	}
}

// Text returns the text of a JSON string, and false for another value.
func Text(value []byte) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}

// CloseObject turns the fields that begin at a place, with a comma before each, into an object.
func CloseObject(b []byte, start int) []byte {
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{'
	return append(b, '}')
}

// Find returns the value of an object's field, nil if the field or the object does not exist.
func Find(text []byte, name string) []byte {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	for _, v := range Values(text) {
		if v.Name == name {
			return v.Text
		}
	}
	return nil
}

// Twin returns the JSON Pointer of a duplicate field; false for none.
func Twin(text []byte) (pointer string, is bool) {
	_, err := jsontext.NewDecoder(bytes.NewReader(text)).ReadValue()
	twin, is := errors.AsType[*jsontext.SyntacticError](err)
	if !is || !errors.Is(err, jsontext.ErrDuplicateName) {
		return "", false
	}
	return string(twin.JSONPointer), true
}

// Fields finds the fields of a record by their places in its type. Their places in the record are the same, less
// the fields that the record leaves out.
type Fields struct {
	List    []format.Field
	missing int // of the fields before the one that was found last
}

// Find returns the value of the field of that name, nil for a field that the record leaves out.
func (f *Fields) Find(place int, name string) []byte {
	if at := place - f.missing; uint(at) < uint(len(f.List)) && f.List[at].Name == name {
		return f.List[at].JSON
	}
	return f.search(place, name)
}

func (f *Fields) search(place int, name string) []byte {
	for at := range f.List {
		if f.List[at].Name == name {
			f.missing = place - at
			return f.List[at].JSON
		}
	}
	return nil
}
