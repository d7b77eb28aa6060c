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

// Relationship changes one reference of the record that the path names: it replaces the reference, adds to a list, or
// removes from it.
func Relationship(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.ofRecord()
	o.compares, o.decode = true, decodeOnto
	return o.writes(o.looks(readItem), o.builds(), []step{{"write", saveRelationship}})
}

// saveRelationship saves the record. An unchanged record is not saved, so that it keeps its version and ETag.
func saveRelationship(ctx context.Context, c *Call) error {
	if reflect.DeepEqual(c.previous, c.Record) {
		return nil
	}
	return c.Operation.write(ctx, c)
}

// changeList adds the references of the body to the record's list, or removes them. The later steps treat the result as if
// the client had sent the whole list, so that rules, hooks and limits apply to what is saved. Adding a reference that is
// already in the list and removing one that is not are allowed (JSON:API 1.1, "Updating To-Many Relationships").
func changeList(_ context.Context, c *Call) error {
	if !c.decoded.IsEmpty() {
		return nil // reported by the places in the body
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

// keysOf returns the keys of a list of references as a set, because a body may have tens of thousands.
func keysOf(list reflect.Value) map[any]bool {
	found := make(map[any]bool, list.Len())
	for i := range list.Len() {
		found[list.Index(i).Interface()] = true
	}
	return found
}

// placeAdded changes the places of violations from the record's list to the list in the body, which has only the added
// references.
func (c *Call) placeAdded(found *model.Report) {
	f := c.Operation.Relationship.Field
	before := f.Value(reflect.ValueOf(c.previous).Elem()).Len()
	for i := range found.Violations {
		violation := found.Violations[i].Violation
		index, rest, isElement := strings.Cut(strings.TrimPrefix(violation.Field, f.Name+"["), "]")
		at, err := strconv.Atoi(index)
		if !isElement || err != nil || at < before || at-before >= len(c.added) {
			continue
		}
		element := f.Name + "[" + strconv.Itoa(c.added[at-before]) + "]"
		violation.Message = strings.Replace(violation.Message, f.Name+"["+index+"]", element, 1)
		violation.Field = element + rest
		placed := model.Report{Unlimited: true}
		placed.AddOwn([]validation.Violation{violation})
		found.Violations[i] = placed.Violations[0]
	}
}
