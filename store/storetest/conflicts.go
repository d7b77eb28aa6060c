package storetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// conflict is a unique field or a constraint: what two records must not have in common.
type conflict struct {
	*filter.Constraint

	is func(error) bool // reports whether an error is that of a write that breaks it
}

// conflictsOf returns the unique fields and the constraints of a struct. A unique field is a constraint of one field.
func conflictsOf[R any]() (all []conflict) {
	record, _ := model.Compile(reflect.TypeFor[R]()) // tests of all structs show that it succeeds, as does ConstraintOf
	for _, f := range record.Fields {
		if f.Unique && !record.Identifier().Has(f.Name) {
			over, _ := filter.ConstraintOf(record, &model.RecordConstraint{Unique: true, Fields: []*model.Field{f}})
			all = append(all, conflict{over, func(err error) bool { return errors.Is(err, store.UniqueError{Field: f.Name}) }})
		}
	}
	for _, of := range record.Constraints {
		if !of.IsIndex() {
			over, _ := filter.ConstraintOf(record, of)
			all = append(all, conflict{over, func(err error) bool {
				broken, _ := errors.AsType[store.ConstraintError](err)
				isOwn := of.Named && broken.Message != "" && broken.Message != periodMessage
				return slices.Equal(broken.Fields, of.Broken.Fields) && (isOwn || broken.Message == of.Broken.Message)
			}})
		}
	}
	return all
}

// conflictsWith returns those of all conflicts that a record has with others, and an error if it cannot be saved at all.
func conflictsWith[R any](record *R, others []*R, all []conflict) (found []conflict, invalid error) {
	for _, each := range all {
		key, period, err := each.Read(reflect.ValueOf(record).Elem())
		invalid = cmp.Or(invalid, err)
		for _, other := range others {
			otherKey, otherPeriod, err := each.Read(reflect.ValueOf(other).Elem())
			invalid = cmp.Or(invalid, err)
			if !key.IsNull() && key == otherKey && (each.From == nil || period.Overlaps(otherPeriod)) {
				found = append(found, each)
			}
		}
	}
	return found, invalid
}

// writesAtRandom runs transactions with a few writes each, of which the last may be rejected. The function next returns a
// record that conflicts often.
func writesAtRandom[R any](c *trial[R], next func(*generator) *R) {
	c.Helper()
	random, rejected, last, possible := newGenerator(7), 0, int64(0), conflictsOf[R]()
	var saved []*R
	for range 250 {
		all := slices.Clone(saved)
		var writes []work[R]
		var broken []conflict
		var invalid error
		for n := 1 + random.IntN(3); n > 0 && broken == nil && invalid == nil; n-- {
			r, at := next(random), len(all)
			if isNew := len(all) == 0 || random.coin(); isNew {
				last++
				c.id.Set(r, last)
				writes = append(writes, inserting(new(*r)))
			} else {
				at = random.IntN(len(all))
				id := c.id.Of(all[at])
				c.id.Set(r, id)
				all = slices.Delete(all, at, at+1)
				if random.IntN(4) == 0 {
					writes = append(writes, removing[R](id))
					continue
				}
				writes = append(writes, overwriting(id, new(*r), random.coin()))
			}
			broken, invalid = conflictsWith(r, all, possible)
			all = slices.Insert(all, at, r)
		}
		err := c.store.Transact(c.ctx, inTurn(writes...))
		text, jsonErr := json.Marshal(all)
		switch {
		case jsonErr != nil:
			c.Fatalf("the records as JSON: %v", jsonErr)
		case invalid != nil && err == nil:
			c.Errorf("an invalid record of %s was saved", text)
		case invalid != nil:
		case broken != nil:
			rejected++
			c.fails("a write of one of "+string(text), err, store.ErrConflict)
			if !slices.ContainsFunc(broken, func(each conflict) bool { return each.is(err) }) {
				c.Errorf("a write of one of %s: error %#v, want the store.UniqueError or store.ConstraintError with the fields and the message", text, err)
			}
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
