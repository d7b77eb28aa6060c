package middleware

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

// Counter counts the requests of clients for all instances of a service: see [Shared]. Implementations are safe for
// concurrent use.
type Counter interface {
	// Take counts a request of a key in a window if [Window.Allows] does, and returns the counts after it. Two calls at
	// the same time count one after the other.
	Take(ctx context.Context, key string, window Window) (counts Counts, ok bool, err error)
}

// Window is the last minute before a request. Counts are kept for whole minutes, so those of the previous minute count
// for the part of it that lies in the window.
type Window struct {
	// Minute is the number of the current minute since 1970 in UTC.
	Minute int64
	// Passed is how much of the current minute has passed, from 0 to 1.
	Passed float64
	// Limit is the maximum number of requests in a window, from 1.
	Limit int
}

// Allows reports whether one more request is within the limit.
func (w Window) Allows(counts Counts) bool { return w.used(counts) < w.Limit }

// Counts are the numbers of requests of a key in two minutes.
type Counts struct {
	// Current is that of the current minute.
	Current int
	// Previous is that of the minute before.
	Previous int
}

// local counts in memory, in one map for each of two minutes.
type local struct {
	mu                sync.Mutex
	minute            int64
	current, previous map[string]int
}

func newLocal() *local { return &local{current: map[string]int{}, previous: map[string]int{}} }

func (l *local) take(key string, window Window) (Counts, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if passed := window.Minute - l.minute; passed > 0 {
		l.minute = window.Minute
		if l.previous, l.current = l.current, map[string]int{}; passed > 1 {
			l.previous = map[string]int{}
		}
	}
	counts := Counts{l.current[key], l.previous[key]}
	ok := window.Allows(counts)
	if ok {
		counts.Current++
		l.current[key] = counts.Current
	}
	return counts, ok
}

// giveBack takes a request out of the count, unless its minute has ended.
func (l *local) giveBack(key string, window Window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.minute == window.Minute {
		l.current[key]--
	}
}

// Count is the record of a counter that [Stored] returns. Key is a hash of the client.
type Count struct {
	Key      string `json:"key" api:"id"`
	Minute   int64  `json:"minute" api:"filter=range"`
	Current  int    `json:"current"`
	Previous int    `json:"previous"`
}

// Stored returns a counter that keeps a record for each client in a store, such as a table of a database. Each request is
// then a transaction, so use it where few requests count, such as sign-ins. Records of earlier minutes are deleted.
//
//	counts := sqlstore.Table[middleware.Count](db)
//	signIns := middleware.Rate(100, middleware.Shared("sign-in", middleware.Stored(counts)))
func Stored(counts store.Store[Count]) Counter { return stored{counts} }

type stored struct{ store.Store[Count] }

func (s stored) Take(ctx context.Context, key string, window Window) (counts Counts, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	isNew := false
	err = s.Transact(ctx, func(ctx context.Context, tx store.Tx[Count]) error {
		counts = Counts{}
		kept, err := tx.Get(ctx, key)
		isNew = errors.Is(err, store.ErrNotFound)
		switch {
		case isNew:
			kept = &Count{Key: key}
		case err != nil:
			return err
		case kept.Minute > window.Minute+1: // the clock of another instance was wrong
			kept.Minute = 0
		case kept.Minute >= window.Minute: // the clock of another instance may be ahead
			counts = Counts{kept.Current, kept.Previous}
		case kept.Minute == window.Minute-1:
			counts.Previous = kept.Current
		}
		if ok = window.Allows(counts); !ok {
			return nil
		}
		counts.Current++
		kept.Minute, kept.Current, kept.Previous = max(window.Minute, kept.Minute), counts.Current, counts.Previous
		if isNew {
			return tx.Insert(ctx, kept)
		}
		return tx.Update(ctx, key, kept)
	})
	if err == nil && isNew {
		_ = s.sweep(ctx, window.Minute-1) // what stays is deleted for the next new client
	}
	return counts, ok, err
}

// patience is how long a request waits for a shared counter.
const patience = time.Second

// sweep deletes some records that count no longer: more than one for each new one. Where it begins is random, because others
// sweep at the same time.
func (s stored) sweep(ctx context.Context, before int64) error {
	old := store.Condition{Fields: []string{"minute"}, Operator: store.Less, Values: []any{before}}
	found, err := s.List(ctx, store.Query{Where: []store.Condition{old}, Order: []store.Order{{Field: "minute"}}, Limit: 100})
	if err != nil || len(found.Items) == 0 {
		return err
	}
	from := rand.IntN(len(found.Items)) //nolint:gosec // no secret
	return s.Transact(ctx, func(ctx context.Context, tx store.Tx[Count]) error {
		for _, each := range found.Items[from:min(from+3, len(found.Items))] { // in their order, so that no two wait for each other
			kept, err := tx.Get(ctx, each.Key)
			if err == nil && kept.Minute < before {
				err = tx.Delete(ctx, each.Key)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}
