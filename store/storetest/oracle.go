package storetest

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// oracle is the reference implementation of queries: it tries all records, and sorts them all. It compares values with
// package filter, whose tests say what each operator must find.
type oracle struct {
	record  *model.Struct
	id      *filter.Field
	fields  []field
	records []any // pointers to structs
	byID    map[filter.Value]any
	through map[string]*oracle // of the records that a field references
}

func oracleOf[R any](records []*R) *oracle {
	record, _ := model.Compile(reflect.TypeFor[R]()) // tests of all structs show that it succeeds
	b := &oracle{record: record, id: filter.Identifier(record), fields: fieldsOf(record), byID: map[filter.Value]any{}, through: map[string]*oracle{}}
	for _, each := range records {
		id, _ := b.id.Of(reflect.ValueOf(each).Elem()) // integers, strings and UUIDs always have a value
		b.records, b.byID[id] = append(b.records, each), each
	}
	return b
}

// Field returns a field of the records.
func (b *oracle) Field(name string) (*filter.Field, error) { return filter.FieldOf(b.record, name) }

// Identifier returns the fields of the records' identifier.
func (b *oracle) Identifier() model.Identifier { return b.record.Identifier() }

// Through compiles a condition on the records that a reference leads to.
func (b *oracle) Through(c *store.Condition) (filter.Match, error) {
	other, reach, err := b.Reach(c.Through)
	if err != nil {
		return nil, err
	}
	return filter.Behind(other, c, reach)
}

// Reach returns the reference implementation for the records that a reference leads to, and how they are found. It tries
// all records to go back.
func (b *oracle) Reach(name string) (filter.Sortable, filter.Reach, error) {
	other := b.through[name]
	if _, field, back := strings.Cut(name, "."); back {
		reference, err := other.Field(field)
		return other, func(_ context.Context, record reflect.Value) (found []any, _ error) {
			id, err := b.id.Of(record)
			for _, each := range other.records {
				keys, failed := reference.All(reflect.ValueOf(each).Elem(), nil)
				if err = cmp.Or(err, failed); slices.Contains(keys, id) {
					found = append(found, each)
				}
			}
			return found, err
		}, err
	}
	reference, err := b.Field(name)
	return other, func(_ context.Context, record reflect.Value) (found []any, err error) {
		keys, err := reference.All(record, nil)
		for _, key := range keys {
			if target := other.byID[key]; target != nil {
				found = append(found, target)
			}
		}
		return found, err
	}, err
}

// orders returns what the records can be sorted by: their own fields, and those of a record that they reference.
func (b *oracle) orders() (all []store.Order) {
	for _, f := range b.fields {
		if f.sorted {
			all = append(all, store.Order{Field: f.name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.through)) {
		if path, ok := b.record.Path(name); ok && path.Leaf().Type.Kind != model.List {
			for _, f := range b.through[name].fields {
				if f.sorted {
					all = append(all, store.Order{Field: f.name, Through: name})
				}
			}
		}
	}
	return all
}

// value returns the value of a field as queries have it: nil for null, and a []any for a list.
func (b *oracle) value(record any, name string) any {
	path, _ := b.record.Path(name)
	v, ok := path.Value(reflect.ValueOf(record).Elem())
	if !ok {
		return nil
	}
	t := path.Leaf().Type
	if t.Kind != model.List {
		return t.KeyIn(v)
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = t.Elem.KeyIn(v.Index(i))
	}
	return list
}

// result is what a query must return.
type result struct {
	records   []any
	positions [][]any
	total     int
}

// matching returns the records for which conditions hold.
func (b *oracle) matching(where []store.Condition) (found []any, err error) {
	match, err := filter.Compile(b, where)
	if err != nil || match == nil {
		return b.records, err
	}
	for _, record := range b.records {
		matches, err := match(context.Background(), reflect.ValueOf(record).Elem())
		if err != nil {
			return nil, err
		}
		if matches {
			found = append(found, record)
		}
	}
	return found, nil
}

// evaluate returns the records that match a query, and their positions.
func (b *oracle) evaluate(query store.Query) (found result, err error) {
	records, err := b.matching(query.Where)
	if err != nil {
		return found, err
	}
	order, err := filter.CompileOrder(b, b.id, query.Order)
	if err != nil {
		return found, err
	}
	type entry struct {
		record any
		values []filter.Value
	}
	var all []entry
	for _, record := range records {
		values, err := order.Values(context.Background(), reflect.ValueOf(record).Elem(), nil)
		if err != nil {
			return found, err
		}
		all = append(all, entry{record, values})
	}
	slices.SortFunc(all, func(x, y entry) int { return order.Compare(x.values, y.values) })
	if query.Count {
		found.total = len(all)
	}
	if query.After != nil {
		after, err := order.After(query.After)
		if err != nil {
			return found, err
		}
		all = slices.DeleteFunc(all, func(e entry) bool { return order.Compare(e.values, after) <= 0 })
	}
	all = all[min(query.Offset, len(all)):]
	if query.Limit > 0 {
		all = all[:min(query.Limit, len(all))]
	}
	for _, e := range all {
		position, err := order.Position(context.Background(), reflect.ValueOf(e.record).Elem())
		if err != nil {
			return found, err
		}
		found.records, found.positions = append(found.records, e.record), append(found.positions, position)
	}
	return found, nil
}

// position returns the position of a record in a sort order without references.
func (b *oracle) position(record any, order []store.Order) []any {
	position := make([]any, len(order))
	for i, o := range order {
		position[i] = b.value(record, o.Field)
	}
	return position
}

// matches compares the store's result of a query with that of the reference implementation, and reports whether they
// are equal. The caller stops at the first difference.
func (c *trial[R]) matches(b *oracle, query store.Query) bool {
	c.Helper()
	if c.rejects(query) {
		return true
	}
	found, err := b.evaluate(query)
	if err != nil {
		c.Fatalf("the reference implementation does not support %+v: %v", query, err)
	}
	want := make([]*R, len(found.records))
	for i, record := range found.records {
		want[i] = record.(*R)
	}
	got, err := c.store.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return false
	}
	if got, want := c.idsOf(got.Items), c.idsOf(want); !slices.Equal(got, want) {
		c.Errorf("List of %+v: identifiers (-want +got):\n%s", query, gocmp.Diff(want, got))
		return false
	}
	isRight := got.Total == found.total
	if most := query.CountUpTo; most > 0 && found.total > most {
		isRight = got.Total > most
	}
	if !isRight && (query.Count || c.supportsAll) {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, found.total)
		return false
	}
	if slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		if diff := gocmp.Diff(found.positions, got.Positions, differences, roundsTimes); diff != "" {
			c.Errorf("List of %+v: positions (-want +got):\n%s", query, diff)
			return false
		}
	}
	c.same("List", want, got.Items)
	return true
}

// rejects reports whether the store does not support a query and its CheckQuery reports so.
func (c *trial[R]) rejects(query store.Query) bool {
	if hasGroups(query) && !supportsGroups(c.store) {
		return true
	}
	checker, ok := c.store.(untyped.QueryChecker)
	if !ok {
		return false
	}
	query.Where, query.Order = withoutValues(query.Where), slices.Clone(query.Order)
	for i := range query.Order {
		query.Order[i].NullUnless = withoutValues(query.Order[i].NullUnless)
	}
	err := checker.CheckQuery(query)
	if err != nil && c.supportsAll {
		c.Errorf("CheckQuery of %+v: %v", query, err)
	}
	return err != nil
}

// withoutValues returns conditions as resource.New passes them to CheckQuery.
func withoutValues(conditions []store.Condition) []store.Condition {
	conditions = slices.Clone(conditions)
	for i := range conditions {
		conditions[i].Values = nil
		conditions[i].Any = slices.Clone(conditions[i].Any)
		for n, list := range conditions[i].Any {
			conditions[i].Any[n] = withoutValues(list)
		}
	}
	return conditions
}

// supportsGroups reports whether a store supports groups.
func supportsGroups(s any) bool {
	grouper, ok := s.(store.Grouper)
	return ok && grouper.Groups()
}

// hasGroups reports whether a query requires a [store.Grouper].
func hasGroups(query store.Query) bool {
	return slices.ContainsFunc(query.Where, func(c store.Condition) bool { return c.Any != nil || c.Not }) ||
		slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.NullUnless != nil })
}
