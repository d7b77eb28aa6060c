package sqlstore

import (
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/codec"
)

// columnReader reads one column of the rows of a query, row after row.
type columnReader interface {
	// dest returns what the driver reads the column into, for the field.
	dest(field reflect.Value) any
	// done completes the field when the row was read.
	done(field reflect.Value) error
}

// directReader lets the driver read into the field itself.
type directReader struct{}

func (directReader) dest(field reflect.Value) any { return field.Addr().Interface() }
func (directReader) done(reflect.Value) error     { return nil }

// utcReader is a directReader for times, which drivers give in any zone.
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

// blobReader reads bytes. Not every driver tells no bytes from null in a []byte.
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

// bytesReader reads text that is not the value itself.
type bytesReader struct {
	nullable bool
	text     []byte // nil for null
	read     func(text []byte, into reflect.Value) error
}

func (c *bytesReader) dest(reflect.Value) any {
	c.text = nil
	return &c.text
}

func (c *bytesReader) done(field reflect.Value) error {
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
