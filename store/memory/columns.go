package memory

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// column is a field that records are ordered by or compared in.
type column struct {
	name   string
	field  *model.Field
	way    way
	read   reader // nil for types without an order
	given  reader // of a value of the field's type by itself, as queries have them
	tree   int    // the number of the tree in its order, and of its value in rows; noTree for none
	unique bool   // no two records share a value, null apart
	// elements reads the elements of a list that queries look into; nil for what is none. Its tree
	// has a row for each different element of a record: see [row.entry].
	elements *elements
	// folded is the column of the same text folded, which has a tree of its own; nil for none.
	folded *column
	parts  []*column // those that make the identifier together, or a reference to such records; nil for other columns
}

const noTree = -1

// columns are the fields that queries can name, by name.
type columns struct {
	byName  map[string]*column
	trees   []*column // those that have a tree; the identifier's is the first
	uniques []*column // of trees
	links   *links    // of the store, to other ones
}

// columnsOf finds the columns of a struct: trees are for the identifier, and for fields that
// are sorted, unique, or filtered by what they are equal to.
func columnsOf(s *model.Struct) columns {
	c := columns{byName: map[string]*column{}}
	paths := s.Paths()
	for _, f := range s.Fields {
		if !f.Readable() { // no client can ask for it, but a hook can
			paths = append(paths, model.Path{Name: f.Name, Fields: []*model.Field{f}})
		}
	}
	for _, path := range paths {
		made := newColumn(s.Go, path)
		c.byName[path.Name] = made
		if path.Leaf() == s.ID && len(path.Fields) == 1 && len(s.IDs) == 1 {
			// Clients name records by the text of their identifier: two values of one text
			// would be two records of one name.
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

func newColumn(record reflect.Type, path model.Path) *column {
	c := &column{name: path.Name, field: path.Leaf(), way: wayTo(record, path), tree: noTree}
	c.read = readerOf(c.field.Type, c.way)
	switch {
	case c.field.Type.Kind == model.Key:
		c.refer(record, path)
	case c.field.Type.Ordered():
		c.given = readerOf(c.field.Type, way{found: c.way.found})
	case c.field.Type.ListsKeys():
		elem := c.field.Type.Elem
		c.given = readerOf(elem, way{found: elem.Go})
		if elem.Kind == model.Key {
			c.parts = partsOf(elem.Go, model.Path{Name: path.Name}, elem)
			c.given = c.readParts
		}
		c.elements = &elements{way: c.way, size: elem.Go.Size(), read: c.given}
	}
	return c
}

// plantAsTagged gives a column the trees that its tags ask for.
func (c *columns) plantAsTagged(of *column) {
	field := of.field
	isKey := field.Reference != nil || field.Indexed || slices.Contains(field.Filters, "exact")
	if of.read != nil && of.unique || of.ordered() && (field.Sort && field.Readable() || isKey) {
		c.plant(of)
	}
	if slices.Contains(field.Filters, "iexact") && field.Type.Kind == model.String && of.ordered() {
		folded := *of
		folded.unique, folded.tree = false, noTree
		folded.read = func(in instance) (value, error) {
			found, err := of.read(in)
			if err != nil || !found.present {
				return value{}, err
			}
			return ofText(store.Fold(found.text)), nil
		}
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

// find returns the column of that name.
func (c *columns) find(name string) (*column, error) {
	found := c.byName[name]
	if found == nil {
		return nil, fmt.Errorf("store/memory: a query names %q, which is no field", name)
	}
	return found, nil
}

// newRow makes the row of a record.
func (c *columns) newRow(record instance) (*row, error) {
	r := &row{record: record}
	if more := len(c.trees) - len(r.first); more > 0 {
		r.more = make([]value, more)
	}
	for i, column := range c.trees {
		if column.elements != nil {
			if _, err := column.elements.of(record); err != nil {
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
func (c *column) ordered() bool { return c.read != nil && c.given != nil }

// of returns the column's value in the record of a row.
func (c *column) of(r *row) (value, error) {
	if c.tree != noTree {
		return *r.value(c.tree), nil
	}
	return c.readFrom(r.record)
}

func (c *column) readFrom(record instance) (value, error) {
	found, err := c.read(record)
	if err != nil {
		return value{}, fmt.Errorf("store/memory: %s: %w", c.name, err)
	}
	return found, nil
}

// value returns a value that a query has for the field: nil is null.
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
		return value{}, fmt.Errorf("store/memory: a value for %s is of the type %s, not %s", c.name, want, got)
	}
	switch given := given.(type) { // without the copy that a reader needs
	case string:
		return ofText(given), nil
	case int:
		return ofInt(given), nil
	case int64:
		return ofInt(given), nil
	case bool:
		return ofBool(given), nil
	}
	found, err := c.given(copyOf(given))
	if err != nil {
		return value{}, fmt.Errorf("store/memory: %s: %w", c.name, err)
	}
	return found, nil
}
