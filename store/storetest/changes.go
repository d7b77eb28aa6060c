package storetest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

func changeRules() []rule[*trial[stamped]] {
	relabel := func(ctx context.Context, tx store.Tx[stamped], id int64, label string) error {
		return updating(any(id), func(r *stamped) { r.Label = label })(ctx, tx)
	}
	rules := []rule[*trial[stamped]]{
		{"a transaction that fails reports nothing", "Its changes were not saved.", func(c *trial[stamped]) {
			l := listen(c)
			l.rollsBack(inserting(&stamped{Label: "a"}))
			l.has()
		}},
		{"reported records are copies", "A listener may change them, which must not change the stored records.", reportsCopies},
		{"a listener may use the store", "The listener must be called after the transaction has ended, with a context that does not carry it.", letsListenersIn},
	}
	for _, each := range []struct {
		name, reason string
		work         func(ctx context.Context, l *listened, tx store.Tx[stamped], id int64) error // on the record a
		want         []string
	}{
		{
			"inserts and updates are reported, once for each commit",
			"One call must have all changes in order, including those of transactions that joined. Each has the record before and after, because a listener cannot load a record that no longer exists.",
			func(ctx context.Context, l *listened, tx store.Tx[stamped], id int64) error {
				added := &stamped{Label: "c"}
				return errors.Join(relabel(ctx, tx, id, "b"), tx.Insert(ctx, added), store.Insert(ctx, l.store, &stamped{Label: "d"}))
			},
			[]string{"updated a>b, inserted >c, inserted >d"},
		},
		{
			"a delete is reported", "The change has the record before, and no record after.",
			func(ctx context.Context, _ *listened, tx store.Tx[stamped], id int64) error {
				return tx.Delete(ctx, id)
			},
			[]string{"deleted a>"},
		},
		{
			"a record that is changed twice gives one change",
			"It leads from the record before the transaction to the record after it. A record that was inserted and deleted is not reported.",
			func(ctx context.Context, _ *listened, tx store.Tx[stamped], id int64) error {
				gone := &stamped{Label: "gone"}
				return errors.Join(tx.Insert(ctx, gone), relabel(ctx, tx, id, "b"), relabel(ctx, tx, id, "c"), tx.Delete(ctx, gone.ID))
			},
			[]string{"updated a>c"},
		},
		{
			"a transaction that only reads reports nothing", "The listener must be called only if something changed.",
			func(ctx context.Context, _ *listened, tx store.Tx[stamped], id int64) error {
				_, err := tx.Get(ctx, id)
				return err
			}, nil,
		},
	} {
		rules = append(rules, rule[*trial[stamped]]{each.name, each.reason, func(c *trial[stamped]) {
			l := listen(c)
			id := l.insert()
			l.has("inserted >a")
			l.transact(func(ctx context.Context, tx store.Tx[stamped]) error { return each.work(ctx, l, tx, id) })
			l.has(each.want...)
		}})
	}
	return rules
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
