package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/filter"
)

// keysOf returns the rest of the keys of a cursor.
func keysOf(c cursor) (keys []filter.Value) {
	for r := c.next(); r != nil; r = c.next() {
		keys = append(keys, r.key)
	}
	return keys
}

// checkTree compares what a tree returns with a sorted list of its keys.
func checkTree(t *testing.T, in *tree, want []filter.Value, random *rand.Rand) {
	t.Helper()
	from, skipped := filter.Text(fmt.Sprintf("%05d", random.IntN(6000))), random.IntN(len(want)+2)
	i, _ := slices.BinarySearchFunc(want, from, filter.Value.Compare)
	backwards := slices.Clone(want)
	slices.Reverse(backwards)
	ahead, back := in.all(false), in.all(true)
	ahead.skip(skipped)
	back.skip(skipped)
	for name, test := range map[string]struct{ got, want []filter.Value }{
		"all":                {keysOf(in.all(false)), want},
		"all, backwards":     {keysOf(in.all(true)), backwards},
		"rest":               {keysOf(ahead), want[min(skipped, len(want)):]},
		"rest, backwards":    {keysOf(back), backwards[min(skipped, len(want)):]},
		"from a key":         {keysOf(in.seek(from, false)), want[i:]},
		"before a key":       {keysOf(in.seek(from, true)), backwards[len(want)-i:]},
		"number of the rows": {make([]filter.Value, in.count), make([]filter.Value, len(want))},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Fatalf("%s: the tree has %d rows, want %d, or others", name, len(test.got), len(test.want))
		}
	}
	if found := in.get(from); (found != nil) != slices.Contains(want, from) {
		t.Fatalf("the tree has %v: %t", from, found != nil)
	}
}

// A tree has thousands of rows here, so that blocks are split and removed.
func TestTreesOfEarlierStatesKeepTheirRows(t *testing.T) {
	t.Parallel()
	type saved struct {
		tree
		keys []filter.Value
	}
	random := rand.New(rand.NewPCG(1, 2))
	var states []saved
	var now saved
	for version := range uint64(60) {
		now.keys = slices.Clone(now.keys)
		grows := version%20 < 13
		for range random.IntN(400) {
			n := random.IntN(6000)
			if version < 5 {
				n = len(now.keys) // in order, as identifiers usually are
			}
			key := filter.Text(fmt.Sprintf("%05d", n))
			i, has := slices.BinarySearchFunc(now.keys, key, filter.Value.Compare)
			switch {
			case grows || version < 5:
				now.set(&row{key: key}, version)
				if !has {
					now.keys = slices.Insert(now.keys, i, key)
				}
			case len(now.keys) > 0:
				key = now.keys[min(i, len(now.keys)-1)]
				now.delete(key, filter.Value{}, version)
				now.keys = slices.DeleteFunc(now.keys, func(other filter.Value) bool { return other == key })
			}
		}
		states = append(states, now)
		for _, i := range []int{random.IntN(len(states)), len(states) - 1} {
			checkTree(t, &states[i].tree, states[i].keys, random)
		}
	}
	for len(now.keys) > 0 {
		now.delete(now.keys[0], filter.Value{}, 60)
		now.delete(now.keys[0], filter.Value{}, 60) // deletes nothing
		now.keys = now.keys[1:]
	}
	checkTree(t, &now.tree, nil, random)
}
