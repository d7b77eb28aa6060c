package storetest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores that search words.
const (
	findsParts  fault = "parts of words are found"
	findsOne    fault = "one word of a phrase is enough"
	findsOthers fault = "a reversed condition is not reversed"
)

// wordy is a store with a fault that searches words.
type wordy struct {
	*memory.Store[storetest.Tale]

	fault fault
}

func (s wordy) List(ctx context.Context, query store.Query) (store.Page[storetest.Tale], error) {
	query.Where = append([]store.Condition(nil), query.Where...)
	for i := range query.Where {
		switch c := &query.Where[i]; s.fault { //nolint:exhaustive // the other faults are of other stores
		case findsParts:
			c.Operator = store.Contains
		case findsOne:
			for _, value := range c.Values {
				for word := range strings.FieldsSeq(value.(string)) {
					c.Values = append(slices.Clip(c.Values), word)
				}
			}
		case findsOthers:
			c.Not = false
		}
	}
	return s.Store.List(ctx, query) //nolint:wrapcheck // it is that of the rule
}

func TestEveryRuleOfWordsIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	rules := storetest.WordRules().Names()
	allBroken(t, storetest.WordRules(), []broken[storetest.Tale]{{fault: findsParts, rules: rules}, {fault: findsOne, rules: rules}, {fault: findsOthers, rules: rules}},
		func(f broken[storetest.Tale]) store.Store[storetest.Tale] {
			return wordy{memory.New[storetest.Tale](), f.fault}
		})
}
