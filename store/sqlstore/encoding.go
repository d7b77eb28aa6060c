package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"errors"
	"fmt"
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
	typ  columnType
	bind func(v reflect.Value) (any, error) // v is not a pointer
	cell func() cell                        // for values of the declared type, the pointer included
}

// encode finds how values of a type are kept in the dialect.
func encode(t *model.Type, dialect Dialect) encodingOf {
	base := t.Base()
	if typ, ok := ownForm(t); ok && base != reflect.TypeFor[time.Time]() {
		return encodingOf{typ, bindValuer, func() cell { return directCell{} }}
	}
	switch t.Kind {
	case model.Bool:
		return direct(boolean, func(v reflect.Value) (any, error) { return v.Bool(), nil })
	case model.Int:
		return direct(integer, func(v reflect.Value) (any, error) { return v.Int(), nil })
	case model.Uint:
		return direct(integer, bindUnsigned)
	case model.Float:
		return direct(float, func(v reflect.Value) (any, error) { return v.Float(), nil })
	case model.String:
		return direct(text, func(v reflect.Value) (any, error) { return v.String(), nil })
	case model.Bytes:
		return direct(blob, func(v reflect.Value) (any, error) { return append([]byte{}, v.Bytes()...), nil })
	case model.Time:
		if dialect.TextTimes {
			return encodingOf{instant, bindTextTime, func() cell { return &bytesCell{nullable: t.Nullable, read: readTextTime} }}
		}
		return encodingOf{instant, bindTime, func() cell { return utcCell{} }}
	case model.Text:
		return encodingOf{text, bindText, func() cell { return &bytesCell{nullable: t.Nullable, read: readText} }}
	}
	return encodingOf{document, bindJSON, func() cell { return &bytesCell{nullable: t.Nullable, read: readJSON} }}
}

// direct is the encoding of what drivers read into the field itself.
func direct(typ columnType, bind func(v reflect.Value) (any, error)) encodingOf {
	return encodingOf{typ, bind, func() cell { return directCell{} }}
}

// ownForm returns the column type of a type that reads and writes itself, and whether it
// is one: a type of the user's with the methods of database/sql that JSON does not write
// as a plain value.
func ownForm(t *model.Type) (columnType, bool) {
	base := t.Base()
	if !base.Implements(reflect.TypeFor[driver.Valuer]()) || !reflect.PointerTo(base).Implements(reflect.TypeFor[sql.Scanner]()) {
		return 0, false
	}
	value, err := valueOf(reflect.Zero(base))
	if err != nil {
		return text, true
	}
	switch value.(type) {
	case bool:
		return boolean, true
	case int64:
		return integer, true
	case float64:
		return float, true
	case []byte:
		return blob, true
	case time.Time:
		return instant, true
	}
	return text, true
}

// valueOf asks a value for its own form. Some types do not expect to be asked when they
// are zero.
func valueOf(v reflect.Value) (value driver.Value, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("its Value method panicked: %v", cause)
		}
	}()
	valuer, ok := reflect.TypeAssert[driver.Valuer](v)
	if !ok {
		return nil, errors.New("it has no Value method")
	}
	return valuer.Value()
}

func bindValuer(v reflect.Value) (any, error) { return valueOf(v) }

func bindUnsigned(v reflect.Value) (any, error) {
	n := v.Uint()
	if n > math.MaxInt64 {
		return nil, errors.New("is larger than the largest integer of the database")
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
	if year := at.Year(); year < 0 || year > 9999 {
		return nil, errors.New("is not in the years from 0 to 9999")
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
