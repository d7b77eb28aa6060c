package sqlstore

import (
	"errors"
	"math"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/codec"
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
	bind   func(v reflect.Value) (any, error) // v is not a pointer
	reader func() columnReader                // for values of the declared type, the pointer included
	exact  bool                               // what is written is read, once it is normalized
	null   bool                               // has values that are null, though it is no pointer
}

// encode finds how values of a type are kept in the table.
func (p *plan) encode(t *model.Type) encodingOf {
	dialect := p.dialect
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
		return direct(float, func(v reflect.Value) (any, error) { return v.Float() + 0, nil }) // -0 + 0 is 0
	case model.String:
		return direct(text, func(v reflect.Value) (any, error) { return v.String(), nil })
	case model.Bytes:
		return encodingOf{typ: blob, bind: p.bindBytes, reader: func() columnReader { return &blobReader{} }, exact: true, null: p.tellsNil}
	case model.Time:
		return encodeTime(t, dialect)
	case model.Text:
		return encodeText(t)
	}
	return encodeDocument(t, p.tellsNil)
}

// direct is the encoding of what drivers read into the field itself.
func direct(typ columnType, bind func(v reflect.Value) (any, error)) encodingOf {
	return encodingOf{typ: typ, bind: bind, reader: func() columnReader { return directReader{} }, exact: true}
}

func encodeTime(t *model.Type, dialect Dialect) encodingOf {
	kept := encodingOf{typ: instant, bind: bindTime, reader: func() columnReader { return utcReader{} }, exact: true}
	if dialect.TextTimes {
		kept.bind, kept.reader = bindTextTime, func() columnReader { return &bytesReader{nullable: t.Nullable, read: readTextTime} }
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

// timeOf returns a time as columns have it, or why none does.
func timeOf(v reflect.Value) (time.Time, error) {
	at, _ := reflect.TypeAssert[time.Time](v)
	at = at.UTC().Truncate(time.Microsecond)
	switch year := at.Year(); {
	case year < 0:
		return at, errTooEarly
	case year > 9999:
		return at, errTooLate
	}
	return at, nil
}

func bindTime(v reflect.Value) (any, error) { return timeOf(v) }

// timeLayout has one width, so that texts are in the order of times from year 0 to 9999.
const timeLayout = "2006-01-02T15:04:05.000000Z"

func bindTextTime(v reflect.Value) (any, error) {
	at, err := timeOf(v)
	return at.Format(timeLayout), err
}

func readTextTime(text []byte, into reflect.Value) error {
	at, err := time.Parse(timeLayout, string(text))
	if err == nil {
		into.Set(reflect.ValueOf(at))
	}
	return err
}

// bindBytes gives null for nil, which is another value than no bytes.
func (p *plan) bindBytes(v reflect.Value) (any, error) {
	if p.tellsNil && v.IsNil() {
		return nil, nil //nolint:nilnil // null is a value
	}
	return append([]byte{}, v.Bytes()...), nil
}

// encodeText keeps the text that a type marshals itself as. A type need not read the text of
// its zero value.
func encodeText(t *model.Type) encodingOf {
	zero, err := bindText(reflect.Zero(t.Base()))
	read := func(text []byte, into reflect.Value) error {
		if err == nil && string(text) == zero {
			return nil // the reader has made it zero
		}
		return model.UnmarshalText(into, text)
	}
	return encodingOf{typ: text, bind: bindText, reader: func() columnReader { return &bytesReader{nullable: t.Nullable, read: read} }}
}

// encodeDocument keeps a value as JSON. A type that writes JSON itself need not read what it
// writes of its zero value, nor tell null from it: that one is null in the column.
func encodeDocument(t *model.Type, tellsNil bool) encodingOf {
	kept := codec.CompileKept(t)
	own := tellsNil && t.Kind == model.Custom
	bind := func(v reflect.Value) (any, error) {
		if own && v.IsZero() && !t.Nullable {
			return nil, nil //nolint:nilnil // null is a value
		}
		text, err := kept.Append(nil, v)
		return string(text), err
	}
	return encodingOf{
		typ: document, bind: bind, exact: isKeptExactly(t, map[*model.Struct]bool{}), null: own,
		reader: func() columnReader { return &bytesReader{nullable: t.Nullable, read: kept.Read} },
	}
}

func bindText(v reflect.Value) (any, error) { return model.TextOf(v) }
