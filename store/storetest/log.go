package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

func logRules() []rule[*trial[stamped]] {
	return []rule[*trial[stamped]]{
		{
			"the log has an entry for each change of a transaction, in order",
			"It must have them when Transact returns: one for each record, also of transactions that joined, with ascending identifiers. A change without an entry is not logged. Entries are made with the context of the transaction, which shows who makes the change.",
			func(c *trial[stamped]) {
				l := keepLog(c)
				c.insert(&stamped{Label: "a"}, &stamped{Label: "b"})
				l.has("a", "b")
				c.transact(func(ctx context.Context, tx store.Tx[stamped]) error {
					relabel := func(label string) error {
						return updating(any(int64(1)), func(r *stamped) { r.Label = label })(ctx, tx)
					}
					return errors.Join(relabel("c"), store.Delete(ctx, c.store, any(int64(2))), tx.Insert(ctx, &stamped{Label: "unlogged"}), relabel("d"))
				})
				l.has("a", "b", "a>d", "b>")
			},
		},
		{
			"a change and its entry are saved together, or not at all", "The log must have all changes, and no others.",
			func(c *trial[stamped]) {
				l := keepLog(c)
				c.rollsBack(inserting(&stamped{Label: "a"}))
				c.fails("Transact", c.store.Transact(c.ctx, inserting(&stamped{Label: "fails"})), errEntry)
				l.has()
				c.holds()
			},
		},
	}
}

// errEntry is the error of a change whose entry cannot be made.
var errEntry = errors.New("storetest: the entry cannot be made")

// causeKey is the context key of who makes a change.
type causeKey struct{}

// logged is a store that keeps a log.
type logged struct {
	*trial[stamped]

	log store.Store[store.LogEntry]
}

// keepLog makes the store of a trial keep a log.
func keepLog(c *trial[stamped]) logged {
	c.Helper()
	keeper, ok := c.store.(store.LogKeeper)
	if !ok {
		c.Fatalf("the store does not implement store.LogKeeper")
	}
	keeper.KeepLog(func(context.Context, store.Change) (*store.LogEntry, error) { return nil, errEntry }) // is replaced
	keeper.KeepLog(func(ctx context.Context, change store.Change) (*store.LogEntry, error) {
		switch labelOf(change.Record()) {
		case "fails":
			return nil, errEntry
		case "unlogged":
			return nil, nil //nolint:nilnil // there is no entry
		}
		from, to := fmt.Appendf(nil, "%q", labelOf(change.Before)), fmt.Appendf(nil, "%q", labelOf(change.After))
		entry := &store.LogEntry{Record: fmt.Sprint(change.ID), Kind: strings.Fields(change.String())[0], Fields: []string{"label", "more"}}
		entry.Changes = map[string]store.FieldChange{"label": {From: from, To: to}}
		if by, ok := ctx.Value(causeKey{}).(string); ok {
			entry.By = &by
		}
		return entry, nil
	})
	c.ctx = context.WithValue(c.ctx, causeKey{}, "ann")
	log, _ := keeper.Log()
	return logged{c, log}
}

// has compares the log with the expected entries: "to", "from>to" or "from>".
func (l logged) has(want ...string) {
	l.Helper()
	entries, err := store.List(l.ctx, l.log, store.Eq("fields", "label"))
	if err != nil {
		l.Fatalf("List of the log: %v", err)
	}
	var found []string
	for i, e := range entries {
		text := strings.TrimPrefix(strings.ReplaceAll(string(e.Changes["label"].From)+">"+string(e.Changes["label"].To), `"`, ""), ">")
		found = append(found, text)
		if i > 0 && e.ID <= entries[i-1].ID || e.By == nil || e.Record == "" || e.Kind == "" || e.Operation != nil || len(e.Fields) != 2 {
			l.Errorf("the entry is %+v", e)
		}
	}
	if !slices.Equal(found, want) {
		l.Errorf("the log has %q, want %q", found, want)
	}
}
