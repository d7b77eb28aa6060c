package storetest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

func changeRules() []rule[*trial[stamped]] {
	return []rule[*trial[stamped]]{
		{
			"changes are reported, once for each commit and record",
			"One call must have all changes in order, including those of transactions that joined. Each has the record before and after, because a listener cannot load a record that no longer exists. " +
				"A record that is changed twice gives one change, which leads from the record before the transaction to the one after it. One that was inserted and deleted is not reported.",
			reportsCommits,
		},
		{
			"a transaction that fails or only reads reports nothing", "The listener must be called only if something changed.",
			func(c *trial[stamped]) {
				l := listen(c)
				l.rollsBack(inserting(&stamped{Label: "a"}))
				l.has()
				id := l.insert()
				l.has("inserted >a")
				l.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
					_, err := tx.Get(ctx, id)
					return err
				})
				l.has()
			},
		},
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
			if record, _ := cmp.Or(change.After, change.Before).(*stamped); record == nil || change.ID != record.ID {
				c.Errorf("the identifier of the change of %+v is %v", record, change.ID)
			}
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

func reportsCommits(c *trial[stamped]) {
	l, gone := listen(c), &stamped{Label: "gone"}
	id := l.insert()
	l.has("inserted >a")
	relabel := func(label string) work[stamped] {
		return updating(any(id), func(r *stamped) { r.Label = label })
	}
	joined := func(ctx context.Context, _ store.Tx[stamped]) error {
		return store.Insert(ctx, l.store, &stamped{Label: "d"})
	}
	l.transact(inTurn(relabel("b"), inserting(&stamped{Label: "c"}), joined))
	l.has("updated a>b, inserted >c, inserted >d")
	withdrawn := func(ctx context.Context, tx store.Tx[stamped]) error { return tx.Delete(ctx, gone.ID) }
	l.transact(inTurn(inserting(gone), relabel("c"), relabel("e"), withdrawn))
	l.has("updated b>e")
	l.remove(id)
	l.has("deleted e>")
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
