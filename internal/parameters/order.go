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

// position is a field that records can be sorted by. That includes fields without a tag: the identifier, and those
// of the declared order.
type position struct {
	path   model.Path
	scalar *codec.Scalar // for its values in cursors
}

// value returns the value of the field in a record, nil for null. The field must be of the record itself.
func (p position) value(record reflect.Value) any {
	v, ok := p.path.Value(record)
	if !ok {
		return nil
	}
	return v.Interface()
}

// addOrder adds sort and order[…] for the fields tagged sort, and the default order of the collection.
func (s *Set) addOrder(record *model.Struct, byDefault []string) error {
	s.fields, s.sorts = map[string]*position{}, map[string]store.Order{}
	for _, name := range s.id {
		id, _ := record.Path(name)
		s.positionOf(id)
	}
	var names []string
	var orders []*Parameter
	for _, path := range s.queryable(record) {
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

// positionOf adds a field that orders may have. Cursors write its values with its scalar.
func (s *Set) positionOf(path model.Path) {
	s.fields[path.Name] = &position{path, codec.CompileScalar(path.Leaf().Type, nil)}
}

// orderByDefault reads the declared order. It may have fields that are not tagged sort. Cursors reveal their
// values, so a view must not omit them.
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
	for _, path := range s.queryable(record) {
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
			errs = append(errs, fmt.Errorf("Order has %q, which the view %s leaves out although links to pages reveal its values; allowed: %s",
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

// total makes an order total: it removes fields that cannot matter and ends with the identifier, in the direction
// of the field before it, so that one index serves both.
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
		if o.Through == "" && slices.Contains(s.id, o.Field) { // not a field of the same name in a referenced record
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

// readSort reads an order by several fields. It takes precedence over order[…]; a request with both is valid.
func readSort(r *reading, _ *Parameter, text string) error {
	for name := range strings.SplitSeq(text, ",") {
		r.sort = append(r.sort, r.set.sorts[name])
	}
	return nil
}

// readOrder adds one field to an order. The query determines the sequence.
func readOrder(r *reading, p *Parameter, text string) error {
	// Capitals too, as in API Platform and SQL.
	isDescending := text == "desc" || text == "DESC"
	if !isDescending && text != "asc" && text != "ASC" {
		return errors.New("must be asc or desc")
	}
	r.order = append(r.order, orderBy(p.Path, isDescending))
	return nil
}

// queryable returns the fields that clients can query: those of the record that responses show, and those of
// referenced records that the word through lists. A view that omits the reference may still embed some of these.
func (s *Set) queryable(record *model.Struct) (paths []model.Path) {
	for _, path := range record.Paths() {
		isShown := s.shows(path)
		if isShown {
			paths = append(paths, path)
		}
		f := path.Leaf()
		if len(path.Fields) > 1 || f.Reference == nil || f.Reference.Target == nil {
			continue
		}
		for _, name := range f.Reference.Through { // because indexes cannot serve arbitrary chains
			behind, ok := f.Reference.Target.Path(name)
			if ok && (isShown || slices.Contains(s.embeds, f.Name+"."+behind.Fields[0].Name)) {
				paths = append(paths, model.Path{Name: f.Name + "." + name, Fields: append([]*model.Field{f}, behind.Fields...)})
			}
		}
	}
	return paths
}

// cut splits a path into the reference that it goes through, "" for none, and the rest.
func cut(path model.Path) (through string, rest model.Path) {
	if first := path.Fields[0]; len(path.Fields) > 1 && first.Reference != nil {
		return first.Name, model.Path{Name: path.Name[len(first.Name)+1:], Fields: path.Fields[1:]}
	}
	return "", path
}

// throughList reports whether a path goes through a list of references, which cannot be sorted by.
func throughList(path model.Path) bool {
	return len(path.Fields) > 1 && path.Fields[0].Reference != nil && path.Fields[0].Reference.Many
}

// orderBy returns the order by a field.
func orderBy(path model.Path, descending bool) store.Order {
	through, rest := cut(path)
	return store.Order{Field: rest.Name, Through: through, Descending: descending}
}

// conditionsOn returns the conditions of a query on the records themselves, or on those that a field refers to. One
// record must match all of them.
func conditionsOn(query *store.Query, through string) *[]store.Condition {
	if through == "" {
		return &query.Where
	}
	// One condition for each reference, regardless of the order of parameters: a single referenced record must match
	// everything.
	at := slices.IndexFunc(query.Where, func(c store.Condition) bool { return c.Through == through })
	if at < 0 {
		at = len(query.Where)
		query.Where = append(query.Where, store.Condition{Through: through, Any: make([][]store.Condition, 1)})
	}
	return &query.Where[at].Any[0]
}

// Through lists the names of the references that queries can go through.
func (s *Set) Through() []string {
	// From the query, so that the default order counts too, which has no parameter.
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
