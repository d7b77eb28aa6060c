package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// columnReader reads one column, row after row.
type columnReader interface {
	// dest returns the destination for the driver's Scan.
	dest(field reflect.Value) any
	// done sets the field after the row was scanned.
	done(field reflect.Value) error
}

// newReader returns a reader of a column.
func (e encodingOf) newReader() columnReader {
	if e.reader == nil {
		return directReader{}
	}
	return e.reader()
}

// directReader lets the driver scan into the field itself.
type directReader struct{}

func (directReader) dest(field reflect.Value) any { return field.Addr().Interface() }
func (directReader) done(reflect.Value) error     { return nil }

// utcReader is a directReader for times, which drivers return in any zone.
type utcReader struct{ directReader }

func (utcReader) done(field reflect.Value) error {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		field = field.Elem()
	}
	at, ok := reflect.TypeAssert[time.Time](field)
	switch {
	case !ok:
	case !codec.IsWritable(at):
		return errTooLate
	default:
		field.Set(reflect.ValueOf(at.UTC()))
	}
	return nil
}

// blobReader reads bytes. Not every driver distinguishes empty bytes from null when it scans into a []byte.
type blobReader struct{ value any }

func (c *blobReader) dest(reflect.Value) any {
	c.value = nil
	return &c.value
}

func (c *blobReader) done(field reflect.Value) error {
	field.SetZero()
	if c.value == nil {
		return nil
	}
	bytes, ok := c.value.([]byte)
	if !ok {
		return fmt.Errorf("has a %T, not bytes", c.value)
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	if bytes == nil {
		bytes = []byte{}
	}
	field.SetBytes(bytes)
	return nil
}

// bytesReader reads values that are stored as text.
type bytesReader struct {
	nullable bool
	text     []byte // nil for null
	read     func(text []byte, into reflect.Value) error
}

// readingText returns a constructor of readers for a type that is stored as text.
func readingText(t *model.Type, read func(text []byte, into reflect.Value) error) func() columnReader {
	return func() columnReader { return &bytesReader{nullable: t.Nullable, read: read} }
}

func (c *bytesReader) dest(reflect.Value) any {
	c.text = nil
	return &c.text
}

func (c *bytesReader) done(field reflect.Value) error {
	field.SetZero() // JSON is merged into an existing value
	switch {
	case c.text == nil:
		return nil
	case c.nullable:
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	return c.read(c.text, field)
}

// ownForm returns the encoding of a type that converts itself with the methods of database/sql, and reports whether it
// does: a type of the user's, or one like sql.Null, whose JSON is not a plain value.
func ownForm(t *model.Type, textTimes bool) (encodingOf, bool) {
	base := t.Base()
	if base == reflect.TypeFor[time.Time]() ||
		!base.Implements(reflect.TypeFor[driver.Valuer]()) || !reflect.PointerTo(base).Implements(reflect.TypeFor[sql.Scanner]()) {
		return encodingOf{}, false
	}
	own := encodingOf{bind: bindValuer}
	value, err := valueOf(reflect.Zero(base))
	if err == nil && value == nil {
		own.null = true
		value, _ = valueOf(validOf(base))
	}
	own.typ = typeOf(value)
	if own.typ == instant && textTimes {
		own.bind, own.reader = bindTimeValuer, func() columnReader { return &timeReader{} }
	}
	return own, true
}

// validOf returns a value that is not null for a type like sql.Null. For other types it returns the zero value.
func validOf(base reflect.Type) reflect.Value {
	made := reflect.New(base).Elem()
	if base.Kind() == reflect.Struct {
		if valid := made.FieldByName("Valid"); valid.IsValid() && valid.Kind() == reflect.Bool && valid.CanSet() {
			valid.SetBool(true)
		}
	}
	return made
}

// typeOf returns the type of the column for the result of a Value method.
func typeOf(value driver.Value) columnType {
	switch value.(type) {
	case bool:
		return boolean
	case int64:
		return integer
	case float64:
		return float
	case []byte:
		return blob
	case time.Time:
		return instant
	}
	return text
}

// valueOf calls a value's Value method. It recovers panics, because some types do not support it when they are zero.
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
	if value, err = valuer.Value(); err != nil {
		return nil, err
	}
	return driver.DefaultParameterConverter.ConvertValue(value)
}

func bindValuer(v reflect.Value) (any, error) { return valueOf(v) }

// bindTimeValuer is for a database that stores times as text.
func bindTimeValuer(v reflect.Value) (any, error) {
	value, err := valueOf(v)
	if at, ok := value.(time.Time); ok && err == nil {
		return bindTextTime(reflect.ValueOf(at))
	}
	return value, err
}

// timeReader reads a time that is stored as text into a type with a Scan method.
type timeReader struct{ text sql.NullString }

func (c *timeReader) dest(reflect.Value) any {
	c.text = sql.NullString{}
	return &c.text
}

func (c *timeReader) done(field reflect.Value) error {
	if field.Kind() == reflect.Pointer {
		if !c.text.Valid {
			field.SetZero()
			return nil
		}
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	own, ok := reflect.TypeAssert[sql.Scanner](field.Addr())
	switch {
	case !ok:
		return errors.New("has no Scan method")
	case !c.text.Valid:
		return own.Scan(nil)
	}
	at, err := time.Parse(timeLayout, c.text.String)
	if err != nil {
		return own.Scan(c.text.String)
	}
	return own.Scan(at)
}
