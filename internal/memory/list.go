package memory

import (
	"context"
	"math"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// list is the state of one query.
type list struct {
	view

	ctx   context.Context //nolint:containedctx // a list is one call
	query store.Query
	match filter.Match // nil if every row matches
	order *filter.Order
	after []filter.Value // the position after which the page begins; or nil
	from  *tree          // the rows that can match

	found  []any    // the records of the page, in order
	kept   []sorted // the rows that can be on the page, if they are sorted
	wanted int      // the number of rows to sort: those of the page and those before it
	isCut  bool     // rows were dropped; kept begins with the wanted ones, in order
	total  int      // the matching rows so far
	tried  int
	err    error // the error that ended it early
}

// list runs a query.
func (v view) list(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	query.Limit, query.Offset = max(query.Limit, 0), max(query.Offset, 0)
	query.Where = v.store.shape.record.Selected(query)
	l := list{view: v, ctx: ctx, query: query}
	if len(query.Where) > 0 {
		if l.match, err = filter.Compile(v, query.Where); err != nil {
			return page, err
		}
	}
	descending, isByIdentifier := l.isByIdentifier()
	if !isByIdentifier || query.After != nil {
		if l.order, err = filter.CompileOrder(v, v.store.shape.order, query.Order); err == nil && query.After != nil {
			l.after, err = l.order.After(query.After)
		}
		if err != nil {
			return page, err
		}
	}
	l.from = l.candidates()
	if isByIdentifier {
		l.walk(descending)
	} else {
		l.sort()
	}
	if l.err != nil {
		return page, l.err
	}
	if query.Count {
		page.Total = l.total
	}
	positions, err := l.positions()
	page.Items = compiled.ItemsOf(l.found, positions)
	return page, err
}

// candidates returns the rows that can match: those with a value in an index if a condition is the equality of the
// identifier or of a field with an index, else all.
func (l *list) candidates() *tree {
	shape := l.store.shape
	for i := range l.query.Where {
		c := &l.query.Where[i]
		if c.Operator != store.Equal || c.Not || c.Through != "" || c.Any != nil || len(c.Fields) != 1 {
			continue
		}
		index, isID := l.index(c.Fields[0]), shape.order.Name == c.Fields[0]
		if index < 0 && !isID {
			continue
		}
		found := &tree{}
		for _, given := range c.Values { // their types were checked when the condition was compiled
			if isID {
				id, _ := shape.order.Value(given)
				if r := l.rows.get(id); r != nil {
					found.set(r, 0)
				}
				continue
			}
			value, _ := shape.indexes[index].field.Value(given)
			for id := range l.indexes[index].with(value) {
				found.set(l.rows.get(id), 0)
			}
		}
		return found
	}
	return &l.rows
}

// index returns the number of the index of a field, -1 if it has none. Those of unique fields have living records alone.
func (l *list) index(name string) int {
	index := l.store.shape.index(name)
	if index >= 0 && l.query.Deleted != "" && l.store.shape.indexes[index].unique {
		return -1
	}
	return index
}

// isByIdentifier reports whether the rows are sorted by the identifier alone, and in which direction.
func (l *list) isByIdentifier() (descending, ok bool) {
	switch order := l.query.Order; {
	case len(order) == 0:
		return false, true
	case len(order) > 1, order[0].Field != l.store.shape.order.Name, order[0].Through != "", len(order[0].NullUnless) > 0:
		return false, false
	default:
		return order[0].Descending, true
	}
}

// walk reads the page in the order of the identifier.
func (l *list) walk(descending bool) {
	if l.query.Limit > 0 {
		l.found = make([]any, 0, min(l.query.Limit, l.from.count))
	}
	all, skipped := l.from.all(descending), l.query.Offset
	switch {
	case l.after != nil && !l.isCounting():
		all = l.from.seek(l.after[0], descending)
	case l.after == nil && l.match == nil: // goes to the first row of the page without visiting those before
		all.skip(skipped)
		skipped = 0
	}
	forward := 1
	if descending {
		forward = -1
	}
	for r := all.next(); r != nil && l.err == nil && (l.isCounting() || !l.isFull()); r = all.next() {
		switch {
		case !l.matches(r):
		case l.after != nil && r.key.Compare(l.after[0]) != forward: // only counted
		case skipped > 0:
			skipped--
		case !l.isFull():
			l.found = append(l.found, r.record)
		}
	}
	if l.match == nil {
		l.total = l.from.count
	}
}

// isCounting reports whether rows must be tried for the total.
func (l *list) isCounting() bool {
	most := l.query.CountUpTo
	return l.query.Count && l.match != nil && (most <= 0 || l.total <= most)
}

func (l *list) isFull() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

// matches reports whether a row matches, and counts it. If that fails or the context ends, it sets the list's error.
func (l *list) matches(r *row) bool {
	const now = 1 << 12
	if l.tried++; l.tried%now == 0 {
		l.err = l.ctx.Err()
	}
	ok := l.err == nil
	if ok && l.match != nil {
		ok, l.err = l.match(l.ctx, r.value())
	}
	if ok = ok && l.err == nil; ok {
		l.total++
	}
	return ok
}

// sorted is a row with the values that it is sorted by.
type sorted struct {
	row    *row
	values []filter.Value
}

// sort reads the page in another order.
func (l *list) sort() {
	l.wanted = math.MaxInt
	if l.query.Limit > 0 && l.query.Offset <= math.MaxInt-l.query.Limit {
		l.wanted = l.query.Offset + l.query.Limit
	}
	all := l.from.all(false)
	for r := all.next(); r != nil && l.err == nil; r = all.next() {
		if l.matches(r) {
			l.keep(r)
		}
	}
	l.cut()
	for _, each := range l.kept[min(l.query.Offset, len(l.kept)):] {
		l.found = append(l.found, each.row.record)
	}
}

// keep adds a row to those to sort. Only the first ones are kept: a page of thirty out of many rows needs thirty to be
// sorted.
func (l *list) keep(r *row) {
	var compared int // 0 with an error
	if l.after != nil {
		if compared, l.err = l.order.CompareRecord(l.ctx, r.value(), l.after); compared <= 0 {
			return
		}
	}
	if l.isCut {
		if compared, l.err = l.order.CompareRecord(l.ctx, r.value(), l.kept[l.wanted-1].values); compared >= 0 {
			return
		}
	}
	n := len(l.kept)
	l.kept = slices.Grow(l.kept, 1)[:n+1]
	added := &l.kept[n] // a new one, or a dropped one whose values are overwritten
	added.row = r
	added.values, l.err = l.order.Values(l.ctx, r.value(), added.values[:0])
	if l.err == nil && n/2 >= l.wanted {
		l.cut()
	}
}

// cut sorts the kept rows, and drops those behind the wanted ones.
func (l *list) cut() {
	slices.SortFunc(l.kept, func(a, b sorted) int { return l.order.Compare(a.values, b.values) })
	if len(l.kept) > l.wanted {
		l.kept, l.isCut = l.kept[:l.wanted], true
	}
}

// positions returns the position of each record of the page, nil if all values are in the records.
func (l *list) positions() (all [][]any, err error) {
	if !slices.ContainsFunc(l.query.Order, func(o store.Order) bool { return o.Through != "" }) {
		return nil, nil
	}
	all = make([][]any, len(l.found))
	for i, record := range l.found {
		if all[i], err = l.order.Position(l.ctx, reflect.ValueOf(record).Elem()); err != nil {
			return nil, err
		}
	}
	return all, nil
}
