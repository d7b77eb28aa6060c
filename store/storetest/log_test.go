package storetest_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores that keep a log.
const (
	logsNothing   fault = "nothing is logged"
	logsAfter     fault = "entries are saved after the transaction"
	logsForgotten fault = "an entry that cannot be made is left out"
	logsAnonymous fault = "entries are made with another context"
)

// logging is a store with a fault that keeps a log.
type logging struct {
	*memory.Store[storetest.Stamped]

	fault fault
	entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)
}

func newLogging(f fault) store.Store[storetest.Stamped] {
	return &logging{Store: memory.New[storetest.Stamped](), fault: f}
}

func (s *logging) KeepLog(entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)) {
	switch s.fault { //nolint:exhaustive // the other faults log elsewhere
	case none:
		s.Store.KeepLog(entry)
	case logsAfter:
		s.entry = entry
	case logsForgotten:
		s.Store.KeepLog(func(ctx context.Context, change store.Change) (*store.LogEntry, error) {
			made, _ := entry(ctx, change)
			return made, nil
		})
	case logsAnonymous:
		s.Store.KeepLog(func(_ context.Context, change store.Change) (*store.LogEntry, error) {
			return entry(context.Background(), change)
		})
	}
}

// Transact saves an entry although the transaction has failed, if that is the fault.
func (s *logging) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Stamped]) error) error {
	err := s.Store.Transact(ctx, fn)
	if s.entry != nil {
		entry, failed := s.entry(ctx, store.Change{ID: int64(1), After: &storetest.Stamped{ID: 1, Label: "a"}})
		if failed == nil {
			log, _ := s.Log()
			_ = store.Insert(ctx, log, entry)
		}
	}
	return err //nolint:wrapcheck // it is that of the rule
}

func TestEveryRuleOfLogsIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	allBroken(t, storetest.LogRules(), []broken[storetest.Stamped]{
		{fault: logsNothing, rules: []string{"the log has an entry for each change of a transaction, in order"}},
		{fault: logsAfter, rules: []string{"a change and its entry are saved together, or not at all"}},
		{fault: logsForgotten, rules: []string{"a change and its entry are saved together, or not at all"}},
		{fault: logsAnonymous, rules: []string{"the log has an entry for each change of a transaction, in order"}},
	}, func(f broken[storetest.Stamped]) store.Store[storetest.Stamped] { return newLogging(f.fault) })
}
