package storetest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/storetest"
)

// broken is a store with a fault, and the rules that it breaks.
type broken[R any] struct {
	fault  fault
	damage func(*R)
	rules  []string
}

func recordSchema() schema[storetest.Record] {
	return schema[storetest.Record]{
		name:     "id",
		id:       func(r *storetest.Record) any { return r.ID },
		generate: func(r *storetest.Record, n int64) { r.ID = n },
		number:   func(r *storetest.Record) int64 { return r.ID },
		unique: func(r *storetest.Record) map[string]*string {
			return map[string]*string{"email": &r.Email, "serial": r.Serial}
		},
		less: func(a, b *storetest.Record) int { return int(a.ID - b.ID) },
		merge: func(old, changed *storetest.Record) {
			if changed.Name != "" {
				old.Name = changed.Name
			}
		},
		fold: folded,
	}
}

func keyedSchema() schema[storetest.Keyed] {
	return schema[storetest.Keyed]{
		name:   "nickname",
		id:     func(k *storetest.Keyed) any { return k.Nickname },
		unique: func(*storetest.Keyed) map[string]*string { return nil },
		less:   func(a, b *storetest.Keyed) int { return strings.Compare(a.Nickname, b.Nickname) },
		fold:   folded,
	}
}

func tokenSchema() schema[storetest.Token] {
	return schema[storetest.Token]{
		name: "id",
		id:   func(t *storetest.Token) any { return t.ID },
		generate: func(t *storetest.Token, n int64) {
			t.ID = uuid.UUID{}
			t.ID[15] = byte(n)
		},
		number: func(t *storetest.Token) int64 {
			if t.ID == uuid.Nil {
				return 0
			}
			return int64(t.ID[15])
		},
		unique: func(*storetest.Token) map[string]*string { return nil },
		less:   func(a, b *storetest.Token) int { return strings.Compare(a.ID.String(), b.ID.String()) },
	}
}

func folded(id any) any {
	if text, ok := id.(string); ok {
		return strings.ToLower(strings.TrimSpace(text))
	}
	return id
}

func sound[R any](s schema[R]) func(*testing.T, any) store.Store[R] {
	return func(*testing.T, any) store.Store[R] { return newPlain(s, none, nil) }
}

func TestSoundStoresPass(t *testing.T) {
	t.Parallel()
	storetest.Suite[any]{
		Integers: sound(recordSchema()), Responses: sound(recordSchema()), Strings: sound(keyedSchema()), UUIDs: sound(tokenSchema()),
		Stamps:  func(*testing.T, any) store.Store[storetest.Stamped] { return newStamper(none) },
		Log:     func(*testing.T, any) store.Store[storetest.Stamped] { return newLogging(none) },
		Changes: func(*testing.T, any) store.Store[storetest.Stamped] { return newReporting(none) },
	}.Run(t)
}

func TestEveryRuleIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	allBroken(t, storetest.RecordRules(), recordFaults(), func(f broken[storetest.Record]) store.Store[storetest.Record] {
		return newPlain(recordSchema(), f.fault, f.damage)
	})
	allBroken(t, storetest.ResponseRules(), responseFaults(), func(f broken[storetest.Record]) store.Store[storetest.Record] {
		return newPlain(recordSchema(), f.fault, nil)
	})
	allBroken(t, storetest.KeyedRules(), keyedFaults(), func(f broken[storetest.Keyed]) store.Store[storetest.Keyed] {
		return newPlain(keyedSchema(), f.fault, f.damage)
	})
	allBroken(t, storetest.UUIDRules(), tokenFaults(), func(f broken[storetest.Token]) store.Store[storetest.Token] {
		return newPlain(tokenSchema(), f.fault, f.damage)
	})
}

// notices checks that these rules are among the broken ones.
func notices(t *testing.T, broken []string, rules ...string) {
	t.Helper()
	for _, rule := range rules {
		if !slices.Contains(broken, rule) {
			t.Errorf("the rule %q passes; broken are %q", rule, broken)
		}
	}
}

// chances is how often a fault may stay hidden: transactions that overwrite each other stay hidden if the machine runs
// them one after the other.
const chances = 20

// allBroken checks that each faulty store fails its rules, and that each rule has such a store.
func allBroken[R any](t *testing.T, suite storetest.Rules[R], faults []broken[R], open func(broken[R]) store.Store[R]) {
	t.Helper()
	var caught []string
	for _, f := range faults {
		caught = append(caught, f.rules...)
		for _, rule := range f.rules {
			t.Run(string(f.fault)+"/"+rule, func(t *testing.T) {
				t.Parallel()
				if hangs := f.fault == keepsLock || f.fault == waitsForever || f.fault == blocksEachOther; hangs && testing.Short() {
					t.Skip("hangs until the time limit")
				}
				for range chances {
					if suite.Breaks(t, rule, open(f), time.Second) != nil {
						return
					}
				}
				t.Errorf("%s, but the rule %q passes", f.fault, rule)
			})
		}
	}
	rules := suite.Names()
	slices.Sort(rules)
	slices.Sort(caught)
	if diff := cmp.Diff(rules, slices.Compact(caught)); diff != "" {
		t.Errorf("rules without a store that breaks them (-):\n%s", diff)
	}
	if !suite.Explained() {
		t.Error("a rule has no reason")
	}
}

func TestTimesAreComparedAsInstants(t *testing.T) {
	t.Parallel()
	utc := func(r *storetest.Record) { r.SeenAt = r.SeenAt.In(time.UTC) }
	subject := newPlain(recordSchema(), changes, utc)
	if complaints := storetest.RecordRules().Breaks(t, aValue, subject, time.Minute); complaints != nil {
		t.Errorf("a store that keeps times in UTC: %q", complaints)
	}
}
