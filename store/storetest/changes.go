package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
)

// RunChanges tests stores that report what their transactions change ([store.Reporter]), as [Run] does.
func RunChanges(t *testing.T, open func(t *testing.T) store.Store[Stamped]) {
	t.Helper()
	runAll(t, changeCases(), open)
}

// changeCases lists the rules of [RunChanges].
func changeCases() []rule[Stamped] {
	return []rule[Stamped]{
		{
			"an insert, an update and a delete are reported",
			"With the record before and after, and its identifier: a listener cannot ask for what is no longer there.",
			reportsEachChange,
		},
		{
			"a commit is reported once",
			"With all changes in their order, those of transactions that joined it too: they were saved together.",
			reportsCommitsOnce,
		},
		{
			"a record that is changed twice is one change",
			"From what it was before the transaction to what it is after; one that comes and goes is none.",
			joinsChanges,
		},
		{
			"a transaction that fails reports nothing",
			"Nothing of it has happened, in whatever was done before it failed.",
			reportsNoFailure,
		},
		{
			"a transaction that only reads reports nothing",
			"A listener that is called has something to do.",
			reportsNoReads,
		},
		{
			"reported records are copies",
			"A listener may keep them, and change them: the store's own stay as they are.",
			reportsCopies,
		},
		{
			"a listener may use the store",
			"It is called when the transaction has ended, with a context that does not carry it.",
			letsListenersIn,
		},
	}
}

// listened is a store with what it has reported.
type listened struct {
	*trial[Stamped]

	calls []string
	also  func(ctx context.Context, changes []store.Change) // nil for nothing
}

// listen has the store of a trial report its changes.
func listen(c *trial[Stamped]) *listened {
	c.Helper()
	reporter, ok := c.store.(store.Reporter)
	if !ok {
		c.Fatalf("the store is no store.Reporter")
	}
	l := &listened{trial: c}
	listener := &store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
		var told []string
		for _, change := range changes {
			told = append(told, strings.SplitN(change.String(), " ", 2)[0]+" "+labelOf(change.Before)+">"+labelOf(change.After))
		}
		l.calls = append(l.calls, strings.Join(told, ", "))
		if l.also != nil {
			l.also(ctx, changes)
		}
	}}
	reporter.Report(listener)
	reporter.Report(listener) // which changes nothing
	return l
}

// labelOf returns the label of a reported record, "" for none.
func labelOf(record any) string {
	if stamped, ok := record.(*Stamped); ok && stamped != nil {
		return stamped.Label
	}
	return ""
}

// transact runs a transaction that has to succeed.
func (l *listened) transact(fn func(ctx context.Context, tx store.Tx[Stamped]) error) {
	l.Helper()
	if err := l.store.Transact(l.ctx, fn); err != nil {
		l.Fatalf("the transaction fails: %v", err)
	}
}

// insert inserts a record with the label a, and returns its identifier.
func (l *listened) insert() int64 {
	l.Helper()
	var record *Stamped
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error {
		record = &Stamped{Label: "a"}
		return tx.Insert(ctx, record)
	})
	return record.ID
}

// relabel updates a record in a transaction.
func relabel(ctx context.Context, tx store.Tx[Stamped], id int64, label string) error {
	record, err := tx.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	record.Label = label
	return tx.Update(ctx, id, record) //nolint:wrapcheck // a rule compares it
}

// has compares the calls of the listener.
func (l *listened) has(want ...string) {
	l.Helper()
	if !slices.Equal(l.calls, want) {
		l.Errorf("the listener was called with %q, want %q", l.calls, want)
	}
	l.calls = nil
}

func reportsEachChange(c *trial[Stamped]) {
	l := listen(c)
	id := l.insert()
	l.has("inserted >a")
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error { return relabel(ctx, tx, id, "b") })
	l.has("updated a>b")
	l.also = func(_ context.Context, changes []store.Change) {
		if changes[0].ID != id {
			l.Errorf("the identifier is %v, want %v", changes[0].ID, id)
		}
	}
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error { return tx.Delete(ctx, id) })
	l.has("deleted b>")
}

func reportsCommitsOnce(c *trial[Stamped]) {
	l := listen(c)
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error {
		if err := tx.Insert(ctx, &Stamped{Label: "a"}); err != nil {
			return err //nolint:wrapcheck // a rule compares it
		}
		return store.Insert(ctx, l.store, &Stamped{Label: "b"})
	})
	l.has("inserted >a, inserted >b")
}

func joinsChanges(c *trial[Stamped]) {
	l := listen(c)
	id := l.insert()
	l.calls = nil
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error {
		gone := &Stamped{Label: "gone"}
		err := errors.Join(tx.Insert(ctx, gone), relabel(ctx, tx, id, "b"), relabel(ctx, tx, id, "c"))
		return errors.Join(err, tx.Delete(ctx, gone.ID))
	})
	l.has("updated a>c")
}

func reportsNoFailure(c *trial[Stamped]) {
	l := listen(c)
	failed := errors.New("failed")
	err := l.store.Transact(l.ctx, func(ctx context.Context, tx store.Tx[Stamped]) error {
		return errors.Join(tx.Insert(ctx, &Stamped{Label: "a"}), failed)
	})
	if !errors.Is(err, failed) {
		l.Errorf("the transaction returns %v, want %v", err, failed)
	}
	l.has()
}

func reportsNoReads(c *trial[Stamped]) {
	l := listen(c)
	id := l.insert()
	l.calls = nil
	l.transact(func(ctx context.Context, tx store.Tx[Stamped]) error {
		_, err := tx.Get(ctx, id)
		return err //nolint:wrapcheck // a rule compares it
	})
	l.has()
}

func reportsCopies(c *trial[Stamped]) {
	l := listen(c)
	l.also = func(_ context.Context, changes []store.Change) {
		for _, change := range changes {
			if after, ok := change.After.(*Stamped); ok && after != nil {
				after.Label = "changed"
			}
		}
	}
	id := l.insert()
	record, err := l.store.Get(l.ctx, id)
	if err != nil || record.Label != "a" {
		l.Errorf("the record is %+v, %v, and a listener has changed what was reported of it", record, err)
	}
}

func letsListenersIn(c *trial[Stamped]) {
	l := listen(c)
	var err error
	l.also = func(ctx context.Context, changes []store.Change) {
		if labelOf(changes[0].After) == "a" {
			err = store.Insert(ctx, l.store, &Stamped{Label: "b"})
		}
	}
	l.insert()
	if err != nil {
		l.Errorf("a listener cannot write: %v", err)
	}
	if want := []string{"inserted >a", "inserted >b"}; !slices.Equal(slices.Sorted(slices.Values(l.calls)), want) {
		l.Errorf("the listener was called with %q, want %q", l.calls, want)
	}
}
