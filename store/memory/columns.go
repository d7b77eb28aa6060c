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
	path  model.Path
	way   way
	kind  kind // nil for types without an order
	given kind // of a value of the field's type by itself, as queries have them
	tree  int  // the number of the tree that is in its order; none has noTree
	place int  // the number of its value among those that rows keep; notKept for none
	index int  // the number of its index; none has noIndex
	folds int  // that of its index of folded text
}

const (
	noTree  = -1
	notKept = -1
	noIndex = -1
)

// columns are the fields that queries can name, by name.
type columns struct {
	byName  map[string]*column
	trees   []*column // those in whose order there is a tree; the identifier's is the first
	kept    []kept    // the values that rows keep, the identifier first
	indexes []int     // for each index, which of the kept values it is of
	uniques []*column // the identifier left out
}

// kept is a value of a record that its row keeps.
type kept struct {
	column *column
	folded bool
}

// columnsOf finds the columns of a struct: trees are for the identifier, and for fields
// tagged sort; indexes for those that are filtered by what they are equal to.
func columnsOf(s *model.Struct) columns {
	found := columns{byName: map[string]*column{}}
	for _, path := range s.Paths() {
		c := newColumn(s.Go, path)
		found.byName[path.Name] = c
		if path.Leaf() == s.ID && len(path.Fields) == 1 {
			found.trees = append([]*column{c}, found.trees...)
		} else if path.Leaf().Sort && c.ordered() {
			found.trees = append(found.trees, c)
		}
	}
	for _, f := range s.Fields {
		if !f.Readable() { // no client can ask for it, but a hook can
			found.byName[f.Name] = newColumn(s.Go, model.Path{Name: f.Name, Fields: []*model.Field{f}})
		}
	}
	for i, c := range found.trees {
		c.tree = i
		found = found.keeping(c)
	}
	for _, path := range s.Paths() {
		found = found.withIndexes(found.byName[path.Name])
	}
	for _, f := range s.Fields {
		if c := found.byName[f.Name]; !f.Readable() && f.Unique && c.ordered() {
			found = found.withIndex(c)
		}
	}
	return found
}

func newColumn(record reflect.Type, path model.Path) *column {
	c := &column{path: path, way: wayTo(record, path), tree: noTree, place: notKept, index: noIndex, folds: noIndex}
	if t := path.Leaf().Type; t.Ordered() {
		c.kind, c.given = kindOf(t, c.way), kindOf(t, way{found: c.way.found})
	}
	return c
}

// withIndexes returns the columns with the indexes that a column's filters ask for.
func (c columns) withIndexes(of *column) columns {
	leaf := of.path.Leaf()
	if slices.Contains(leaf.Filters, "exact") && of.ordered() {
		c = c.withIndex(of)
	}
	if slices.Contains(leaf.Filters, "iexact") && leaf.Type.Kind == model.String && of.ordered() {
		of.folds = len(c.indexes)
		c.indexes = append(c.indexes, len(c.kept))
		c.kept = append(c.kept, kept{of, true})
	}
	return c
}

// withIndex returns the columns with an index of what a column is equal to.
func (c columns) withIndex(of *column) columns {
	c = c.keeping(of)
	of.index = len(c.indexes)
	c.indexes = append(c.indexes, of.place)
	return c
}

// keeping returns the columns with one more whose values rows keep.
func (c columns) keeping(of *column) columns {
	if of.place == notKept {
		of.place = len(c.kept)
		c.kept = append(c.kept, kept{of, false})
	}
	return c
}

// find returns the column of that name.
func (c columns) find(name string) (*column, error) {
	found := c.byName[name]
	if found == nil {
		return nil, fmt.Errorf("store/memory: a query names %q, which is no field", name)
	}
	return found, nil
}

// newRow makes the row of a record.
func (c columns) newRow(record instance) (*row, error) {
	r := newRow(record, len(c.kept))
	for i := range c.kept {
		value, err := c.kept[i].of(record)
		if err != nil {
			return nil, err
		}
		*r.value(i) = value
	}
	return r, nil
}

// ordered reports whether the column's values have an order.
func (c *column) ordered() bool { return c.kind != nil && c.given != nil }

// of returns the column's value in a record.
func (c *column) of(record instance) (ordered, error) {
	found, err := c.kind.ordered(record)
	if err != nil {
		return ordered{}, fmt.Errorf("store/memory: %s: %w", c.path.Name, err)
	}
	return found, nil
}

// value returns a value that a query has for the field: nil is null.
func (c *column) value(given any) (ordered, error) {
	if given == nil {
		return ordered{}, nil
	}
	if want, got := c.path.Leaf().Type.Base(), reflect.TypeOf(given); got != want {
		return ordered{}, fmt.Errorf("store/memory: a value for %s is of the type %s, not %s", c.path.Name, want, got)
	}
	if found, ok := orderedPlain(given); ok {
		return found, nil
	}
	found, err := c.given.ordered(copyOf(given))
	if err != nil {
		return ordered{}, fmt.Errorf("store/memory: %s: %w", c.path.Name, err)
	}
	return found, nil
}

// of returns the value that the row of a record keeps.
func (k *kept) of(record instance) (ordered, error) {
	found, err := k.column.of(record)
	if k.folded {
		found.text = store.Fold(found.text)
	}
	return found, err
}
