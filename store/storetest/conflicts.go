package storetest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
)

// conflicting is a test of records of which some exclude each other.
type conflicting[R any] struct {
	*trial[R]

	next     func(*rand.Rand) *R                            // returns a record without identifier that conflicts often
	id       func(*R) *int64                                // returns its identifier
	breaks   func(r, other *R) (fields [][]string)          // returns the fields of each conflict of two records
	invalid  func(*R) bool                                  // reports whether a record cannot be saved at all
	rejected func(call string, got error, oneOf [][]string) // checks the error of a write that conflicts
}

// writesAtRandom runs transactions with a few writes each, of which the last may be rejected.
func (c conflicting[R]) writesAtRandom() {
	c.Helper()
	random, rejected, last := rand.New(rand.NewPCG(7, 9)), 0, int64(0)
	var saved []*R
	for range 250 {
		all, isInvalid := slices.Clone(saved), false
		var writes []work[R]
		var broken [][]string
		for n := 1 + random.IntN(3); n > 0 && broken == nil && !isInvalid; n-- {
			r, at := c.next(random), len(all)
			if isNew := len(all) == 0 || random.IntN(2) == 0; isNew {
				last++
				*c.id(r) = last
				writes = append(writes, inserting(new(*r)))
			} else {
				at = random.IntN(len(all))
				id := *c.id(all[at])
				*c.id(r), all = id, slices.Delete(all, at, at+1)
				if random.IntN(4) == 0 {
					writes = append(writes, removing[R](id))
					continue
				}
				writes = append(writes, overwriting(id, new(*r), random.IntN(2) == 0))
			}
			for _, other := range all {
				broken = append(broken, c.breaks(r, other)...)
			}
			isInvalid, all = c.invalid(r), slices.Insert(all, at, r)
		}
		err := c.store.Transact(c.ctx, inTurn(writes...))
		text, jsonErr := json.Marshal(all)
		switch {
		case jsonErr != nil:
			c.Fatalf("the records as JSON: %v", jsonErr)
		case isInvalid && err == nil:
			c.Errorf("an invalid record of %s was saved", text)
		case isInvalid:
		case broken != nil:
			rejected++
			c.rejected("a write of one of "+string(text), err, broken)
		case err != nil:
			c.Fatalf("writes that leave the records %s: %v", text, err)
		default:
			saved = all
		}
		c.holds(saved...)
	}
	if rejected < 40 || len(saved) < 5 {
		c.Errorf("%d writes were rejected and %d records are left: the rule tests little", rejected, len(saved))
	}
}
