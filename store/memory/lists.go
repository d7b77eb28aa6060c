package memory

import (
	"context"
	"sync"

	"github.com/trove-api/trove/store"
)

// lists are the lists of a store that no query uses.
type lists struct{ idle sync.Pool }

// take returns the list of a query.
func (all *lists) take(ctx context.Context, query store.Query) *list {
	l, ok := all.idle.Get().(*list)
	if !ok {
		l = new(list)
		l.visit = l.meet
	}
	query.Limit, query.Offset = max(query.Limit, 0), max(query.Offset, 0)
	l.ctx, l.query, l.counting = ctx, query, query.Count
	return l
}

// giveBack keeps a list for another query, without anything of this one.
func (all *lists) giveBack(l *list) {
	*l = list{
		visit: l.visit, order: l.order, matchers: emptied(l.matchers), lookups: emptied(l.lookups),
		postings: emptied(l.postings), waiting: emptied(l.waiting), found: emptied(l.found),
	}
	all.idle.Put(l)
}

// emptied returns the memory of a slice for the next query, unless there is much of it.
func emptied[E any](used []E) []E {
	if cap(used) > pageAtOnce {
		return nil
	}
	clear(used)
	return used[:0]
}
