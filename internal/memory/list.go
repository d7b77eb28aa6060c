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

	found []any // the records of the page, in order
	total int   // the matching rows so far
	tried int
	err   error // the error that ended it early
}

// list runs a query.
func (v view) list(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	query.Limit, query.Offset = max(query.Limit, 0), max(query.Offset, 0)
	l := &list{view: v, ctx: ctx, query: query}
	if l.match, err = filter.Compile(v, query.Where); err != nil {
		return page, err
	}
	candidates, areFound := l.candidates()
	descending, isWalk := l.isByIdentifier()
	isWalk = isWalk && !areFound
	if !isWalk || query.After != nil {
		if err := l.compileOrder(); err != nil {
			return page, err
		}
	}
	switch {
	case isWalk:
		l.walk(descending)
	case areFound:
		l.sort(slices.Values(candidates))
	default:
		l.sort(l.rows.Scan)
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

func (l *list) compileOrder() (err error) {
	if l.order, err = filter.CompileOrder(l, l.store.shape.order, l.query.Order); err == nil && l.query.After != nil {
		l.after, err = l.order.After(l.query.After)
	}
	return err
}

// candidates returns the rows that can match, if a condition is the equality of an identifier or a field with an index.
func (l *list) candidates() (rows []*row, ok bool) {
	for i := range l.query.Where {
		c, shape := &l.query.Where[i], l.store.shape
		if c.Operator != store.Equal || c.Through != "" || c.Any != nil || len(c.Fields) != 1 {
			continue
		}
		index, isID := shape.index(c.Fields[0]), shape.order.Name == c.Fields[0]
		if index < 0 && !isID {
			continue
		}
		known := map[*row]bool{nil: true} // several values can find one row
		add := func(r *row) bool {
			if !known[r] {
				known[r], rows = true, append(rows, r)
			}
			return true
		}
		for _, given := range c.Values { // their types were checked when the condition was compiled
			if isID {
				value, _ := shape.order.Value(given)
				add(l.get(value))
			} else {
				value, _ := shape.indexes[index].field.Value(given)
				l.having(index, value, add)
			}
		}
		return rows, true
	}
	return nil, false
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
	forward, at := 1, l.query.Offset
	if descending {
		forward, at = -1, l.rows.Len()-1-l.query.Offset
	}
	if l.query.Limit > 0 {
		l.found = make([]any, 0, min(l.query.Limit, l.rows.Len()))
	}
	var after, from *row // the row behind which the page begins, and the first one to visit; nil for none
	skipped := l.query.Offset
	switch {
	case l.after != nil:
		after = &row{key: l.after[0]}
		from = after
	case l.match == nil && skipped > 0: // goes to the first row of the page without visiting those before
		if from, _ = l.rows.GetAt(at); from == nil {
			l.total = l.rows.Len()
			return
		}
		skipped = 0
	}
	visit := func(r *row) bool {
		switch {
		case !l.matches(r):
			return l.err == nil
		case after != nil && r.key.Compare(after.key) != forward: // only counted
		case skipped > 0:
			skipped--
		case !l.full():
			l.found = append(l.found, r.record)
		}
		return l.isCounting() || !l.full()
	}
	switch {
	case (from == nil || l.isCounting()) && descending:
		l.rows.Reverse(visit)
	case from == nil || l.isCounting():
		l.rows.Scan(visit)
	case descending:
		l.rows.Descend(from, visit)
	default:
		l.rows.Ascend(from, visit)
	}
	if l.match == nil {
		l.total = l.rows.Len()
	}
}

// isCounting reports whether the total is known only after trying all rows.
func (l *list) isCounting() bool { return l.query.Count && l.match != nil }

func (l *list) full() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

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

// sort reads the page from rows in another order. It keeps the first rows only: a page of thirty out of many rows needs
// thirty to be sorted.
func (l *list) sort(rows func(yield func(*row) bool)) {
	wanted := math.MaxInt
	if l.query.Limit > 0 && l.query.Offset <= math.MaxInt-l.query.Limit {
		wanted = l.query.Offset + l.query.Limit
	}
	var kept []sorted
	isCut := false // rows were dropped; kept begins with the wanted ones, in order
	var values []filter.Value
	rows(func(r *row) bool {
		if !l.matches(r) {
			return l.err == nil
		}
		if values, l.err = l.order.Values(l.ctx, r.value(), values[:0]); l.err != nil {
			return false
		}
		if l.after != nil && l.order.Compare(values, l.after) <= 0 || isCut && l.order.Compare(values, kept[wanted-1].values) >= 0 {
			return true
		}
		kept = append(kept, sorted{r, slices.Clone(values)})
		if len(kept)/2 > wanted {
			kept, isCut = l.first(kept, wanted), true
		}
		return true
	})
	kept = l.first(kept, wanted)
	for _, each := range kept[min(l.query.Offset, len(kept)):] {
		l.found = append(l.found, each.row.record)
	}
}

// sorted is a row with the values that it is sorted by.
type sorted struct {
	row    *row
	values []filter.Value
}

// first returns the wanted rows, in order.
func (l *list) first(rows []sorted, wanted int) []sorted {
	slices.SortFunc(rows, func(a, b sorted) int { return l.order.Compare(a.values, b.values) })
	return rows[:min(wanted, len(rows))]
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
