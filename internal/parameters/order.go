package parameters

import (
	"errors"
	"fmt"
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
	s.fields = map[string]*position{}
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
		through, _ := cut(path)
		orders = append(orders, &Parameter{Kind: Order, Name: "order[" + path.Name + "]", Path: path, Through: through, read: readOrder})
	}
	if names != nil {
		s.add(&Parameter{Kind: Sort, Name: "sort", Allowed: names, read: readSort})
		s.List = append(s.List, orders...)
	}
	return s.orderByDefault(record, byDefault)
}

// positionOf notes a field that orders may have. Its scalar is made for cursors, which hold
// its values as JSON.
func (s *Set) positionOf(path model.Path) {
	s.fields[path.Name] = &position{path, codec.CompileScalar(path.Leaf().Type)}
}

// orderByDefault reads the order that was declared. It may name fields that are not tagged
// sort: what a collection is ordered by is not what clients may order it by. But cursors tell
// its values, so that a view has them.
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

// orderOf reads "name" or "-name", of a field that orders may have.
// The name has been checked against those that are allowed.
func (s *Set) orderOf(text string) store.Order {
	name, descending := strings.CutPrefix(text, "-")
	return orderBy(s.fields[name].path, descending)
}

// total makes an order of all records of one: it drops what comes too late to matter, and
// ends with the identifier, in the direction of the field before it, so that one index
// serves both.
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
		if s.isID(o) {
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

// isID reports whether an order is by a field of the identifier.
// What a reference goes through to may be called like a field of the record.
func (s *Set) isID(o store.Order) bool { return o.Through == "" && slices.Contains(s.id, o.Field) }

// readSort reads an order of several fields. It counts before those of order[…], each of
// which says one field: whoever sends both is never refused, and the document says which.
func readSort(r *reading, p *Parameter, text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(p.Allowed, name) {
			return errors.New("must be a list, with commas, of: " + strings.Join(p.Allowed, ", "))
		}
		r.sort = append(r.sort, r.set.orderOf(name))
	}
	return nil
}

// readOrder adds one field to an order, in the order in which the query has them.
func readOrder(r *reading, p *Parameter, text string) error {
	if text != "asc" && text != "desc" {
		return errors.New("must be asc or desc")
	}
	r.order = append(r.order, orderBy(p.Path, text == "desc"))
	return nil
}
