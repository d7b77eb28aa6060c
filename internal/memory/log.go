package memory

import (
	"context"
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// log is the log of a store. Its entries are in a store of the same domain.
type log struct {
	once    sync.Once
	entries *Store
	// entry makes the entry of a change; see [store.LogKeeper]. It is nil if nothing is logged, and guarded by the turn of
	// the domain.
	entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)
}

// Log returns the log of the store: see [store.LogKeeper].
func (s *Store) Log() (log store.Store[store.LogEntry], name string) {
	s.log.once.Do(func() {
		s.log.entries = New(reflect.TypeFor[store.LogEntry](), nil)
		s.Join(s.log.entries)
	})
	return untyped.Typed[store.LogEntry]{Records: s.log.entries}, s.shape.name
}

// KeepLog sets the function that makes the entries of changes: see [store.LogKeeper].
func (s *Store) KeepLog(entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)) {
	s.Log()
	s.change(func(*state) { s.log.entry = entry })
}

// keep logs a change of a store's record.
func (t *transaction) keep(in *Store, change store.Change) error {
	if in.log.entry == nil {
		return nil
	}
	entry, err := in.log.entry(t, change)
	if err != nil || entry == nil {
		return err
	}
	return (&tx{t, in.log.entries}).Insert(t, entry, true)
}
