package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

func changeRules() []rule[*trial[stamped]] {
	return []rule[*trial[stamped]]{
		{
			"an insert, an update and a delete are reported",
			"Each change must have the record before and after, and its identifier, because a listener cannot load a record that no longer exists.",
			reportsEachChange,
		},
		{"a commit is reported once", "One call must have all changes in order, including those of transactions that joined, because they were saved together.", reportsCommitsOnce},
		{"a record that is changed twice gives one change", "It leads from the record before the transaction to the record after it. A record that was inserted and deleted is not reported.", joinsChanges},
		{"a transaction that fails reports nothing", "Its changes were not saved.", reportsNoFailure},
		{"a transaction that only reads reports nothing", "The listener must be called only if something changed.", reportsNoReads},
		{"reported records are copies", "A listener may change them, which must not change the stored records.", reportsCopies},
		{"a listener may use the store", "The listener must be called after the transaction has ended, with a context that does not carry it.", letsListenersIn},
	}
}

// listened is a store with the changes that it has reported.
type listened struct {
	*trial[stamped]

	calls []string
	also  func(ctx context.Context, changes []store.Change) // called by the listener too, if not nil
}

// listen registers a listener with the store of a trial.
func listen(c *trial[stamped]) *listened {
	c.Helper()
	reporter, ok := c.store.(store.Reporter)
	if !ok {
		c.Fatalf("the store does not implement store.Reporter")
	}
	l := &listened{trial: c}
	listener := &store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
		var reported []string
		for _, change := range changes {
			reported = append(reported, strings.SplitN(change.String(), " ", 2)[0]+" "+labelOf(change.Before)+">"+labelOf(change.After))
		}
		l.calls = append(l.calls, strings.Join(reported, ", "))
		if l.also != nil {
			l.also(ctx, changes)
		}
	}}
	reporter.Report(listener)
	reporter.Report(listener) // has no effect, because it is registered
	return l
}

// labelOf returns the label of a reported record, "" for nil.
func labelOf(record any) string {
	if stamped, ok := record.(*stamped); ok && stamped != nil {
		return stamped.Label
	}
	return ""
}

// insert inserts a record with the label a, and returns its identifier.
func (l *listened) insert() int64 {
	l.Helper()
	record := &stamped{Label: "a"}
	l.trial.insert(record)
	return record.ID
}

// has compares the calls of the listener with the expected ones.
func (l *listened) has(want ...string) {
	l.Helper()
	if !slices.Equal(l.calls, want) {
		l.Errorf("the listener was called with %q, want %q", l.calls, want)
	}
	l.calls = nil
}

func reportsEachChange(c *trial[stamped]) {
	l := listen(c)
	id := l.insert()
	l.has("inserted >a")
	l.update(id, func(r *stamped) { r.Label = "b" })
	l.has("updated a>b")
	l.also = func(_ context.Context, changes []store.Change) {
		if changes[0].ID != id {
			l.Errorf("the identifier is %v, want %v", changes[0].ID, id)
		}
	}
	l.remove(id)
	l.has("deleted b>")
}

func reportsCommitsOnce(c *trial[stamped]) {
	l := listen(c)
	l.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
		if err := tx.Insert(ctx, &stamped{Label: "a"}); err != nil {
			return err
		}
		return store.Insert(ctx, l.store, &stamped{Label: "b"})
	})
	l.has("inserted >a, inserted >b")
}

func joinsChanges(c *trial[stamped]) {
	l := listen(c)
	id := l.insert()
	l.calls = nil
	l.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
		gone := &stamped{Label: "gone"}
		relabel := func(label string) error { return updating(id, func(r *stamped) { r.Label = label })(ctx, tx) }
		err := errors.Join(tx.Insert(ctx, gone), relabel("b"), relabel("c"))
		return errors.Join(err, tx.Delete(ctx, gone.ID))
	})
	l.has("updated a>c")
}

func reportsNoFailure(c *trial[stamped]) {
	l := listen(c)
	l.rollsBack(inserting(&stamped{Label: "a"}))
	l.has()
}

func reportsNoReads(c *trial[stamped]) {
	l := listen(c)
	id := l.insert()
	l.calls = nil
	l.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
		_, err := tx.Get(ctx, id)
		return err
	})
	l.has()
}

func reportsCopies(c *trial[stamped]) {
	l := listen(c)
	l.also = func(_ context.Context, changes []store.Change) {
		for _, change := range changes {
			if after, ok := change.After.(*stamped); ok && after != nil {
				after.Label = "changed"
			}
		}
	}
	id := l.insert()
	if record := l.get(id); record.Label != "a" {
		l.Errorf("a listener has changed the stored record to %+v", record)
	}
}

func letsListenersIn(c *trial[stamped]) {
	l := listen(c)
	var err error
	l.also = func(ctx context.Context, changes []store.Change) {
		if labelOf(changes[0].After) == "a" {
			err = store.Insert(ctx, l.store, &stamped{Label: "b"})
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
