package storetest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/trove-api/trove/store"
)

// plain is a minimal store. One transaction at a time works on a copy of all records, which replaces them at the end.
// Its fault makes it break a rule.
type plain[T any] struct {
	schema[T]
	fault  fault
	damage func(*T) // changes a record when it is saved
	writer chan struct{}
	mu     sync.Mutex
	saved  state[T]
	used   map[string]bool // for the fault neverFrees
	locks  sync.Map        // of records, for the fault blocksEachOther
}

// schema is what a plain store knows about its records.
type schema[T any] struct {
	name     string // of the identifier
	id       func(*T) any
	generate func(r *T, n int64) // nil if clients choose the identifier
	number   func(*T) int64
	unique   func(*T) map[string]*string
	less     func(a, b *T) int // by identifier
	// broken returns the error of a constraint that a record breaks, with another one or, if that is nil, alone. It is
	// nil for records without constraints.
	broken func(record, other *T) error
	merge  func(old, changed *T)
	fold   func(id any) any
	stamp  func(record, stored *T) // nil if records have no stamps
}

type state[T any] struct {
	records   []*T
	last      int64
	responses map[string]store.StoredResponse
}

func (s state[T]) clone() state[T] {
	return state[T]{clone(s.records), s.last, s.responses}
}

func clone[V any](value V) V {
	var copied V
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &copied)
	}
	if err != nil {
		panic(err)
	}
	return copied
}

func newPlain[T any](s schema[T], f fault, damage func(*T)) *plain[T] {
	if damage == nil {
		damage = func(*T) {}
	}
	return &plain[T]{schema: s, fault: f, damage: damage, writer: make(chan struct{}, 1), used: map[string]bool{}}
}

// seen returns the records that a read with a context sees. The caller must hold the lock.
func (s *plain[T]) seen(ctx context.Context) state[T] {
	if tx, ok := ctx.Value(joinKey{}).(*plainTx[T]); ok && s.fault != ignoresContext {
		return tx.state
	}
	return s.saved
}

func (s *plain[T]) Get(ctx context.Context, id any) (*T, error) {
	if ctx.Err() != nil && s.fault != ignoresCancelled {
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen(ctx)
	if i := s.find(seen, id); i >= 0 {
		return seen.records[i], nil
	}
	return nil, store.ErrNotFound
}

func (s *plain[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	if ctx.Err() != nil && s.fault != batchesUnsaved && s.fault != ignoresCancelled {
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, seen := make([]*T, 0, len(ids)), s.seen(ctx)
	for _, id := range ids {
		if i := s.find(seen, id); i >= 0 {
			all = append(all, seen.records[i])
		} else if s.fault != batchesFound {
			all = append(all, nil)
		}
	}
	if s.fault == batchesAsStored && !slices.Contains(all, nil) {
		slices.SortFunc(all, s.less)
	}
	return all, nil
}

func (s *plain[T]) List(ctx context.Context, _ store.Query) (store.Page[T], error) {
	if ctx.Err() != nil && s.fault != ignoresCancelled {
		return store.Page[T]{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	items := slices.Clone(s.seen(ctx).records)
	if len(items) == 0 && s.fault == emptyIsMissing {
		return store.Page[T]{}, store.ErrNotFound
	}
	if s.fault != listsAsStored {
		slices.SortFunc(items, s.less)
	}
	if s.fault == newestFirst {
		slices.Reverse(items)
	}
	return store.Page[T]{Items: items}, nil
}

func (s *plain[T]) find(in state[T], id any) int {
	if s.fault == foldsCase {
		id = s.fold(id)
	}
	return slices.IndexFunc(in.records, func(r *T) bool {
		if s.fault == foldsCase {
			return s.fold(s.id(r)) == id
		}
		return s.id(r) == id
	})
}

type joinKey struct{}

func (s *plain[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	if outer, ok := ctx.Value(joinKey{}).(*plainTx[T]); ok && s.fault != joinsNothing {
		err := fn(ctx, outer)
		if s.fault != forgetsInner {
			outer.failed = cmp.Or(outer.failed, err)
		}
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	keep := false
	defer func() {
		if !keep {
			s.end()
		}
	}()
	s.mu.Lock()
	tx := &plainTx[T]{plain: s, state: s.saved}
	if s.fault != updatesInPlace {
		tx.state = s.saved.clone()
	}
	s.mu.Unlock()
	defer tx.unlock()
	panicked := true
	defer func() {
		if panicked && s.fault == savesOnPanic {
			s.save(tx)
		}
		if panicked && s.fault == swallowsPanic {
			_ = recover()
		}
	}()
	err := cmp.Or(fn(context.WithValue(ctx, joinKey{}, tx), tx), tx.failed)
	panicked = false
	if err == nil && s.fault != savesCancelled && s.fault != ignoresCancelled {
		err = ctx.Err()
	}
	keep = err != nil && s.fault == keepsLock
	if err != nil && s.fault != savesOnError {
		return err
	}
	s.save(tx)
	return err
}

func (s *plain[T]) begin(ctx context.Context) error {
	if ctx.Err() != nil && s.fault != ignoresCancelled {
		return ctx.Err()
	}
	switch s.fault {
	case locksNothing, joinsNothing, blocksEachOther:
	case waitsForever:
		s.writer <- struct{}{}
	default:
		select {
		case s.writer <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *plain[T]) end() {
	if s.fault != locksNothing && s.fault != joinsNothing && s.fault != blocksEachOther {
		<-s.writer
	}
}

func (s *plain[T]) save(tx *plainTx[T]) {
	if s.fault == locksNothing {
		time.Sleep(time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved = tx.state
}
