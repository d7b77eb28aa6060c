package codec

import (
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// Scalar reads and writes single values of one type, for the parameters of a request. It is safe for concurrent
// use. It uses the plans of bodies, so that "price=3.0" means the same as {"price":3.0}.
type Scalar struct {
	typ    *model.Type
	plan   plan
	encode encoder
	shown  *model.Reference // values are paths of records; else nil
}

// CompileScalar returns the codec of single values of a type. A nullable type has that of its base type. If shown
// is not nil, keys are read from what clients see of the records.
func CompileScalar(t *model.Type, shown *model.Reference) *Scalar {
	base := t.NotNull()
	return &Scalar{
		typ: base, plan: newPlanner(nil).Of(base, position{}), encode: newEncoders(false).of(base, nil),
		shown: shown,
	}
}

// Parse reads a value from the text of a parameter: numbers as in JSON, booleans as true or false, everything else
// as it is. The error continues a sentence that begins with the parameter's name: "must be a number".
func (s *Scalar) Parse(text string) (any, error) {
	if s.shown != nil {
		if key, ok := s.shown.Read(text); ok {
			return key, nil
		}
		return nil, errors.New("must be " + s.shown.Means())
	}
	switch { // no need for JSON
	case s.typ.Go == reflect.TypeFor[string]() && isPlain([]byte(text)):
		return text, nil
	case s.typ.Go == reflect.TypeFor[bool]() && (text == "true" || text == "false"):
		return text == "true", nil
	}
	literal, err := AppendLiteral(nil, s.typ.Kind, text)
	if err != nil {
		return nil, err
	}
	return s.Decode(literal)
}

// Text returns a value in JSON as the text that Parse reads. Its error is that for a value of another type.
func (s *Scalar) Text(value jsontext.Value) (string, error) {
	kind := s.typ.Kind
	isLiteral := s.shown == nil && (kind == model.Bool || kind == model.Numeral || kind.IsNumber())
	switch given := value.Kind(); {
	case given == jsontext.KindString && !isLiteral:
		text, err := jsontext.AppendUnquote(nil, value)
		return string(text), err
	case isLiteral && (given == jsontext.KindNumber || given == jsontext.KindTrue || given == jsontext.KindFalse):
		return string(value), nil
	case s.shown != nil:
		return "", errors.New("must be " + s.shown.Means())
	}
	_, err := s.Decode(value)
	return "", err
}

// Decode reads a value from JSON, with the errors of Parse. Cursors use JSON because it is exact.
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
	return s.encode(b, made.UnsafePointer(), 0)
}

// AppendLiteral appends the text of a parameter to b as JSON: numbers and booleans if the type is one, otherwise a
// string. So a number parameter accepts what a body accepts, and not "0x10" or "1_000".
func AppendLiteral(b []byte, kind model.Kind, text string) ([]byte, error) {
	if strings.ContainsRune(text, 0) {
		return b, errors.New("must not contain the character U+0000")
	}
	isLiteral := false
	switch value := jsontext.Value(text); {
	case kind == model.String:
	case kind == model.Bool:
		isLiteral = text == "true" || text == "false"
	case kind.IsNumber(), kind == model.Numeral:
		isLiteral = value.Kind() == jsontext.KindNumber && value.IsValid() && text == strings.TrimSpace(text)
	}
	if isLiteral {
		return append(b, text...), nil
	}
	quoted, err := jsontext.AppendQuote(b, text)
	if err != nil {
		return b, errors.New("must be UTF-8")
	}
	return quoted, nil
}
