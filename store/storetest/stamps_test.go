package storetest_test

import (
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores that stamp.
const (
	saysNothing     fault = "the store does not say that it stamps"
	stampsNothing   fault = "nothing is stamped"
	countsGiven     fault = "the version is counted from the writer's"
	keepsGivenTimes fault = "times that are set stay"
	losesCreated    fault = "updates clear the time of creation"
	fixesCreated    fault = "the time of creation is always that of the insert"
	countsChanges   fault = "updates without a change are not counted"
	neverWraps      fault = "the version stays at its largest"
	countsAlways    fault = "versions are counted apart from transactions"
)

func stampedSchema(f fault) schema[storetest.Stamped] {
	counted := map[int64]int8{}
	s := schema[storetest.Stamped]{
		name:     "id",
		id:       func(r *storetest.Stamped) any { return r.ID },
		generate: func(r *storetest.Stamped, n int64) { r.ID = n },
		number:   func(r *storetest.Stamped) int64 { return r.ID },
		unique:   func(*storetest.Stamped) map[string]*string { return nil },
		less:     func(a, b *storetest.Stamped) int { return int(a.ID - b.ID) },
	}
	s.stamp = func(record, stored *storetest.Stamped) {
		if f == stampsNothing || f == countsChanges && stored != nil && record.Label == stored.Label {
			return
		}
		from := storetest.Stamped{Created: time.Now()}
		if stored != nil {
			from = *stored
		}
		switch f { //nolint:exhaustive // the other faults count correctly
		case countsGiven:
			from.Version = record.Version
		case countsAlways:
			from.Version = counted[record.ID]
			counted[record.ID]++
		}
		record.Version = from.Version + 1
		if f == neverWraps {
			record.Version = max(from.Version, record.Version)
		} else if record.Version <= 0 {
			record.Version = 1
		}
		if f != losesCreated && record.Created.IsZero() || f == fixesCreated {
			record.Created = from.Created
		}
		if f != keepsGivenTimes || record.Modified.IsZero() {
			record.Modified = time.Now()
		}
	}
	return s
}

// stamper is a plain store that implements store.Stamper.
type stamper struct{ *plain[storetest.Stamped] }

func (stamper) Stamps() bool { return true }

func newStamper(f fault) store.Store[storetest.Stamped] {
	s := newPlain(stampedSchema(f), f, nil)
	if f == saysNothing {
		return s
	}
	return stamper{s}
}

func TestEveryRuleOfStampsIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	allBroken(t, storetest.StampRules(), []broken[storetest.Stamped]{
		{fault: saysNothing, rules: []string{"a store that stamps implements store.Stamper"}},
		{fault: stampsNothing, rules: []string{"random writes set the version and both times"}},
		{fault: countsGiven, rules: []string{"random writes set the version and both times"}},
		{fault: keepsGivenTimes, rules: []string{"random writes set the version and both times"}},
		{fault: losesCreated, rules: []string{"random writes set the version and both times"}},
		{fault: fixesCreated, rules: []string{"random writes set the version and both times"}},
		{fault: countsChanges, rules: []string{"random writes set the version and both times"}},
		{fault: neverWraps, rules: []string{"random writes set the version and both times"}},
		{fault: countsAlways, rules: []string{"random writes set the version and both times"}},
		{fault: locksNothing, rules: []string{"each of several concurrent updates adds one to the version"}},
	}, func(f broken[storetest.Stamped]) store.Store[storetest.Stamped] { return newStamper(f.fault) })
}
