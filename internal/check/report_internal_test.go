package check

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trove-api/trove/validation"
)

func TestOneViolationForEachValueHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	g := &generator{rand.New(rand.NewPCG(3, 4))}
	path := func() string {
		var parts []string
		for range g.IntN(4) {
			parts = append(parts, pick(g, []string{"a", "b[0]", "b[0][1]", "b[10]", "c[x.y]", "ab"}))
		}
		return strings.Join(parts, ".")
	}
	for range 50 {
		var r report
		for range 3 * few {
			next := path()
			want := false
			for _, v := range r.found {
				want = want || v.Field == next || isBelow(next, v.Field) || isBelow(v.Field, next)
			}
			if got := r.isTold(next); got != want {
				t.Fatalf("%q beside %v is told: %v, want %v", next, r.found, got, want)
			}
			r.add(validation.Violation{Field: next})
		}
	}
}

func TestAPathIsBelowAnother(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path, above string
		want        bool
	}{
		{"a.b", "a", true}, {"a[0]", "a", true}, {"a[0].b", "a[0]", true}, {"a", "a", false}, {"ab", "a", false}, {"a", "a.b", false}, {"b.a", "a", false},
	} {
		if got := isBelow(test.path, test.above); got != test.want {
			t.Errorf("%q is below %q: %v", test.path, test.above, got)
		}
	}
}
