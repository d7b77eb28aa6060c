package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// ownForm returns how a type is kept that reads and writes itself, and whether it is one: a
// type of the user's, or a sql.Null, with the methods of database/sql that JSON does not
// write as a plain value.
func ownForm(t *model.Type, dialect Dialect) (encodingOf, bool) {
	base := t.Base()
	if base == reflect.TypeFor[time.Time]() ||
		!base.Implements(reflect.TypeFor[driver.Valuer]()) || !reflect.PointerTo(base).Implements(reflect.TypeFor[sql.Scanner]()) {
		return encodingOf{}, false
	}
	own := encodingOf{typ: text, bind: bindValuer, reader: func() columnReader { return directReader{} }}
	value, err := valueOf(reflect.Zero(base))
	if err == nil && value == nil {
		own.null = true
		value, _ = valueOf(validOf(base))
	}
	own.typ = typeOf(value)
	if own.typ == instant && dialect.TextTimes {
		own.bind, own.reader = bindTimeValuer, func() columnReader { return &timeReader{} }
	}
	return own, true
}

// validOf returns a value of a type like those of sql.Null that is not null; of another
// type, the zero value.
func validOf(base reflect.Type) reflect.Value {
	made := reflect.New(base).Elem()
	if base.Kind() == reflect.Struct {
		if valid := made.FieldByName("Valid"); valid.IsValid() && valid.Kind() == reflect.Bool && valid.CanSet() {
			valid.SetBool(true)
		}
	}
	return made
}

// typeOf returns the type of column for what a Value method returned.
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

// valueOf asks a value for its own form, one of those that drivers take. Some types do not
// expect to be asked when they are zero.
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

// bindTimeValuer is for a database that keeps times as text.
func bindTimeValuer(v reflect.Value) (any, error) {
	value, err := valueOf(v)
	if at, ok := value.(time.Time); ok && err == nil {
		return bindTextTime(reflect.ValueOf(at))
	}
	return value, err
}

// timeReader reads a time that is kept as text into a type that scans itself.
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
		return errors.New("does not scan itself")
	case !c.text.Valid:
		return own.Scan(nil)
	}
	at, err := time.Parse(timeLayout, c.text.String)
	if err != nil {
		return own.Scan(c.text.String)
	}
	return own.Scan(at)
}
