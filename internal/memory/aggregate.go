package memory

import (
	"context"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// Aggregates returns true: the store computes aggregations.
func (*Store) Aggregates() bool { return true }

// Aggregate computes values of groups of the records that match.
func (s *Store) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	in, err := s.read(ctx)
	if err != nil {
		return store.Aggregated{}, err
	}
	result, err := in.aggregate(ctx, a)
	if err != nil && ctx.Err() == nil {
		err = inStore(err)
	}
	return result, err
}

func (v view) aggregate(ctx context.Context, a store.Aggregation) (result store.Aggregated, err error) {
	a.Where = v.store.shape.record.Selected(store.Query{Where: a.Where})
	l := list{view: v, ctx: ctx, query: store.Query{Where: a.Where}}
	if l.match, err = filter.Compile(v, a.Where); err != nil {
		return result, err
	}
	groups, err := filter.NewGroups(v, a)
	if err != nil {
		return result, err
	}
	all := l.candidates().all(false)
	for r := all.next(); r != nil && l.err == nil; r = all.next() {
		if l.matches(r) {
			l.err = groups.Add(ctx, r.value())
		}
	}
	if l.err != nil {
		return result, l.err
	}
	return groups.Result(), nil
}
