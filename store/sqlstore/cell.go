package sqlstore

import (
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/codec"
)

// cell reads one column of the rows of a query, row after row.
type cell interface {
	// dest returns what the driver reads the column into, for the field.
	dest(field reflect.Value) any
	// done completes the field when the row was read.
	done(field reflect.Value) error
}

// directCell lets the driver read into the field itself.
type directCell struct{}

func (directCell) dest(field reflect.Value) any { return field.Addr().Interface() }
func (directCell) done(reflect.Value) error     { return nil }

// utcCell is a directCell for times, which drivers give in any zone.
type utcCell struct{ directCell }

func (utcCell) done(field reflect.Value) error {
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

// blobCell reads bytes. Not every driver tells no bytes from null in a []byte.
type blobCell struct{ value any }

func (c *blobCell) dest(reflect.Value) any {
	c.value = nil
	return &c.value
}

func (c *blobCell) done(field reflect.Value) error {
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

// bytesCell reads text that is not the value itself.
type bytesCell struct {
	nullable bool
	text     []byte // nil for null
	read     func(text []byte, into reflect.Value) error
}

func (c *bytesCell) dest(reflect.Value) any {
	c.text = nil
	return &c.text
}

func (c *bytesCell) done(field reflect.Value) error {
	field.SetZero() // JSON is read into what is there
	switch {
	case c.text == nil:
		return nil
	case c.nullable:
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	return c.read(c.text, field)
}
