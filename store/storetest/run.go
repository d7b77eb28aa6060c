package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

// patience is how long the calls of one case may take: a store that waits for itself is found, and
// one that the race detector slows down on a busy machine is not blamed.
const patience = time.Minute

// Run tests stores of records whose identifier is a generated integer. Each case calls
// open for a new and empty store; open registers what is to be cleaned up with its t.
func Run(t *testing.T, open func(t *testing.T) store.Store[Record]) {
	t.Helper()
	runAll(t, recordCases(), open)
}

// RunKeyed tests stores of records whose identifier is a string that the client
// chooses, as [Run] does.
func RunKeyed(t *testing.T, open func(t *testing.T) store.Store[Keyed]) {
	t.Helper()
	runAll(t, keyedCases(), open)
}

// RunComposite tests stores of records that several fields identify together, as [Run] does.
func RunComposite(t *testing.T, open func(t *testing.T) store.Store[Seat]) {
	t.Helper()
	runAll(t, compositeCases(), open)
}

// RunUUID tests stores of records whose identifier is a generated UUID, as [Run] does.
func RunUUID(t *testing.T, open func(t *testing.T) store.Store[Token]) {
	t.Helper()
	runAll(t, uuidCases(), open)
}

func runAll[R any](t *testing.T, cases []rule[R], open func(*testing.T) store.Store[R]) {
	t.Helper()
	for _, rule := range cases {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			rule.check(&trial[R]{reporter: t, ctx: ctx, store: open(t)})
		})
	}
}

// rule is one case: a rule that stores follow, why they do, and its test.
type rule[R any] struct {
	name   string
	reason string
	check  func(*trial[R])
}

// trial is the test of one rule on one store.
type trial[R any] struct {
	reporter
	ctx   context.Context //nolint:containedctx // a trial is one call of its rule's check
	store store.Store[R]
}

// reporter is what a rule uses of a *testing.T.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// recordCases lists the rules of [Run].
func recordCases() []rule[Record] {
	var all []rule[Record]
	for _, group := range [][]rule[Record]{
		basicRules(), valueRules(), settledRules(), orderRules(), identifierRules(), uniqueRules(), copyRules(),
		transactionRules(), joinRules(), concurrencyRules(), cancelRules(), batchRules(),
	} {
		all = append(all, group...)
	}
	return all
}
