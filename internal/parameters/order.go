package parameters

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// position is a field that records can be ordered by.
// It can be ordered by though no tag says so: the identifier, and what the declared order names.
type position struct {
	path   model.Path
	scalar *codec.Scalar // of its values in cursors
}

// value returns the field in a record, nil for null. It is for a field of the record itself.
func (p position) value(record reflect.Value) any {
	v, ok := p.path.Value(record)
	if !ok {
		return nil
	}
	return v.Interface()
}

// addOrder adds sort and order[…] for the fields tagged sort, and the order of the
// collection where the client asks for none.
func (s *Set) addOrder(record *model.Struct, byDefault []string) error {
	s.fields, s.sorts = map[string]*position{}, map[string]store.Order{}
	for _, name := range s.id {
		id, _ := record.Path(name)
		s.positionOf(id)
	}
	var names []string
	var orders []*Parameter
	for path := range s.askable(record) {
		if !path.Leaf().Sort || throughList(path) {
			continue
		}
		s.positionOf(path)
		names = append(names, path.Name, "-"+path.Name)
		s.sorts[path.Name], s.sorts["-"+path.Name] = orderBy(path, false), orderBy(path, true)
		through, _ := cut(path)
		orders = append(orders, &Parameter{Kind: Order, Name: "order[" + path.Name + "]", Path: path, Through: through, read: readOrder})
	}
	if names != nil {
		s.add(&Parameter{Kind: Sort, Name: "sort", Allowed: names, read: readSort})
		s.List = append(s.List, orders...)
	}
	return s.orderByDefault(record, byDefault)
}

// positionOf notes a field that orders may have. Its scalar is made for cursors, which hold its values as JSON.
func (s *Set) positionOf(path model.Path) {
	s.fields[path.Name] = &position{path, codec.CompileScalar(path.Leaf().Type, nil)}
}

// orderByDefault reads the order that was declared. It may name fields that are not tagged sort: what a collection is
// ordered by is not what clients may order it by. But cursors tell its values, so that a view has them.
func (s *Set) orderByDefault(record *model.Struct, declared []string) error {
	if s.order = s.total(nil); len(declared) == 0 {
		return nil
	}
	var allowed []string
	paths := map[string]model.Path{}
	for _, path := range record.Paths() {
		if path.Leaf().Type.Sortable() && (slices.Contains(s.id, path.Name) || s.shows(path)) {
			allowed, paths[path.Name] = append(allowed, path.Name), path
		}
	}
	for path := range s.askable(record) {
		if through, _ := cut(path); through != "" && path.Leaf().Type.Sortable() && !throughList(path) {
			allowed, paths[path.Name] = append(allowed, path.Name), path
		}
	}
	var errs []error
	var found []store.Order
	for _, text := range declared {
		name, descending := strings.CutPrefix(text, "-")
		path, ok := paths[name]
		if known, is := record.Path(name); is && !ok && !s.shows(known) {
			errs = append(errs, fmt.Errorf("Order has %q, which the view %s leaves out, but the addresses of pages would tell; allowed: %s",
				text, s.shown.Title, strings.Join(allowed, ", ")))
			continue
		}
		if !ok {
			errs = append(errs, fmt.Errorf("Order has %q; allowed: %s, each with a - before it or not%s",
				text, strings.Join(allowed, ", "), naming.DidYouMean(name, allowed)))
			continue
		}
		s.positionOf(path)
		found = append(found, orderBy(path, descending))
	}
	s.order = s.total(found)
	return errors.Join(errs...)
}

// total makes an order total: it drops what comes too late to matter, and ends with the identifier, in the direction of the
// field before it, so that one index serves both.
func (s *Set) total(order []store.Order) []store.Order {
	total, descending, left := make([]store.Order, 0, len(order)+len(s.id)), false, len(s.id)
	has := func(o store.Order) bool {
		return slices.ContainsFunc(total, func(other store.Order) bool { return other.Field == o.Field && other.Through == o.Through })
	}
	for _, o := range order {
		if has(o) {
			continue
		}
		total, descending = append(total, o), o.Descending
		if o.Through == "" && slices.Contains(s.id, o.Field) { // and not a field of the same name behind a reference
			left--
		}
		if left == 0 {
			return total
		}
	}
	for _, id := range s.id {
		if by := (store.Order{Field: id, Descending: descending}); !has(by) {
			total = append(total, by)
		}
	}
	return total
}

// readSort reads an order of several fields. It takes precedence over order[…], each of which has one field: requests with
// both are never rejected, and the document says which one counts.
func readSort(r *reading, p *Parameter, text string) error {
	for name := range strings.SplitSeq(text, ",") {
		order, ok := r.set.sorts[name]
		if !ok {
			return errors.New("must be a comma-separated list of: " + strings.Join(p.Allowed, ", "))
		}
		r.sort = append(r.sort, order)
	}
	return nil
}

// readOrder adds one field to an order, in the order in which the query has them.
func readOrder(r *reading, p *Parameter, text string) error {
	// Clients of API Platform, and people who know SQL, write them in capitals.
	isDescending := text == "desc" || text == "DESC"
	if !isDescending && text != "asc" && text != "ASC" {
		return errors.New("must be asc or desc")
	}
	r.order = append(r.order, orderBy(p.Path, isDescending))
	return nil
}

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

// throughPaths lists the fields that a reference goes through to. Their paths begin with it. Only what the tag lists:
// to go on from record to record as clients like would make queries that no index serves.
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

// cut returns the path without the reference that it goes through, if it does, and the name of that, else "".
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
	// From what a store could be asked, so that an order by default counts, too, which no parameter names.
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
