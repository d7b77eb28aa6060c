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

// column is one column of a table: of a field of the struct, or one that the store fills in for queries.
type column struct {
	encodingOf

	name, quoted string
	path         model.Path // the field whose value it has
	field        *model.Field
	nullable     bool
	unique       bool
	indexed      bool // has an index for conditions
	sorted       bool // has an index for orders, and for what refers to one record
	folded       bool // has the text of the field as store.Fold writes it
	keyed        bool // has the order key of the field
	shadow       bool // is no field of the struct
	lists        bool // has lists whose elements queries can find

	parts []*column  // of a key of several parts, of which this is one; nil for all others
	list  *listTable // that has the elements of the field; nil for what is in the table itself
}

// column makes a column for a field, or for a part of one.
func (p *plan) column(name string, path model.Path, f *model.Field, encoding encodingOf) *column {
	return &column{encodingOf: encoding, name: name, quoted: p.dialect.Quote(name), path: path, field: f, lists: f.Type.ListsKeys()}
}

// valueIn returns what a record has for the column; v is the struct without its pointer.
func (c *column) valueIn(v reflect.Value) (any, error) {
	field, ok := c.path.Value(v)
	if !ok {
		return nil, nil //nolint:nilnil // null is a value
	}
	value, err := c.bind(field)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %s %w", c.path.Name, err)
	}
	return value, nil
}

// whole lists the columns that have the value of the column's field: itself, but for a key of several parts.
func (c *column) whole() []*column {
	if c.parts != nil {
		return c.parts
	}
	return []*column{c}
}

// isFirst reports whether the column stands for its field: all do but the later parts of a key.
func (c *column) isFirst() bool { return c.parts == nil || c.parts[0] == c }

// isKeyText reports whether the column has texts that are in a key or an index.
func (c *column) isKeyText() bool {
	return c.typ == text && (c.unique || c.indexed || c.sorted || c.parts != nil)
}

// shadowSeparator stands between the parts of the name of a column that is no field.
const shadowSeparator = "__"

// shadowsOf lists the columns that queries need besides those of the fields: one for what
// is within an object, one for text that is looked into in any case.
func (p *plan) shadowsOf(path model.Path) []*column {
	leaf := path.Leaf()
	asked, hasKey := leaf.Filters != nil || leaf.Sort || leaf.Search, leaf.Type.HasOrderKey()
	if !asked && (!hasKey || len(path.Fields) > 1) {
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
	if hasKey { // one text more would be in order, so that it has the indexes of the field
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

// comparesValues reports whether an index helps with the filters of a field as it is, or its tag asks for one. A long
// text that is only looked into must not be in one, and a list cannot be.
func comparesValues(f *model.Field) bool {
	return f.Indexed || f.Type.Kind != model.List && hasFilter(f, "exact", "range", "exists")
}

// looksInto reports whether clients can look into the text of a field.
func looksInto(f *model.Field) bool {
	return f.Type.Kind == model.String && (f.Search || hasFilter(f, "iexact", "partial", "start", "end", "word_start"))
}

// hasFilter reports whether a field has one of some filters.
func hasFilter(f *model.Field, filters ...string) bool {
	return slices.ContainsFunc(filters, func(filter string) bool { return slices.Contains(f.Filters, filter) })
}

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
	reader func() columnReader                // for values of the declared type, the pointer included; nil for what drivers read into the field itself
	exact  bool                               // what is written is read, once it is normalized
	null   bool                               // has values that are null, though it is no pointer
}

// scalars are the encodings of the kinds that drivers read into the field itself.
var scalars = map[model.Kind]encodingOf{
	model.Bool:   {typ: boolean, exact: true, bind: func(v reflect.Value) (any, error) { return v.Bool(), nil }},
	model.Int:    {typ: integer, exact: true, bind: func(v reflect.Value) (any, error) { return v.Int(), nil }},
	model.Uint:   {typ: integer, exact: true, bind: bindUnsigned},
	model.Float:  {typ: float, exact: true, bind: func(v reflect.Value) (any, error) { return v.Float() + 0, nil }}, // -0 + 0 is 0
	model.String: {typ: text, exact: true, bind: func(v reflect.Value) (any, error) { return v.String(), nil }},
}

// encode finds how values of a type are kept in the table.
func (p *plan) encode(t *model.Type) encodingOf {
	if own, ok := ownForm(t, p.dialect.facts.TextTimes); ok {
		return own
	}
	if scalar, ok := scalars[t.Kind]; ok {
		return scalar
	}
	switch t.Kind {
	case model.Bytes:
		return encodingOf{typ: blob, bind: p.bindBytes, reader: func() columnReader { return &blobReader{} }, exact: true, null: p.tellsNil}
	case model.Time:
		if p.dialect.facts.TextTimes {
			return encodingOf{typ: instant, bind: bindTextTime, reader: readingText(t, readTextTime), exact: true}
		}
		return encodingOf{typ: instant, bind: bindTime, reader: func() columnReader { return utcReader{} }, exact: true}
	case model.Text:
		return encodeText(t)
	}
	return encodeDocument(t, p.tellsNil)
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

func bindText(v reflect.Value) (any, error) {
	text, err := model.MarshalText(v)
	return string(text), err
}

// encodeText keeps the text that a type marshals itself as. A type need not read the text of its zero value.
func encodeText(t *model.Type) encodingOf {
	zero, err := bindText(reflect.Zero(t.Base()))
	read := func(text []byte, into reflect.Value) error {
		if err == nil && string(text) == zero {
			return nil // the reader has made it zero
		}
		return model.UnmarshalText(into, text)
	}
	return encodingOf{typ: text, bind: bindText, reader: readingText(t, read)}
}

// encodeDocument keeps a value as JSON. A type that writes JSON itself need not read what it
// writes of its zero value, nor tell null from it: that one is null in the column.
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
	return encodingOf{typ: document, bind: bind, reader: readingText(t, kept.Read), exact: isKeptExactly(t), null: own}
}

// isKeptExactly reports whether values of a type, kept as JSON, are read as they were written. The types that have a
// form of their own say themselves what they make of it, and so does the database of free JSON.
func isKeptExactly(t *model.Type) bool {
	isText := func(part *model.Field) bool { return part.Type.Kind == model.Text }
	for within := range t.Within() {
		if slices.Contains([]model.Kind{model.Text, model.Custom, model.Any}, within.Kind) || slices.ContainsFunc(within.Parts, isText) {
			return false
		}
		if within.Struct != nil && within.Struct.Others { // a value that differs from zero in them alone would become zero
			return false
		}
	}
	return true
}

// isText reports whether databases can hold a text.
func isText(value any) bool {
	held, ok := value.(string)
	return !ok || utf8.ValidString(held) && !strings.ContainsRune(held, 0)
}

// given returns a value of a query as the column has it. What the column cannot hold is equal to none that it does.
func (c *column) given(value any) any {
	held, err := c.bind(reflect.ValueOf(value))
	if err != nil {
		return nil
	}
	return held
}

// same reports whether two values of a column are one.
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
