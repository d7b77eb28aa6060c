package sqlstore

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// columnType is the type of a column.
type columnType int

// These are the types of columns.
const (
	boolean columnType = iota + 1
	integer
	float
	text
	blob
	instant
	day      // a date
	decimal  // a decimal number with a fixed number of digits
	document // JSON
	words    // of a full-text search
)

// encodingOf describes how values of one Go type are stored in a column.
type encodingOf struct {
	typ    columnType
	bind   func(v reflect.Value) (any, error) // v is not a pointer
	reader func() columnReader                // for values of the declared type, including the pointer; nil if drivers read into the field directly
	exact  bool                               // a normalized value is read as it was written
	null   bool                               // some values are null, although the type is not a pointer
}

// scalars has the encodings of the kinds that drivers read into the field directly.
var scalars = map[model.Kind]encodingOf{
	model.Bool:   {typ: boolean, exact: true, bind: func(v reflect.Value) (any, error) { return v.Bool(), nil }},
	model.Int:    {typ: integer, exact: true, bind: func(v reflect.Value) (any, error) { return v.Int(), nil }},
	model.Uint:   {typ: integer, exact: true, bind: bindUnsigned},
	model.Float:  {typ: float, exact: true, bind: func(v reflect.Value) (any, error) { return v.Float() + 0, nil }}, // -0 + 0 is 0
	model.String: {typ: text, exact: true, bind: func(v reflect.Value) (any, error) { return v.String(), nil }},
}

// encoder chooses how a table stores values.
type encoder struct {
	facts *BaseDialect
	// nilIsNull reports that columns are null for nil bytes, and for zero values of types that marshal themselves as
	// JSON, so that these values are read as they were.
	nilIsNull bool
}

// encode returns how values of a type are stored.
func (e encoder) encode(t *model.Type) encodingOf {
	if t.Digits != nil || t.IsDate() {
		return e.encodeExact(t)
	}
	if own, ok := encodeValuer(t, e.facts.TextTimes); ok {
		return own
	}
	if scalar, ok := scalars[t.Kind]; ok {
		return scalar
	}
	switch t.Kind {
	case model.Bytes:
		return encodingOf{typ: blob, bind: e.bindBytes, reader: func() columnReader { return &blobReader{} }, exact: true, null: e.nilIsNull}
	case model.Time:
		if e.facts.TextTimes {
			return encodingOf{typ: instant, bind: bindTextTime, reader: readingText(t, readTextTime), exact: true}
		}
		return encodingOf{typ: instant, bind: bindTime, reader: func() columnReader { return utcReader{} }, exact: true}
	case model.Text:
		return encodeText(t)
	}
	return encodeDocument(t, e.nilIsNull)
}

// These are the errors of values in a query that no column can hold.
var (
	errTooLarge = errors.New("is larger than the largest integer of the database")
	errTooSmall = errors.New("is smaller than the smallest number of the column")
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

// timeOf returns a time as columns store it, or an error if they cannot.
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

// timeLayout has a fixed width, so that the strings sort by time from year 0 to 9999.
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

// bindBytes returns null for nil, which differs from empty bytes.
func (e encoder) bindBytes(v reflect.Value) (any, error) {
	if e.nilIsNull && v.IsNil() {
		return nil, nil //nolint:nilnil // null is a value
	}
	return append([]byte{}, v.Bytes()...), nil
}

func bindText(v reflect.Value) (any, error) {
	text, err := model.MarshalText(v)
	return string(text), err
}

// encodeText stores the text that a type marshals itself as. A type may be unable to unmarshal the text of its zero
// value.
func encodeText(t *model.Type) encodingOf {
	zero, err := bindText(reflect.Zero(t.Base()))
	read := func(text []byte, into reflect.Value) error {
		if err == nil && string(text) == zero {
			return nil // the reader has set it to zero
		}
		return model.UnmarshalText(into, text)
	}
	return encodingOf{typ: text, bind: bindText, reader: readingText(t, read)}
}

// encodeExact stores a date or a decimal number as its text, in a column of that type if the database has one.
func (e encoder) encodeExact(t *model.Type) encodingOf {
	encoding := encodeText(t)
	switch {
	case t.IsDate():
		encoding.exact = true
		if e.facts.Date != "" {
			encoding.typ = day
		}
	case e.facts.Decimal != "":
		encoding.typ = decimal
	}
	return encoding
}

// hasKey reports whether values of a type are compared by a key in a column of its own.
func (e encoder) hasKey(t *model.Type) bool {
	return t.HasOrderKey() && (t.Digits == nil || e.facts.Decimal == "")
}

// encodeDocument stores a value as JSON. A type that marshals itself as JSON may be unable to read its zero value, or
// to distinguish it from null, so its zero value is stored as null.
func encodeDocument(t *model.Type, nilIsNull bool) encodingOf {
	stored := codec.CompileStored(t)
	own := nilIsNull && t.Kind == model.Custom
	bind := func(v reflect.Value) (any, error) {
		if own && v.IsZero() && !t.Nullable {
			return nil, nil //nolint:nilnil // null is a value
		}
		text, err := stored.Append(nil, v)
		return string(text), err
	}
	read := func(text []byte, into reflect.Value) error {
		isNull := t.Kind == model.Object && !t.Nullable && string(text) == "null"
		if len(text) == 0 || isNull { // the default of a column that newer programs do not use
			return nil
		}
		return stored.Read(text, into)
	}
	return encodingOf{typ: document, bind: bind, reader: readingText(t, read), exact: isStoredExactly(t), null: own}
}

// isStoredExactly reports whether values of a type, stored as JSON, are read as they were written. That is unknown for
// types that marshal themselves, and for free JSON, which the database may normalize.
func isStoredExactly(t *model.Type) bool {
	isText := func(part *model.Field) bool { return part.Type.Kind == model.Text }
	for within := range t.Within() {
		if slices.Contains([]model.Kind{model.Text, model.Custom, model.Any}, within.Kind) || slices.ContainsFunc(within.Parts, isText) {
			return false
		}
		if within.Struct != nil && within.Struct.Others { // a value with only these set would become zero
			return false
		}
	}
	return true
}

// isText reports whether databases can store a string.
func isText(value any) bool {
	text, ok := value.(string)
	return !ok || utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// same reports whether two values of a column are equal.
func same(a, b any) bool {
	switch a := a.(type) {
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	}
	return a == b
}

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

// nullable returns a reader of values of a type that can be null, and the pointer that it sets.
func (e encoder) nullable(t *model.Type) (columnReader, reflect.Value) {
	pointer := *t
	pointer.Go, pointer.Nullable = reflect.PointerTo(t.Base()), true
	return e.encode(&pointer).newReader(), reflect.New(pointer.Go).Elem()
}

// directReader lets the driver scan into the field itself.
type directReader struct{}

func (directReader) dest(field reflect.Value) any { return field.Addr().Interface() }
func (directReader) done(reflect.Value) error     { return nil }

// utcReader is a directReader for times, which drivers return in any zone.
type utcReader struct{ directReader }

func (utcReader) done(field reflect.Value) error {
	if field = reflect.Indirect(field); !field.IsValid() {
		return nil
	}
	at, _ := reflect.TypeAssert[time.Time](field)
	if !codec.IsWritable(at) {
		return errTooLate
	}
	field.Set(reflect.ValueOf(at.UTC()))
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

// encodeValuer returns the encoding of a type that converts itself with the methods of database/sql, and reports
// whether it does: a type of the user's, or one like sql.Null, whose JSON is not a plain value.
func encodeValuer(t *model.Type, textTimes bool) (encodingOf, bool) {
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
		own.bind, own.reader = bindTimeValuer, readingText(t, scanTextTime)
	}
	return own, true
}

// validOf returns a value that is not null for a type like sql.Null. For other types it returns the zero value.
func validOf(base reflect.Type) reflect.Value {
	value := reflect.New(base).Elem()
	if base.Kind() == reflect.Struct {
		if valid := value.FieldByName("Valid"); valid.IsValid() && valid.Kind() == reflect.Bool && valid.CanSet() {
			valid.SetBool(true)
		}
	}
	return value
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
	valuer, _ := reflect.TypeAssert[driver.Valuer](v)
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

// scanTextTime passes a time that is stored as text to a type with a Scan method.
func scanTextTime(text []byte, into reflect.Value) error {
	own, _ := reflect.TypeAssert[sql.Scanner](into.Addr())
	at, err := time.Parse(timeLayout, string(text))
	if err != nil {
		return own.Scan(string(text))
	}
	return own.Scan(at)
}
