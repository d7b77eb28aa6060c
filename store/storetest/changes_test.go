package storetest_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores that report changes.
const (
	reportsNothing  fault = "nothing is reported"
	reportsSingly   fault = "each change is a call of its own"
	reportsAll      fault = "each change of a record is reported"
	reportsFailures fault = "transactions that fail are reported"
	reportsReading  fault = "transactions that change nothing are reported"
	reportsItsOwn   fault = "the store's own record is reported"
	reportsWithin   fault = "the listener is called within the transaction"
)

// reporting is a store with a fault that reports its changes.
type reporting struct {
	*memory.Store[storetest.Stamped]

	fault    fault
	listener *store.Listener
}

func newReporting(f fault) store.Store[storetest.Stamped] {
	return &reporting{Store: memory.New[storetest.Stamped](), fault: f}
}

func (s *reporting) Report(listener *store.Listener) {
	if s.listener != nil {
		return
	}
	s.listener = listener
	switch s.fault { //nolint:exhaustive // the other faults report elsewhere
	case none, reportsFailures, reportsReading:
		s.Store.Report(listener)
	case reportsSingly:
		s.Store.Report(&store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
			for i := range changes {
				listener.Committed(ctx, changes[i:i+1])
			}
		}})
	case reportsAll:
		s.Store.Report(&store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
			listener.Committed(ctx, append(changes[:1:1], changes...))
		}})
	case reportsItsOwn:
		s.Store.Report(&store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
			for i := range changes {
				changes[i].After, _ = s.Get(ctx, changes[i].ID)
			}
			listener.Committed(ctx, changes)
		}})
	}
}

func (s *reporting) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Stamped]) error) error {
	change := []store.Change{{ID: int64(1), After: &storetest.Stamped{ID: 1, Label: "a"}}}
	err := s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Stamped]) error {
		err := fn(ctx, tx)
		if s.fault == reportsWithin && err == nil {
			cancelled, cancel := context.WithCancel(ctx)
			cancel() // the context of a transaction that has ended
			s.listener.Committed(cancelled, change)
		}
		return err //nolint:wrapcheck // it is that of the rule
	})
	if s.listener != nil && (s.fault == reportsFailures && err != nil || s.fault == reportsReading) {
		s.listener.Committed(ctx, change)
	}
	return err //nolint:wrapcheck // it is that of the rule
}

func TestEveryRuleOfChangesIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	const (
		commits   = "changes are reported, once for each commit and record"
		unchanged = "a transaction that fails or only reads reports nothing"
	)
	allBroken(t, storetest.ChangeRules(), []broken[storetest.Stamped]{
		{fault: reportsNothing, rules: []string{commits}},
		{fault: reportsSingly, rules: []string{commits}},
		{fault: reportsAll, rules: []string{commits}},
		{fault: reportsFailures, rules: []string{unchanged}},
		{fault: reportsReading, rules: []string{unchanged}},
		{fault: reportsItsOwn, rules: []string{"reported records are copies"}},
		{fault: reportsWithin, rules: []string{"a listener may use the store"}},
	}, func(f broken[storetest.Stamped]) store.Store[storetest.Stamped] { return newReporting(f.fault) })
}
