package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// transaction is a transaction over the stores of a domain. It holds the turn of the domain. It is also the context of
// its function, so that it costs one allocation.
type transaction struct {
	context.Context //nolint:containedctx // see Value

	domain  *domain
	saved   *state                // when it began
	state   atomic.Pointer[state] // with its changes; nil when it has ended
	base    *state                // what it must not change: saved, or the state before its part that runs
	isPart  bool                  // a part of it runs
	joined  int                   // how many functions of the part have joined, each within the one before
	failed  error                 // prevents the commit, even if the function returns nil
	changes txn.Changes           // of records for listeners, and of those with references; rows
	first   tx                    // for its function
}

// Value returns the transaction for its key. So a context of the transaction leads to it.
func (t *transaction) Value(key any) any {
	if key == (transactionKey{t.domain}) {
		return t
	}
	return t.Context.Value(key)
}

var (
	errEnded    = errors.New("store/memory: the transaction has ended")
	errPanicked = errors.New("store/memory: a function within the transaction panicked")
)

// Transact runs fn in a transaction. It waits for other transactions for at most 10 seconds, or the time set by
// [Store.LockTimeout], and stops waiting when the context ends. It saves nothing if the context is cancelled before fn
// returns.
func (s *Store) Transact(ctx context.Context, fn compiled.Runner) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	if outer := s.domain.Load().in(ctx); outer != nil {
		return s.join(ctx, outer, fn)
	}
	t, changes, err := s.run(ctx, fn)
	for i := 0; err == nil && len(changes) > 0 && i < len(t.saved.listeners); i++ {
		t.saved.listeners[i].Committed(ctx, changes)
	}
	return err
}

// run runs fn in a new transaction, and returns what it has changed, for listeners.
func (s *Store) run(ctx context.Context, fn compiled.Runner) (t *transaction, changes []store.Change, err error) {
	guard, err := txn.Enter(ctx, s.domain.Load())
	if err != nil {
		return nil, nil, inStore(err)
	}
	defer guard.Leave()
	d, err := s.take(ctx, s.patience)
	if err != nil {
		if errors.Is(err, store.ErrUnavailable) {
			err = fmt.Errorf("store/memory: another transaction is running: %w", err)
		}
		return nil, nil, err
	}
	t = &transaction{Context: ctx, domain: d, saved: d.state.Load()}
	t.base = t.saved
	t.state.Store(t.saved)
	t.first = tx{t, s}
	defer t.end()
	if err = fn.Run(t, &t.first); err == nil {
		err = t.usable(ctx)
	}
	if err == nil {
		changes, err = t.finish()
	}
	if err != nil {
		return t, nil, err
	}
	d.state.Store(t.state.Load())
	return t, changes, nil
}

// join runs fn as part of a transaction, which fails if fn fails. What would commit without the transaction leaves no dangling
// reference in a part.
func (s *Store) join(ctx context.Context, whole *transaction, fn compiled.Runner) error {
	err := errPanicked
	whole.joined++
	defer func() {
		whole.joined--
		whole.fail(err)
	}()
	if err = whole.usable(ctx); err == nil {
		err = errPanicked
		if err = fn.Run(ctx, &tx{whole, s}); err == nil {
			err = whole.failed
		}
	}
	if err == nil && whole.isPart && whole.joined == 1 {
		err = whole.checkReferences(whole.changes.All())
	}
	return err
}

// Nest runs a part of the context's transaction, and undoes it if run returns false.
func (s *Store) Nest(ctx context.Context, run func() (keeps bool)) error {
	t := s.domain.Load().in(ctx)
	if t == nil {
		return errors.New("store/memory: there is no transaction to nest in")
	}
	if err := t.usable(ctx); err != nil {
		return err
	}
	before, base, changes, isPart, joined := t.state.Load(), t.base, t.changes, t.isPart, t.joined
	t.base, t.changes, t.isPart, t.joined = before, txn.Changes{}, true, 0
	keeps := run()
	part := t.changes
	t.base, t.changes, t.isPart, t.joined = base, changes, isPart, joined
	switch {
	case ctx.Err() != nil:
		t.fail(ctx.Err())
	case keeps:
		t.changes.NoteAll(&part)
	default:
		t.state.Store(before)
		t.failed = nil
	}
	return t.failed
}

// usable returns an error if the transaction cannot go on.
func (t *transaction) usable(ctx context.Context) error {
	if t.failed != nil {
		return t.failed
	}
	return ctx.Err()
}

// fail makes the transaction fail with an error, unless it has failed already.
func (t *transaction) fail(err error) {
	if t.failed == nil {
		t.failed = err
	}
}

// end drops what has not been saved, and lets the next transaction write.
func (t *transaction) end() {
	t.failed = errEnded
	t.state.Store(nil)
	t.domain.release()
}

// changed returns the transaction's own copy of a table, and the version with which it can be changed.
func (t *transaction) changed(of *Store) (*table, uint64) {
	own := t.state.Load()
	if own == t.base {
		copied := *own
		copied.version++
		copied.tables = slices.Clone(own.tables)
		own = &copied
		t.state.Store(own)
	}
	i := own.index(of)
	if own.tables[i] == t.base.tables[i] {
		copied := *own.tables[i]
		copied.indexes = slices.Clone(copied.indexes)
		own.tables[i] = &copied
	}
	return own.tables[i], own.version
}

// put replaces a row: before is nil for an insert, and after for a delete.
func (t *transaction) put(before, after *row) error {
	changed := cmp.Or(after, before)
	in := changed.in
	table, version := t.changed(in)
	if err := table.put(before, after, version); err != nil {
		return err
	}
	if len(t.saved.listeners) > 0 || in.log.entry != nil || slices.ContainsFunc(t.saved.relations, func(r *relation) bool { return r.from == in }) {
		t.changes.Note(in, changed.key, store.Change{Before: versionOf(before), After: versionOf(after)})
	}
	return nil
}

// versionOf returns a row for [store.Change], nil for no row.
func versionOf(r *row) any {
	if r == nil {
		return nil
	}
	return r
}

// finish checks what the transaction has changed, logs it, and returns copies of the records for listeners, which may keep
// them.
func (t *transaction) finish() ([]store.Change, error) {
	all := t.changes.All()
	if err := t.checkReferences(all); err != nil {
		return nil, err
	}
	changes := all[:0]
	for _, change := range all {
		of := change.Record().(*row)
		if len(t.saved.listeners) == 0 && of.in.log.entry == nil {
			continue
		}
		change.ID = of.in.shape.key.Of(of.record)
		for _, version := range []*any{&change.Before, &change.After} {
			if r, ok := (*version).(*row); ok {
				*version = r.in.shape.records.Clone(r.record)
			}
		}
		if err := t.keep(of.in, change); err != nil {
			return nil, err
		}
		if change, isSeen := of.in.shape.record.Seen(change); isSeen {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// tx is a transaction in one store.
type tx struct {
	whole *transaction
	in    *Store
}

// table returns the table of the store, as the transaction sees it.
func (t *tx) table() *table { return t.whole.state.Load().table(t.in) }

// Get returns a copy of the record as the transaction sees it.
func (t *tx) Get(ctx context.Context, id any) (any, error) {
	record, err := t.Peek(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.in.shape.records.Clone(record), nil
}

// Peek returns the record itself, as the transaction sees it. The caller must not change it.
func (t *tx) Peek(ctx context.Context, id any) (any, error) {
	found, err := t.find(ctx, id, false)
	if err != nil {
		return nil, err
	}
	return found.record, nil
}

// find returns the living row with an id, or the deleted one, or [store.ErrNotFound].
func (t *tx) find(ctx context.Context, id any, deleted bool) (*row, error) {
	if err := t.whole.usable(ctx); err != nil {
		return nil, err
	}
	found, err := t.table().find(id, deleted)
	if err == nil && found == nil {
		err = store.ErrNotFound
	}
	return found, err
}

// Insert sets a new record's stamps and identifier, and adds it. It adds a copy unless the record now belongs to the
// store.
func (t *tx) Insert(ctx context.Context, record any, stores bool) error {
	if err := t.whole.usable(ctx); err != nil {
		return err
	}
	t.in.shape.record.Stamp(record, nil)
	added, err := t.in.newRow(record)
	if err != nil {
		return err
	}
	return t.put(nil, added, stores)
}

// Update sets a record's stamps, and replaces the one with that id. It saves a copy unless the record now belongs to the
// store.
func (t *tx) Update(ctx context.Context, id, record any, stores bool) error {
	before, err := t.find(ctx, id, false)
	if err != nil {
		return err
	}
	t.in.shape.record.Stamp(record, before.record)
	t.in.shape.record.SetDeleted(reflect.ValueOf(record).Elem(), time.Time{})
	after, err := t.in.row(record)
	switch {
	case err != nil:
		return err
	case after.key != before.key:
		return fmt.Errorf("store/memory: an update of %s changes the identifier", t.in.shape.name)
	}
	return t.put(before, after, stores)
}

// put replaces a row by another, or by a copy of it unless its record belongs to the store.
func (t *tx) put(before, after *row, stores bool) error {
	if !stores {
		after.record = t.in.shape.records.Clone(after.record)
	}
	return t.whole.put(before, after)
}

// Delete deletes a record, with what its references entail. If that fails, so does the transaction, because a part of it
// may be done.
func (t *tx) Delete(ctx context.Context, id any) error {
	found, err := t.find(ctx, id, false)
	if err != nil {
		return err
	}
	d := deletion{whole: t.whole, ctx: ctx}
	if t.in.shape.record.Deleted == nil {
		return d.run(found, d.remove)
	}
	d.at = model.NextDeletion(t.whole.domain.deleted)
	t.whole.domain.deleted = d.at
	return d.run(found, d.trash)
}
