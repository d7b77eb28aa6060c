package codec

import (
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// Scalar reads and writes single values of one type, as they stand in the parameters of
// a request. It is safe for use by many goroutines.
type Scalar struct {
	typ    *model.Type
	plan   element
	encode encoder
	isText bool // the values are strings of the type string
}

// CompileScalar makes the codec of single values of a type. A nullable type has that of
// what it points to.
func CompileScalar(t *model.Type) *Scalar {
	base := notNull(t)
	return &Scalar{
		typ: base, plan: newPlanner().element(base), encode: newEncoders(false).of(base),
		isText: base.Go == reflect.TypeFor[string](),
	}
}

// Parse reads a value from the text of a parameter: numbers and booleans as in JSON, all
// others as they stand. The error continues a sentence that begins with the parameter's
// name: "must be a number".
func (s *Scalar) Parse(text string) (any, error) {
	if s.isText && isPlain(text) {
		return text, nil
	}
	literal, err := AppendLiteral(nil, s.typ.Kind, text)
	if err != nil {
		return nil, err
	}
	return s.Decode(literal)
}

// Decode reads a value from JSON, and refuses as Parse does.
func (s *Scalar) Decode(text jsontext.Value) (any, error) {
	value, err := decodeValue(s.plan, s.typ, text)
	if err != nil {
		return nil, err
	}
	return value.Interface(), nil
}

// Append appends the JSON of a value of the type's Go type to b.
func (s *Scalar) Append(b []byte, value any) ([]byte, error) {
	made := reflect.New(s.typ.Go)
	made.Elem().Set(reflect.ValueOf(value))
	return s.encode(b, addressIn(made), 0)
}

// AppendLiteral appends a parameter's text to b as the JSON that it stands for: numbers
// and booleans as they are where the type has them, any other text as a string.
func AppendLiteral(b []byte, kind model.Kind, text string) ([]byte, error) {
	if strings.ContainsRune(text, 0) {
		return b, errors.New("must not contain the character U+0000")
	}
	value := jsontext.Value(text)
	switch found := value.Kind(); kind {
	case model.Int, model.Uint, model.Float:
		if found == jsontext.KindNumber && value.IsValid() && text == strings.TrimSpace(text) {
			return append(b, text...), nil
		}
	case model.Bool:
		if text == "true" || text == "false" {
			return append(b, text...), nil
		}
	}
	quoted, err := jsontext.AppendQuote(b, text)
	if err != nil {
		return b, errors.New("must be UTF-8")
	}
	return quoted, nil
}
