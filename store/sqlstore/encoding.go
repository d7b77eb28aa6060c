package sqlstore

import (
	"encoding"
	"errors"
	"math"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/model"
)

// columnType is a type of a column.
type columnType int

// The types of columns.
const (
	boolean columnType = iota + 1
	integer
	float
	text
	blob
	instant
	document // JSON
)

// encodingOf is how values of one Go type are kept in a column.
type encodingOf struct {
	typ    columnType
	bind   func(v reflect.Value) (any, error)          // v is not a pointer
	cell   func() cell                                 // for values of the declared type, the pointer included
	settle func(v reflect.Value) (reflect.Value, bool) // what the column keeps of v, and whether it differs; nil where all is kept
	exact  bool                                        // what is written is read, once it is settled
	null   bool                                        // has values that are null, though it is no pointer
}

// encode finds how values of a type are kept in the dialect.
func encode(t *model.Type, dialect Dialect) encodingOf {
	if own, ok := ownForm(t, dialect); ok {
		return own
	}
	switch t.Kind {
	case model.Bool:
		return direct(boolean, func(v reflect.Value) (any, error) { return v.Bool(), nil })
	case model.Int:
		return direct(integer, func(v reflect.Value) (any, error) { return v.Int(), nil })
	case model.Uint:
		return direct(integer, bindUnsigned)
	case model.Float:
		kept := direct(float, func(v reflect.Value) (any, error) { return v.Float() + 0, nil }) // -0 + 0 is 0
		kept.settle = settleFloat
		return kept
	case model.String:
		return direct(text, func(v reflect.Value) (any, error) { return v.String(), nil })
	case model.Bytes:
		return direct(blob, func(v reflect.Value) (any, error) { return append([]byte{}, v.Bytes()...), nil })
	case model.Time:
		return encodeTime(t, dialect)
	case model.Text:
		return encodingOf{typ: text, bind: bindText, cell: func() cell { return &bytesCell{nullable: t.Nullable, read: readText} }}
	}
	return encodingOf{
		typ: document, bind: bindJSON, exact: isKeptExactly(t, map[*model.Struct]bool{}),
		cell: func() cell { return &bytesCell{nullable: t.Nullable, read: readJSON} },
	}
}

// direct is the encoding of what drivers read into the field itself.
func direct(typ columnType, bind func(v reflect.Value) (any, error)) encodingOf {
	return encodingOf{typ: typ, bind: bind, cell: func() cell { return directCell{} }, exact: true}
}

func encodeTime(t *model.Type, dialect Dialect) encodingOf {
	kept := encodingOf{typ: instant, bind: bindTime, cell: func() cell { return utcCell{} }, settle: settleTime, exact: true}
	if dialect.TextTimes {
		kept.bind, kept.cell = bindTextTime, func() cell { return &bytesCell{nullable: t.Nullable, read: readTextTime} }
	}
	return kept
}

// What values of a condition are that no column can hold.
var (
	errTooLarge = errors.New("is larger than the largest integer of the database")
	errTooEarly = errors.New("is not in the years from 0 to 9999, but before")
	errTooLate  = errors.New("is not in the years from 0 to 9999")
)

func bindUnsigned(v reflect.Value) (any, error) {
	n := v.Uint()
	if n > math.MaxInt64 {
		return nil, errTooLarge
	}
	return int64(n), nil
}

func bindTime(v reflect.Value) (any, error) {
	at, _ := reflect.TypeAssert[time.Time](v)
	return at.UTC().Truncate(time.Microsecond), nil
}

// timeLayout has one width, so that texts are in the order of times from year 0 to 9999.
const timeLayout = "2006-01-02T15:04:05.000000Z"

func bindTextTime(v reflect.Value) (any, error) {
	at, _ := reflect.TypeAssert[time.Time](v)
	at = at.UTC()
	switch year := at.Year(); {
	case year < 0:
		return nil, errTooEarly
	case year > 9999:
		return nil, errTooLate
	}
	return at.Format(timeLayout), nil
}

func readTextTime(text []byte, into reflect.Value) error {
	at, err := time.Parse(timeLayout, string(text))
	if err == nil {
		into.Set(reflect.ValueOf(at))
	}
	return err
}

func bindText(v reflect.Value) (any, error) {
	if !v.CanAddr() {
		made := reflect.New(v.Type())
		made.Elem().Set(v)
		v = made.Elem()
	}
	switch own := v.Addr().Interface().(type) {
	case encoding.TextMarshaler:
		text, err := own.MarshalText()
		return string(text), err
	case encoding.TextAppender:
		text, err := own.AppendText(nil)
		return string(text), err
	}
	return nil, errors.New("does not marshal itself as text")
}

func readText(text []byte, into reflect.Value) error {
	own, ok := reflect.TypeAssert[encoding.TextUnmarshaler](into.Addr())
	if !ok {
		return errors.New("does not read itself from text")
	}
	return own.UnmarshalText(text)
}

func bindJSON(v reflect.Value) (any, error) {
	text, err := json.Marshal(v.Interface(), json.Deterministic(true))
	return string(text), err
}

func readJSON(text []byte, into reflect.Value) error {
	return json.Unmarshal(text, into.Addr().Interface())
}
