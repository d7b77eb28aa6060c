package sqlstore

import (
	"bytes"
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
	"github.com/trove-api/trove/store"
)

// column is one column of a table: that of a field, or one that the store fills in for queries.
type column struct {
	encodingOf

	name, quoted string
	read         string                  // the expression that reads it
	write        func(sql string) string // the expression that converts a value for it; nil if none is needed
	path         model.Path              // the field whose value it stores
	field        *model.Field
	limit        limit
	nullable     bool
	unique       bool
	indexed      bool // has an index for conditions
	sorted       bool // has an index for sorting, or for a reference to one record
	folded       bool // stores the field's string, folded by store.Fold
	keyed        bool // stores the order key of the field
	shadow       bool // does not store a field of the struct
	lists        bool // stores lists that can be filtered

	parts []*column  // all columns of a composite key, including this one; nil for other columns
	list  *listTable // the table of the list's elements; nil if the field is in the table itself
}

// column returns a column for a field, or for a part of one.
func (p *planner) column(name string, path model.Path, f *model.Field, encoding encodingOf) *column {
	quoted := p.dialect.Quote(name)
	return &column{encodingOf: encoding, name: name, quoted: quoted, read: quoted, path: path, field: f, lists: f.Type.ListsKeys()}
}

// valueIn returns the record's value for the column; v is the struct without its pointer.
func (c *column) valueIn(v reflect.Value) (any, error) {
	field, ok := c.path.Value(v)
	if !ok {
		return nil, nil //nolint:nilnil // null is a value
	}
	value, err := c.bind(field)
	if exceeded := c.exceeds(value, err); exceeded != nil {
		return nil, exceeded
	}
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
	}
	return value, nil
}

// written returns the expression that writes an argument to the column.
func (c *column) written(argument string) string {
	if c.write == nil {
		return argument
	}
	return c.write(argument)
}

// allParts returns the columns that store the column's field: itself, except for a composite key.
func (c *column) allParts() []*column {
	if c.parts != nil {
		return c.parts
	}
	return []*column{c}
}

// isFirst reports whether the column represents its field. All do except the later columns of a composite key.
func (c *column) isFirst() bool { return c.parts == nil || c.parts[0] == c }

// isKeyText reports whether the column has strings that are in a key or an index.
func (c *column) isKeyText() bool {
	return c.typ == text && (c.unique || c.indexed || c.sorted || c.parts != nil)
}

// shadowSeparator joins the parts of the name of a column that does not store a field.
const shadowSeparator = "__"

// shadowsOf returns the columns that queries need in addition to those of the fields: one for each field within an
// object, and one for each string that is searched regardless of case.
func (p *planner) shadowsOf(path model.Path) []*column {
	leaf := path.Leaf()
	requested, hasKey := leaf.Filters != nil || leaf.Sort || leaf.Search, leaf.Type.HasOrderKey()
	if !requested && (!hasKey || len(path.Fields) > 1) {
		return nil
	}
	var shadows []*column
	add := func(name string, encoding encodingOf) *column {
		c := p.column(name, path, leaf, encoding)
		c.nullable, c.shadow = path.Nullable(), true
		shadows = append(shadows, c)
		return c
	}
	parts := []string{columnName(path.Fields[0])}
	for _, f := range path.Fields[1:] {
		parts = append(parts, snake(f.Name))
	}
	name := strings.Join(parts, shadowSeparator)
	if len(parts) > 1 {
		c := add(name, p.encode(leaf.Type))
		c.indexed, c.sorted = comparesValues(leaf) && !hasKey, leaf.Sort && !hasKey
	}
	if hasKey { // the column of the key has the field's indexes
		c := add(name+shadowSeparator+"order", encodingOf{typ: text, bind: func(v reflect.Value) (any, error) { return model.OrderTextOf(v) }})
		c.keyed, c.unique = true, leaf.Unique && len(parts) == 1
		c.indexed, c.sorted = comparesValues(leaf) && !leaf.Unique, leaf.Sort
	}
	if looksInto(leaf) {
		c := add(name+shadowSeparator+"folded", encodingOf{typ: text, bind: func(v reflect.Value) (any, error) { return store.Fold(v.String()), nil }})
		c.folded, c.indexed = true, hasFilter(leaf, "iexact", "start")
	}
	return shadows
}

// comparesValues reports whether an index helps with filters on the field's exact value, or its tag requests one. A
// long text that is only searched cannot be in one, nor can a list.
func comparesValues(f *model.Field) bool {
	return f.Indexed || f.Type.Kind != model.List && hasFilter(f, "exact", "range", "exists")
}

// looksInto reports whether clients can search within the field's string.
func looksInto(f *model.Field) bool {
	return f.Type.Kind == model.String && (f.Search || hasFilter(f, "iexact", "partial", "start", "end", "word_start"))
}

// hasFilter reports whether a field has one of the filters.
func hasFilter(f *model.Field, filters ...string) bool {
	return slices.ContainsFunc(filters, func(filter string) bool { return slices.Contains(f.Filters, filter) })
}

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
	document // JSON
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
	textTimes bool // times are stored as strings
	// nilIsNull reports that columns are null for nil bytes, and for zero values of types that marshal themselves as
	// JSON, so that these values are read as they were.
	nilIsNull bool
}

// encode returns how values of a type are stored.
func (e encoder) encode(t *model.Type) encodingOf {
	if own, ok := ownForm(t, e.textTimes); ok {
		return own
	}
	if scalar, ok := scalars[t.Kind]; ok {
		return scalar
	}
	switch t.Kind {
	case model.Bytes:
		return encodingOf{typ: blob, bind: e.bindBytes, reader: func() columnReader { return &blobReader{} }, exact: true, null: e.nilIsNull}
	case model.Time:
		if e.textTimes {
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

// encodeDocument stores a value as JSON. A type that marshals itself as JSON may be unable to read its zero value, or
// to distinguish it from null, so its zero value is stored as null.
func encodeDocument(t *model.Type, tellsNil bool) encodingOf {
	kept := codec.CompileStored(t)
	own := tellsNil && t.Kind == model.Custom
	bind := func(v reflect.Value) (any, error) {
		if own && v.IsZero() && !t.Nullable {
			return nil, nil //nolint:nilnil // null is a value
		}
		text, err := kept.Append(nil, v)
		return string(text), err
	}
	return encodingOf{typ: document, bind: bind, reader: readingText(t, kept.Read), exact: isStoredExactly(t), null: own}
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
	held, ok := value.(string)
	return !ok || utf8.ValidString(held) && !strings.ContainsRune(held, 0)
}

// given returns a value of a query in the form of the column. If the column cannot hold it, the result equals no stored
// value.
func (c *column) given(value any) any {
	held, err := c.bind(reflect.ValueOf(value))
	if err != nil {
		return nil
	}
	return held
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
