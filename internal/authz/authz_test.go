package authz_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/store"
)

// TestAQueryAndARecordAgree compares, for random rules, Holds of a record, a query, and the expected result.
func TestAQueryAndARecordAgree(t *testing.T) {
	t.Parallel()
	all, everyone := gems(), callers()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		rule := random(r, 3, false)
		made := compile(t, rule.rule, authz.Reads)
		asked := store.Query{Where: randomConditions(r)}
		for _, w := range everyone {
			c := w.caller()
			alone := made.Decide(c)
			conditions, verdict, err := made.Conditions(t.Context(), c)
			confined := confine(t, c, asked, made)
			if err != nil || verdict == authz.Depends != (len(conditions) > 0) {
				t.Fatalf("%d: %s has %d conditions and the verdict %d for %s: %v", seed, describe(rule.rule), len(conditions), verdict, w.name, err)
			}
			for _, g := range all {
				want := rule.holds(w, g)
				holds, err := made.Holds(t.Context(), c, g)
				inQuery := verdict == authz.Allowed || verdict == authz.Depends && matches(t, conditions, g)
				fits := want && matches(t, asked.Where, g)
				switch {
				case err != nil || holds != want:
					t.Fatalf("%d: %s of %+v holds for %s: %v, want %v: %v", seed, describe(rule.rule), *g, w.name, holds, want, err)
				case inQuery != want:
					t.Fatalf("%d: a query by %s finds %+v for %s: %v, want %v", seed, describe(rule.rule), *g, w.name, inQuery, want)
				case alone == authz.Allowed && !want, alone == authz.Denied && want:
					t.Fatalf("%d: %s is %d for %s, but %v for %+v", seed, describe(rule.rule), alone, w.name, want, *g)
				case matches(t, confined.Where, g) != fits:
					t.Fatalf("%d: %s confines a query for %s to %+v: %v of %+v", seed, describe(rule.rule), w.name, confined.Where, fits, *g)
				}
			}
		}
	}
}

func confine(t *testing.T, c *authz.Caller, query store.Query, rule *authz.Rule) store.Query {
	t.Helper()
	before := slices.Clone(query.Where)
	confined, err := c.Confine(t.Context(), query, rule, nil)
	if err != nil || !reflect.DeepEqual(before, query.Where) {
		t.Fatalf("the query has changed to %+v: %v", query.Where, err)
	}
	return confined
}

// randomConditions are those of a client's filters.
func randomConditions(r *rand.Rand) []store.Condition {
	list := []store.Condition{
		{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{int64(1), int64(2)}},
		{Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{"ruby"}},
		{Fields: []string{"kind", "note"}, Operator: store.Contains, Values: []any{"u"}},
	}
	return list[:r.IntN(len(list)+1):len(list)]
}

// TestCheckOfARecord compiles rules that ask code, which can be in no query.
func TestCheckOfARecord(t *testing.T) {
	t.Parallel()
	made := compile(t, access.All(access.Not(access.Where("public", true)), access.Check("heavy", func(_ context.Context, g *gem) (bool, error) {
		if g.Kind == "opal" {
			return true, store.ErrUnavailable
		}
		return g.Owner == 2, nil
	})), authz.Changes)
	if !made.Runs() || made.Decide(new(authz.Caller)) != authz.Depends {
		t.Error("a rule that calls code does not say so, or does not depend on the record")
	}
	for _, g := range gems() {
		holds, err := made.Holds(t.Context(), new(authz.Caller), g)
		if fails := !g.Public && g.Kind == "opal"; holds != (!g.Public && !fails && g.Owner == 2) || (err != nil) != fails {
			t.Errorf("%+v: %v, %v", *g, holds, err)
		}
	}
}

func TestTheFunctionOfAPrincipalIsCalledOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	own := access.Equal("owner", func(m *miner) int64 { calls++; return m.id })
	made, c := compile(t, access.Any(own, access.Where("public", true)), authz.Reads), who{principal: &miner{id: 1}}.caller()
	for range 3 {
		if _, _, err := made.Conditions(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, g := range gems() {
			if _, err := made.Holds(t.Context(), c, g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if calls != 1 {
		t.Errorf("the function was called %d times", calls)
	}
	if c.Set(&miner{id: 2}, nil); made.Decide(c) != authz.Depends {
		t.Error("without a record the rule depends on it")
	}
	if holds, err := made.Holds(t.Context(), c, &gem{Owner: 2}); err != nil || !holds || calls != 2 {
		t.Errorf("the value of an earlier principal was used: %v after %d calls (%v)", holds, calls, err)
	}
}
