package memory

import (
	"context"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// Aggregates returns true: the store computes aggregations.
func (*Store) Aggregates() bool { return true }

// Aggregate computes values of groups of the records that match.
func (s *Store) Aggregate(ctx context.Context, a store.Aggregation) (result store.Aggregated, err error) {
	in, err := s.read(ctx)
	if err != nil {
		return result, err
	}
	a.Where = s.shape.record.Selected(store.Query{Where: a.Where})
	l := list{view: in, ctx: ctx, query: store.Query{Where: a.Where}}
	groups, err := filter.NewGroups(in, a)
	if err == nil {
		l.match, err = filter.Compile(in, a.Where)
	}
	if err != nil {
		return result, inStore(err)
	}
	all := l.candidates().all(false)
	for r := all.next(); r != nil && l.err == nil; r = all.next() {
		if l.matches(r) {
			l.err = groups.Add(ctx, r.value())
		}
	}
	switch {
	case l.err == nil:
		return groups.Result(), nil
	case ctx.Err() == nil:
		l.err = inStore(l.err)
	}
	return result, l.err
}
