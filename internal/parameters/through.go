package parameters

import (
	"iter"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// askable goes through the fields by which clients can ask for some records: those of the record, but
// for what answers leave out, which is told by no parameter either, and behind each reference those
// of the other record that it goes through to.
func (s *Set) askable(record *model.Struct) iter.Seq[model.Path] {
	return func(yield func(model.Path) bool) {
		for _, path := range record.Paths() {
			if !s.shows(path) {
				continue
			}
			if !yield(path) {
				return
			}
			if len(path.Fields) > 1 {
				continue
			}
			for _, other := range throughPaths(path.Leaf()) {
				if !yield(other) {
					return
				}
			}
		}
	}
}

// throughPaths lists the fields that a reference goes through to. Their paths begin with it.
// Only what the tag lists: to go on from record to record as clients like would make queries that
// no index serves.
func throughPaths(f *model.Field) []model.Path {
	if f.Reference == nil || f.Reference.Target == nil {
		return nil
	}
	var paths []model.Path
	for _, name := range f.Reference.Through {
		if path, ok := f.Reference.Target.Path(name); ok {
			paths = append(paths, model.Path{Name: f.Name + "." + name, Fields: append([]*model.Field{f}, path.Fields...)})
		}
	}
	return paths
}

// cut returns the path without the reference that it goes through, if it does, and the name of
// that, else "".
func cut(path model.Path) (through string, rest model.Path) {
	if first := path.Fields[0]; len(path.Fields) > 1 && first.Reference != nil {
		return first.Name, model.Path{Name: path.Name[len(first.Name)+1:], Fields: path.Fields[1:]}
	}
	return "", path
}

// throughList reports whether a path leads through a list of references, by which there is no order:
// one record refers to several.
func throughList(path model.Path) bool {
	return len(path.Fields) > 1 && path.Fields[0].Reference != nil && path.Fields[0].Reference.Many
}

// orderBy returns the order of a field.
func orderBy(path model.Path, descending bool) store.Order {
	through, rest := cut(path)
	return store.Order{Field: rest.Name, Through: through, Descending: descending}
}

// nameOf returns the name of what an order is by, as clients know it.
func nameOf(o store.Order) string {
	if o.Through == "" {
		return o.Field
	}
	return o.Through + "." + o.Field
}

// conditionsOn returns the conditions of a query on the records themselves, or on those that they
// refer to by a field: one record is to fulfil all of these.
func conditionsOn(query *store.Query, through string) *[]store.Condition {
	if through == "" {
		return &query.Where
	}
	// One condition for each reference, whatever the order of parameters: of several records that a
	// record refers to, one is to fulfil all that is asked.
	at := slices.IndexFunc(query.Where, func(c store.Condition) bool { return c.Through == through })
	if at < 0 {
		at = len(query.Where)
		query.Where = append(query.Where, store.Condition{Through: through, Any: make([][]store.Condition, 1)})
	}
	return &query.Where[at].Any[0]
}

// Through lists the references that clients can go through, by the names of their fields.
func (s *Set) Through() []string {
	// From what a store could be asked, so that an order by default counts, too, which no
	// parameter names.
	var names []string
	query := s.Query()
	for i := range query.Where {
		names = append(names, query.Where[i].Through)
	}
	for i := range query.Order {
		names = append(names, query.Order[i].Through)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}
