package storetest

import (
	"errors"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

// folderField is a reference field of a folder.
type folderField struct {
	name     string
	other    bool // it references the other store
	many     bool
	onDelete string
}

var folderFields = [...]folderField{
	{"in", false, false, "cascade"},
	{"from", false, false, "restrict"},
	{"next", false, false, "null"},
	{"kept", false, true, "restrict"},
	{"loose", false, true, "null"},
	{"under", true, false, "cascade"},
	{"by", true, false, "restrict"},
	{"beside", true, false, "null"},
	{"holds", true, true, "restrict"},
	{"lists", true, true, "cascade"},
}

// spot identifies a folder: the number of its store and its own number.
type spot struct{ store, number int }

// to returns the store that a field of the folder references.
func (p spot) to(f folderField) int {
	if f.other {
		return 1 - p.store
	}
	return p.store
}

// deleteTrial is the test of one rule on two stores, with their expected contents.
type deleteTrial struct {
	scene

	shelves [2]shelf
	want    [2]map[int]references
}

func deleteRules() []rule[*deleteTrial] {
	return []rule[*deleteTrial]{
		{"random deletes match the reference implementation", "Restrict rejects the delete, cascade deletes the referencing record, and null removes the reference, for every type of identifier, in any combination and over any number of steps. " +
			"A restrict reference to the record, or to one that would be deleted with it, takes precedence. References from the deleted record itself do not count.", randomDeletes},
	}
}

// begin empties the stores and fills them: first with all folders, then with their references, which may form cycles.
func (c *deleteTrial) begin(want [2]map[int]references) {
	c.Helper()
	each := func(write func(s shelf, n int, refers references) error) {
		for at, all := range c.want {
			for n, refers := range all {
				if err := write(c.shelves[at], n, refers); err != nil {
					c.Fatalf("write of %v: %v", spot{at, n}, err)
				}
			}
		}
	}
	each(func(s shelf, n int, _ references) error { return s.put(c.ctx, n, nil, false) })
	each(func(s shelf, n int, _ references) error { return s.remove(c.ctx, n) })
	c.want = want
	each(func(s shelf, n int, _ references) error { return s.put(c.ctx, n, nil, true) })
	each(func(s shelf, n int, refers references) error { return s.put(c.ctx, n, refers, false) })
	c.holds("before the delete")
}

// holds compares the stores with their expected contents.
func (c *deleteTrial) holds(when string) {
	c.Helper()
	for i, shelf := range c.shelves {
		got, err := shelf.all(c.ctx)
		if err != nil {
			c.Fatalf("List: %v", err)
		}
		if diff := cmp.Diff(c.want[i], got); diff != "" {
			c.Fatalf("%s: contents of store %d (-want +got):\n%s", when, i, diff)
		}
	}
}

// delete deletes a folder, and checks the error and the remaining folders.
func (c *deleteTrial) delete(at spot) {
	c.Helper()
	restricting := c.expect(at)
	err := c.shelves[at.store].remove(c.ctx, at.number)
	var found store.ReferenceError
	switch {
	case restricting == nil && err != nil:
		c.Fatalf("Delete of %v: %v; want no error, because no restrict reference points to it or to a cascaded record", at, err)
	case restricting != nil && err == nil:
		c.Fatalf("Delete of %v: no error, but these references restrict it: %q", at, restricting)
	case restricting != nil && (!errors.As(err, &found) || !found.Referred || !slices.Contains(restricting, found.Field)):
		c.Fatalf("Delete of %v: %v; want a store.ReferenceError with Referred and one of the fields %q", at, err, restricting)
	}
	c.holds("after a delete")
}

// expect applies a delete to the expected contents. If the delete must fail, it changes nothing and returns the
// restricting fields.
func (c *deleteTrial) expect(root spot) (restricting []string) {
	gone := map[spot]bool{root: true}
	for grows := true; grows; {
		grows = false
		c.each(func(at spot, f folderField, to spot) {
			if f.onDelete == "cascade" && !f.many && gone[to] && !gone[at] {
				gone[at], grows = true, true
			}
		})
	}
	c.each(func(at spot, f folderField, to spot) {
		if f.onDelete == "restrict" && gone[to] && at != root {
			restricting = append(restricting, f.name)
		}
	})
	if restricting != nil {
		return restricting
	}
	for i, all := range c.want {
		for n, refers := range all {
			at := spot{i, n}
			if gone[at] {
				delete(all, n)
				continue
			}
			for _, f := range folderFields {
				refers[f.name] = slices.DeleteFunc(refers[f.name], func(to int) bool { return gone[spot{at.to(f), to}] })
				if len(refers[f.name]) == 0 {
					delete(refers, f.name)
				}
			}
		}
	}
	return nil
}

// each visits all references.
func (c *deleteTrial) each(visit func(at spot, f folderField, to spot)) {
	for i, all := range c.want {
		for n, refers := range all {
			at := spot{i, n}
			for _, f := range folderFields {
				for _, to := range refers[f.name] {
					visit(at, f, spot{at.to(f), to})
				}
			}
		}
	}
}

func randomDeletes(c *deleteTrial) {
	random := newGenerator(23)
	for range trials(120) {
		// Some worlds have many cascades, others few restrictions, because deletes that always fail test little.
		weights := map[string]int{"cascade": random.IntN(4), "null": random.IntN(4), "restrict": random.IntN(2)}
		count := 3 + random.IntN(folderNumbers-2)
		some := func() map[int]references {
			all := map[int]references{}
			for n := range count {
				refers := references{}
				for _, f := range folderFields {
					for range 2 {
						if random.IntN(12) < weights[f.onDelete] && (f.many || refers[f.name] == nil) {
							refers[f.name] = append(refers[f.name], random.IntN(count))
						}
					}
				}
				all[n] = refers
			}
			return all
		}
		c.begin([2]map[int]references{some(), some()})
		for _, n := range random.Perm(2 * count) {
			at := spot{n % 2, n / 2}
			if _, there := c.want[at.store][at.number]; there {
				c.delete(at)
			}
		}
	}
}
