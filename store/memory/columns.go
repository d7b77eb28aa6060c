package memory

import (
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// columns are the fields that queries can name, by name.
type columns struct {
	byName map[string]*column
	trees  []*column // those in whose order there is a tree; the identifier's is the first
}

// columnsOf finds the columns of a struct: trees are for the identifier, and for fields
// tagged sort.
func columnsOf(s *model.Struct) columns {
	found := columns{byName: map[string]*column{}}
	paths := s.Paths()
	for _, path := range paths {
		c := &column{path: path, tree: noTree}
		found.byName[path.Name] = c
		if path.Leaf() == s.ID && len(path.Fields) == 1 {
			found.trees = append([]*column{c}, found.trees...)
		} else if path.Leaf().Sort {
			found.trees = append(found.trees, c)
		}
	}
	for i, c := range found.trees {
		c.tree = i
	}
	return found
}

// find returns the column of that name.
func (c columns) find(name string) (*column, error) {
	found := c.byName[name]
	if found == nil {
		return nil, fmt.Errorf("store/memory: a query names %q, which is no field", name)
	}
	return found, nil
}

// places returns a record's values in the order of the trees.
func (c columns) places(record any) ([]ordered, error) {
	v := reflect.ValueOf(record).Elem()
	places := make([]ordered, len(c.trees))
	for i, column := range c.trees {
		var err error
		if places[i], err = column.of(v); err != nil {
			return nil, err
		}
	}
	return places, nil
}
