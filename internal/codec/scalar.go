package codec

import (
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// Scalar reads and writes single values of one type, as they are in the parameters of
// a request. It is safe for use by many goroutines.
// It reads and writes by the very plans of bodies, so that "price=3.0" means what {"price":3.0}
// does.
type Scalar struct {
	typ    *model.Type
	plan   plan
	encode encoder
	isText bool             // the values are strings of the type string
	shown  *model.Reference // the values are addresses; nil for all others
}

// CompileScalar makes the codec of single values of a type. A nullable type has that of
// what it points to. Keys of other records are read from what clients see of them, where shown is not nil.
func CompileScalar(t *model.Type, shown *model.Reference) *Scalar {
	base := t.NotNull()
	return &Scalar{
		typ: base, plan: newPlanner(nil).Of(base, position{}), encode: newEncoders(false).of(base, nil),
		isText: base.Go == reflect.TypeFor[string](), shown: shown,
	}
}

// Parse reads a value from the text of a parameter: numbers as in JSON, booleans as
// [ParseBool] does, all others as they are. The error continues a sentence that begins with the parameter's
// name: "must be a number".
func (s *Scalar) Parse(text string) (any, error) {
	if s.shown != nil {
		if key, ok := s.shown.Read(text); ok {
			return key, nil
		}
		return nil, errors.New("must be " + s.shown.Means())
	}
	if s.isText && isPlain([]byte(text)) { // it need not become JSON
		return text, nil
	}
	literal, err := AppendLiteral(nil, s.typ.Kind, text)
	if err != nil {
		return nil, err
	}
	return s.Decode(literal)
}

// Decode reads a value from JSON, and refuses as Parse does.
// Cursors have values as JSON, which is exact where the text of a parameter need not be.
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

// AppendLiteral appends a parameter's text to b as the JSON that it stands for: numbers
// and booleans where the type has them, any other text as a string.
// Through JSON, so that a parameter of a number takes what a body takes, and nothing else such as
// "0x10" or "1_000".
func AppendLiteral(b []byte, kind model.Kind, text string) ([]byte, error) {
	if strings.ContainsRune(text, 0) {
		return b, errors.New("must not contain the character U+0000")
	}
	isLiteral := false
	switch value := jsontext.Value(text); {
	case kind == model.String:
	case kind == model.Bool:
		isLiteral = text == "true" || text == "false"
	case kind.IsNumber():
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
