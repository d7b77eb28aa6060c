package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// shown has the fields of typical access rules: published, owner and kind.
type shown struct {
	ID        int64  `json:"id"`
	Published *bool  `json:"published" api:"filter"`
	Owner     int    `json:"owner" api:"filter"`
	Kind      string `json:"kind" api:"filter"`
	Weight    int    `json:"weight"`
}

// alternative is one list of a group, with its meaning.
type alternative struct {
	asked []store.Condition
	holds func(r *shown) bool
}

func alternatives(random *rand.Rand) []alternative {
	owner, kinds, weight := random.IntN(12), []any{"a", "b", "c"}[:1+random.IntN(3)], random.IntN(10)
	published := condition("published", store.Equal, true)
	return []alternative{
		{published, func(r *shown) bool { return r.Published != nil && *r.Published }},
		{condition("owner", store.Equal, owner), func(r *shown) bool { return r.Owner == owner }},
		{condition("owner", store.Equal, 11, 3), func(r *shown) bool { return r.Owner == 11 || r.Owner == 3 }},
		{condition("kind", store.Equal, kinds...), func(r *shown) bool { return slices.Contains(kinds, any(r.Kind)) }},
		{
			append(condition("weight", store.Less, weight), condition("owner", store.Equal, owner)...),
			func(r *shown) bool { return r.Weight < weight && r.Owner == owner },
		},
		{
			append(condition("weight", store.Less, weight), published...),
			func(r *shown) bool { return r.Weight < weight && r.Published != nil && *r.Published },
		},
	}
}

// TestPagesOfGroupsAgreeWithAnOracle reads pages of random groups in the order of the identifier, some of them after
// changes.
func TestPagesOfGroupsAgreeWithAnOracle(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 7))
		var records []shown
		for i := range 1 + random.IntN(700) {
			r := shown{ID: int64(i + 1), Owner: random.IntN(12), Kind: string(rune('a' + random.IntN(20))), Weight: random.IntN(10)}
			if few := random.IntN(10); few > 0 {
				r.Published = new(few > int(seed%4))
			}
			records = append(records, r)
		}
		s := memory.New(records...)
		for range 60 {
			if random.IntN(5) == 0 {
				r := &records[random.IntN(len(records))]
				r.Owner, r.Published = random.IntN(12), new(random.IntN(2) == 0)
				update(t, s, *r)
			}
			checkWindow(t, s, records, random)
		}
	}
}

func update(t *testing.T, s *memory.Store[shown], r shown) {
	t.Helper()
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[shown]) error { return tx.Update(ctx, r.ID, &r) })
	if err != nil {
		t.Fatal(err)
	}
}

func checkWindow(t *testing.T, s *memory.Store[shown], records []shown, random *rand.Rand) {
	t.Helper()
	all := alternatives(random)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:2+random.IntN(2)]
	descending := random.IntN(2) == 0
	query := store.Query{
		Order: []store.Order{{Field: "id", Descending: descending}}, Where: []store.Condition{{}},
		Offset: random.IntN(4) * random.IntN(200), Limit: random.IntN(3) * random.IntN(40), Count: random.IntN(2) == 0,
	}
	for _, each := range all {
		query.Where[0].Any = append(query.Where[0].Any, each.asked)
	}
	after := int64(-1)
	if random.IntN(3) == 0 {
		after = random.Int64N(int64(len(records)) + 2)
		query.After = []any{after}
	}
	want, total := []int64{}, 0
	for i := range records {
		r := &records[i]
		if !slices.ContainsFunc(all, func(a alternative) bool { return a.holds(r) }) {
			continue
		}
		if total++; after < 0 || descending == (r.ID < after) && r.ID != after {
			want = append(want, r.ID)
		}
	}
	if descending {
		slices.Reverse(want)
	}
	want = want[min(query.Offset, len(want)):]
	if query.Limit > 0 {
		want = want[:min(query.Limit, len(want))]
	}
	page, err := s.List(t.Context(), query)
	got := []int64{}
	for _, r := range page.Items {
		got = append(got, r.ID)
	}
	if query.Count && page.Total != total {
		t.Fatalf("the total of %+v is %d, want %d", query, page.Total, total)
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("%+v of %d records: %v %s", query, len(records), err, diff)
	}
}

// TestAPlaceIsForgottenWithAChange tests that a cached position does not outlive the rows it was found in.
func TestAPlaceIsForgottenWithAChange(t *testing.T) {
	t.Parallel()
	s := memory.New(shown{ID: 1, Owner: 1}, shown{ID: 2, Owner: 2}, shown{ID: 3, Owner: 2})
	for i, want := range []string{"[2 3]", "[3]", "[]", "[1]"} {
		for range 2 { // the second uses the cache
			page, err := s.List(t.Context(), store.Query{Where: condition("owner", store.Equal, 2)})
			ids := []int64{}
			for _, r := range page.Items {
				ids = append(ids, r.ID)
			}
			if fmt.Sprint(ids) != want || err != nil {
				t.Errorf("after %d changes the records are %v, want %s (error %v)", i, ids, want, err)
			}
		}
		update(t, s, []shown{{ID: 2, Owner: 3}, {ID: 3, Owner: 1}, {ID: 1, Owner: 2}, {ID: 1, Owner: 2}}[i])
	}
}
