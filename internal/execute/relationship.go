package execute

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Relationship changes one reference of the record that the path names: it replaces what the record has there, adds to
// the list, or removes from it.
func Relationship(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.ofRecord()
	o.compares, o.decode = true, decodeOnto
	return o.writes(o.looks(readItem), o.builds(), []step{{"write", saveRelationship}})
}

// saveRelationship saves the record, unless the reference is what it was: then there is no new version and no new tag.
func saveRelationship(ctx context.Context, c *Call) error {
	if reflect.DeepEqual(c.previous, c.Record) {
		return nil
	}
	return c.Operation.write(ctx, c)
}

// changeList makes of the references that have been sent the list that the record is to have.
// From here on it is as if the whole list had been sent, so that rules, hooks and limits judge what is
// saved. What is added twice, or is there already, is no mistake, and neither is what is gone (JSON:API
// 1.1, "Updating To-Many Relationships").
func changeList(_ context.Context, c *Call) error {
	if !c.decoded.IsEmpty() {
		return nil // which is told by the places in what was sent
	}
	of := c.Operation.Relationship
	field := func(record any) reflect.Value { return of.Field.Value(reflect.ValueOf(record).Elem()) }
	sent, had, made := field(c.Record), field(c.previous), reflect.MakeSlice(of.Field.Type.Go, 0, 0)
	sentKeys := keysOf(sent)
	for i := range had.Len() {
		if of.Change == compiled.Adds || !sentKeys[had.Index(i).Interface()] {
			made = reflect.Append(made, had.Index(i))
		}
	}
	if of.Change == compiled.Adds {
		madeKeys := keysOf(made)
		for i := range sent.Len() {
			if key := sent.Index(i).Interface(); !madeKeys[key] {
				made, c.added, madeKeys[key] = reflect.Append(made, sent.Index(i)), append(c.added, i), true
			}
		}
	}
	field(c.Record).Set(made)
	return nil
}

// keysOf returns the keys of a list of references.
// A body may have tens of thousands, so that they are not compared with one another.
func keysOf(list reflect.Value) map[any]bool {
	found := make(map[any]bool, list.Len())
	for i := range list.Len() {
		found[list.Index(i).Interface()] = true
	}
	return found
}

// placeAdded tells violations of what was added by the places that it has in the body, where it is not
// behind what the record had.
func (c *Call) placeAdded(found *model.Report) {
	f := c.Operation.Relationship.Field
	before := f.Value(reflect.ValueOf(c.previous).Elem()).Len()
	for i := range found.Violations {
		told := found.Violations[i].Violation
		index, rest, isElement := strings.Cut(strings.TrimPrefix(told.Field, f.Name+"["), "]")
		at, err := strconv.Atoi(index)
		if !isElement || err != nil || at < before || at-before >= len(c.added) {
			continue
		}
		element := f.Name + "[" + strconv.Itoa(c.added[at-before]) + "]"
		told.Message = strings.Replace(told.Message, f.Name+"["+index+"]", element, 1)
		told.Field = element + rest
		placed := model.Report{Unlimited: true}
		placed.AddOwn([]validation.Violation{told})
		found.Violations[i] = placed.Violations[0]
	}
}
