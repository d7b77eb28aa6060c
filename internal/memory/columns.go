package memory

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// column is a field that records are sorted or compared by.
type column struct {
	name   string
	field  *model.Field
	path   []*model.Field // from the record, or from a list's element, to the field
	read   reader         // nil for types without an order
	tree   int            // the number of the tree in its order, and of its value in rows; noTree if it has none
	unique bool           // no two records have the same value, except null
	// elements reads an element of a list that can be filtered; nil for other columns. Its tree has a row for each
	// different element of a record: see [row.entry].
	elements reader
	// folded is the column of the same strings folded, which has its own tree; or nil.
	folded *column
	parts  []*column // the columns of a composite identifier, or of a reference to one; nil for other columns
}

const noTree = -1

// columns are the fields that queries can name.
type columns struct {
	byName  map[string]*column
	trees   []*column // the columns with a tree; the identifier's is first
	uniques []*column // the unique columns
	links   *links    // references to other stores
	within  *joint    // the transaction whose view of a table has the columns; nil for saved tables
}

// columnsOf returns the columns of a struct. The identifier has a tree, as do fields that are sorted, unique, or
// filtered by equality.
func columnsOf(s *model.Struct) columns {
	c := columns{byName: map[string]*column{}}
	paths := s.Paths()
	for _, f := range s.Fields {
		if !f.Readable() { // clients cannot filter by it, but hooks can
			paths = append(paths, model.Path{Name: f.Name, Fields: []*model.Field{f}})
		}
	}
	for _, path := range paths {
		made := newColumn(path)
		c.byName[path.Name] = made
		if path.Leaf() == s.ID && len(path.Fields) == 1 && len(s.IDs) == 1 {
			// Clients identify records by the text of their identifier, so two values must not have the same text.
			made.unique = made.field.Type.Kind == model.Text
			c.plant(made)
		}
	}
	if id := s.Identifier(); id.IsComposite() {
		parts := make([]*column, len(s.IDs))
		for i, f := range s.IDs {
			parts[i] = c.byName[f.Name]
		}
		c.plant(keyColumn(id.Name(), parts))
	}
	for _, path := range paths {
		made := c.byName[path.Name]
		made.unique = made.unique || made.field.Unique && made.tree == noTree && len(path.Fields) == 1
		if made.elements != nil && made.field.Reference != nil && len(path.Fields) == 1 {
			c.plant(made)
		}
		c.plantAsTagged(made)
	}
	return c
}

func newColumn(path model.Path) *column {
	c := &column{name: path.Name, field: path.Leaf(), path: path.Fields, tree: noTree}
	switch of := c.field.Type; {
	case of.Kind == model.Key:
		c.parts = partsOf(path, of)
		c.read = c.readParts
	case of.ListsKeys() && of.Elem.Kind == model.Key:
		c.parts = partsOf(model.Path{Name: path.Name}, of.Elem)
		c.elements = c.readParts
	case of.ListsKeys():
		c.elements = readers[of.Elem.Kind]
	default:
		c.read = readers[of.Kind]
	}
	return c
}

// at returns the field of a record, and false if it is null.
func (c *column) at(record reflect.Value) (field reflect.Value, ok bool) {
	for _, f := range c.path {
		if record = f.Value(record); f.Type.Nullable {
			if record.IsNil() {
				return record, false
			}
			record = record.Elem()
		}
	}
	return record, true
}

// eachElement reads the elements of a record's list, until yield returns false.
func (c *column) eachElement(record any, yield func(element value) bool) error {
	list, ok := c.at(reflect.ValueOf(record).Elem())
	for i := 0; ok && i < list.Len(); i++ {
		found, err := c.elements(list.Index(i))
		if err != nil {
			return err
		}
		if !yield(found) {
			return nil
		}
	}
	return nil
}

// elementsOf returns the elements of a record's list.
func (c *column) elementsOf(record any) (all []value, err error) {
	err = c.eachElement(record, func(element value) bool {
		all = append(all, element)
		return true
	})
	return all, err
}

// plantAsTagged gives a column the trees that its tags require.
func (c *columns) plantAsTagged(of *column) {
	field := of.field
	isKey := field.Reference != nil || field.Indexed || slices.Contains(field.Filters, "exact")
	if of.read != nil && of.unique || of.ordered() && (field.Sort && field.Readable() || isKey) {
		c.plant(of)
	}
	if slices.Contains(field.Filters, "iexact") && field.Type.Kind == model.String && of.ordered() {
		folded := *of
		folded.unique, folded.tree = false, noTree
		folded.read = func(field reflect.Value) (value, error) { return ofText(store.Fold(field.String())), nil }
		of.folded = &folded
		c.plant(&folded)
	}
}

// plant gives a column a tree, unless it has one.
func (c *columns) plant(of *column) {
	if of.tree != noTree {
		return
	}
	of.tree = len(c.trees)
	c.trees = append(c.trees, of)
	if of.unique {
		c.uniques = append(c.uniques, of)
	}
}

// find returns the column with that name.
func (c *columns) find(name string) (*column, error) {
	found := c.byName[name]
	if found == nil {
		return nil, fmt.Errorf("store/memory: a query has the unknown field %q", name)
	}
	return found, nil
}

// newRow returns the row of a record.
func (c *columns) newRow(record any) (*row, error) {
	r := &row{record: record}
	if more := len(c.trees) - len(r.first); more > 0 {
		r.more = make([]value, more)
	}
	for i, column := range c.trees {
		if column.elements != nil {
			if _, err := column.elementsOf(record); err != nil {
				return nil, fmt.Errorf("store/memory: %s: %w", column.name, err)
			}
			continue
		}
		found, err := column.readFrom(record)
		if err != nil {
			return nil, err
		}
		*r.value(i) = found
	}
	return r, nil
}

// ordered reports whether the column's values have an order.
func (c *column) ordered() bool { return c.read != nil && c.field.Type.Ordered() }

// of returns the column's value in a row's record.
func (c *column) of(r *row) (value, error) {
	if c.tree != noTree {
		return *r.value(c.tree), nil
	}
	return c.readFrom(r.record)
}

// readFrom returns the column's value in a record.
func (c *column) readFrom(record any) (value, error) { return c.readIn(reflect.ValueOf(record).Elem()) }

func (c *column) readIn(record reflect.Value) (value, error) {
	field, ok := c.at(record)
	if !ok {
		return value{}, nil
	}
	found, err := c.read(field)
	if err != nil {
		return value{}, fmt.Errorf("store/memory: %s: %w", c.name, err)
	}
	return found, nil
}

// value converts a value of a query for the field; nil is null.
func (c *column) value(given any) (value, error) {
	if given == nil {
		return value{}, nil
	}
	of := c.field.Type
	if c.elements != nil {
		of = of.Elem
	}
	if key, ok := given.(store.Key); ok && of.Kind == model.Key && of.AcceptsKey(key) {
		return c.position(key[:len(c.parts)])
	}
	want := of.Base()
	if of.Kind == model.Key {
		want = reflect.TypeFor[store.Key]()
	}
	if got := reflect.TypeOf(given); got != want || of.Kind == model.Key {
		return value{}, fmt.Errorf("store/memory: a value for %s must be of type %s, not %s", c.name, want, got)
	}
	read := c.read
	if c.elements != nil {
		read = c.elements
	}
	switch given := given.(type) { // avoids the copy that a reader needs
	case string:
		return ofText(given), nil
	case int:
		return ofInt(int64(given)), nil
	case int64:
		return ofInt(given), nil
	case bool:
		return ofBool(given), nil
	}
	copied := reflect.New(want).Elem()
	copied.Set(reflect.ValueOf(given))
	found, err := read(copied)
	if err != nil {
		return value{}, fmt.Errorf("store/memory: %s: %w", c.name, err)
	}
	return found, nil
}

// value is a field's value in a form that is compared in the order of store.Order. Equal values are ==. The zero value
// is null.
type value struct {
	text    string
	integer int64 // booleans, integers, bits of floats, seconds of times, prefix of strings
	nano    int32
	present bool
}

func (a *value) compare(b *value) int {
	switch {
	case a.present != b.present:
		if a.present {
			return 1
		}
		return -1
	case a.integer != b.integer:
		return cmp.Compare(a.integer, b.integer)
	case a.nano != b.nano:
		return cmp.Compare(a.nano, b.nano)
	}
	return strings.Compare(a.text, b.text)
}

func ofText(v string) value {
	return value{present: true, text: v, integer: prefix(v)}
}

// prefix returns the first eight bytes of a string as a number with the same order. Most strings differ in these, so
// comparing them needs no access to the string.
func prefix(text string) int64 {
	if len(text) >= 8 {
		return int64(binary.BigEndian.Uint64([]byte(text[:8])) ^ 1<<63) //nolint:gosec // keeps all bits
	}
	var first [8]byte
	copy(first[:], text)
	return int64(binary.BigEndian.Uint64(first[:]) ^ 1<<63) //nolint:gosec // keeps all bits
}

func ofBool(v bool) value {
	if v {
		return value{present: true, integer: 1}
	}
	return value{present: true}
}

func ofInt(v int64) value { return value{present: true, integer: v} }

// ofUint flips the sign bit, which keeps the order of unsigned integers.
func ofUint(v uint64) value {
	return value{present: true, integer: int64(v ^ 1<<63)} //nolint:gosec // keeps all bits
}

// ofFloat returns the bits of a float; for a negative one, all except the sign are inverted. NaN comes before all
// numbers, and both zeros are equal.
func ofFloat(f float64) value {
	if f != f { // NaN
		return value{present: true, integer: math.MinInt64}
	}
	bits := int64(math.Float64bits(f)) //nolint:gosec // keeps all bits
	switch {
	case f == 0:
		bits = 0
	case bits < 0:
		bits ^= math.MaxInt64
	}
	return value{present: true, integer: bits}
}

// ofTime returns a time with the microseconds that records have, so that clients find a record by the value they sent.
func ofTime(t time.Time) value {
	nano := t.Nanosecond()
	return value{present: true, integer: t.Unix(), nano: int32(nano - nano%1000)} //nolint:gosec // less than 1e9
}

// reader reads the value of a field that is not null.
type reader func(field reflect.Value) (value, error)

// readers are the readers of kinds whose values have an order or a simple equality. Fields are addressable, so they are
// read without a copy.
var readers = map[model.Kind]reader{
	model.Bool:   func(field reflect.Value) (value, error) { return ofBool(field.Bool()), nil },
	model.Int:    func(field reflect.Value) (value, error) { return ofInt(field.Int()), nil },
	model.Uint:   func(field reflect.Value) (value, error) { return ofUint(field.Uint()), nil },
	model.Float:  func(field reflect.Value) (value, error) { return ofFloat(field.Float()), nil },
	model.String: func(field reflect.Value) (value, error) { return ofText(field.String()), nil },
	model.Time: func(field reflect.Value) (value, error) {
		t := field.Addr().Interface().(*time.Time)
		return ofTime(*t), nil
	},
	model.Bytes: func(field reflect.Value) (value, error) {
		if field.IsNil() { // null, as in a database
			return value{}, nil
		}
		return ofText(string(field.Bytes())), nil
	},
	model.Text: func(field reflect.Value) (value, error) {
		text, err := model.OrderTextOf(field)
		return ofText(text), err
	},
}
