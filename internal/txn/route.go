package txn

import (
	"context"
	"sync"
)

// Route decides from which server of a database a request reads, and collects the position of its writes. A context without a
// route has a nil one, which always leads to the primary. It is safe for concurrent use.
type Route struct {
	mu       sync.Mutex
	after    string // the position that a replica must have reached, "" for any
	replica  any    // of the last read; nil before the first one
	pinned   bool   // to the primary
	read     bool   // from the primary, outside of transactions
	doubt    bool   // something may have been written after the position
	position string // of the last write, "" for none
}

// routeKey is the context key of the route.
type routeKey struct{}

// WithRoute returns a context with a route to replicas that have reached a position, "" for any, or to the primary.
func WithRoute(ctx context.Context, after string, primary bool) (context.Context, *Route) {
	r := &Route{after: after, pinned: primary}
	return context.WithValue(ctx, routeKey{}, r), r
}

// RouteOf returns the route of a context.
func RouteOf(ctx context.Context) *Route {
	r, _ := ctx.Value(routeKey{}).(*Route)
	return r
}

// Choose returns the replica of the next read, nil for the primary. It calls choose with the replica of the read before, nil
// for the first one. After choose has returned nil, all reads come from the primary.
func (r *Route) Choose(choose func(last any, after string) any) any {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.pinned {
		r.replica = choose(r.replica, r.after)
		r.pinned = r.replica == nil
	}
	if r.pinned {
		r.read = true
		return nil
	}
	return r.replica
}

// Pin makes all later reads come from the primary. Position is that of a write, "" for none; the last one counts. Doubt is
// whether something may be written after it.
func (r *Route) Pin(position string, doubt bool) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.pinned, r.position = true, max(r.position, position)
		r.doubt = doubt || r.doubt && position == ""
	}
}

// Position returns the position of the last write, "" for none, and reports whether it covers what the client must see. It does
// not if a failed request has read something without a transaction, which the error may be about.
func (r *Route) Position(failed bool) (position string, covers bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.position, !r.doubt && (r.position != "" || !failed || !r.read)
}
