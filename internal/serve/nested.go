package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// nested is a list in the body of an operation, with what loads and saves its records.
type nested struct {
	*compiled.Nested

	list, create, change, remove *Operation
}

// nests completes a Post, Put or Patch whose body has lists. Their records are validated together with that of the body, and
// saved after it. With a function before the transaction, they are read and validated again in it.
func (o *Operation) nests() *Operation {
	for _, n := range o.Nested {
		list := nested{Nested: n, list: begin(n.List), create: newNested(n.Create)}
		if n.Change != nil {
			list.change, list.remove = newNested(n.Change), newDelete(n.Delete)
			list.remove.compares, list.remove.finishes = true, []step{{"write", list.remove.write}}
		}
		o.nested = append(o.nested, list)
	}
	return o.writes(slices.Concat(o.applies(), []step{
		{"nested", takeNested},
		when(o.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validateNested},
	}, o.authorizes()), []step{
		when(o.before != nil, "nested", takeNested),
		when(o.before != nil, "validate", validateElements),
		{"write", o.write},
		{"nested", saveNested},
		when(o.Expansions != nil, "expand", embed),
	})
}

// newNested saves a record of a list. Prepare and validation run before anything is saved.
func newNested(op *compiled.Operation) *Operation {
	o := begin(op)
	o.ofRecord()
	o.compares, o.renames, o.hands, o.shownWhole = true, true, false, false
	o.receives = steps(o.applies())
	o.checked = steps([]step{when(o.Resource.Prepare != nil, "prepare", prepare), {"validate", validateBelow}})
	o.finishes = steps(o.authorizes(), o.finishing())
	return o
}

// takeNested makes the calls that save and delete records of the body's lists. It loads the records of all lists, and checks
// access to each, before it decodes the first element, so that an error in one reveals nothing about another.
func takeNested(ctx context.Context, c *call) error {
	c.elements = nil
	var lists map[string]jsontext.Value
	if err := json.Unmarshal(c.body, &lists); err != nil { // it has been decoded once
		return err //nolint:wrapcheck // not shown to clients
	}
	for i := range c.op.nested {
		n := &c.op.nested[i]
		if kind := lists[n.Name].Kind(); kind == jsontext.KindInvalid || kind == jsontext.KindString { // a path, as in responses
			continue
		}
		elements, err := c.take(ctx, n, lists[n.Name])
		if err != nil {
			return err
		}
		c.elements = append(c.elements, elements...)
	}
	if err := c.admit(ctx); err != nil {
		return err
	}
	return c.receiveElements(ctx)
}

// take makes the calls for a list: first those for the records that it omits, then those for its elements.
func (c *call) take(ctx context.Context, n *nested, text jsontext.Value) (elements []*element, err error) {
	texts, err := codec.Elements(text)
	if err != nil {
		return c.wrongList(n, validation.Violation{Code: "type", Message: n.Name + " must be an array"}), nil
	}
	if most := c.op.API.MaxNested; len(texts) > most {
		return c.wrongList(n, validation.Violation{
			Code: "max", Message: fmt.Sprintf("%s must have at most %d elements", n.Name, most), Params: map[string]any{"max": most},
		}), nil
	}
	for i, text := range texts {
		e, err := c.takeElement(n, text, n.Name+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		elements = append(elements, e)
	}
	if c.created {
		return elements, nil
	}
	return c.find(ctx, n, elements)
}

// wrongList returns an element with a violation of a list, instead of those of the list.
func (c *call) wrongList(n *nested, wrong validation.Violation) []*element {
	e := c.newElement(n.create, "")
	wrong.Field = n.Name
	e.wrong.Add(wrong)
	return []*element{e}
}

// find loads the records that elements of a list name. It adds the calls that delete those which the body omits. Because the
// parent may have any number, it reads at most one for each element, and MaxNested and one more.
func (c *call) find(ctx context.Context, n *nested, elements []*element) (found []*element, err error) {
	of, most := n.create.Resource, c.op.API.MaxNested
	listed, isNew := map[any]bool{}, map[any]bool{}
	for _, e := range elements {
		listed[e.id] = true
	}
	err = c.inStore(ctx, of, func(ctx context.Context, tx compiled.Tx) error {
		records, err := c.children(ctx, n.Nested, c.id, store.Query{Fields: of.ID.Names(), Limit: len(elements) + most + 1})
		if err != nil {
			return err
		}
		found = nil
		for _, record := range records {
			if id := of.ID.Of(record); !listed[id] {
				e := c.below(n.remove, nil, n.Name)
				e.id, e.named = id, true
				found = append(found, e)
			}
		}
		if len(found) > most {
			found = c.wrongList(n, validation.Violation{
				Code: "omitted", Message: fmt.Sprintf("%s must not omit more than %d records; delete others first", n.Name, most),
			})
			return nil
		}
		found = append(found, elements...)
		for _, e := range found {
			e.tx = tx
		}
		return readInOrder(ctx, found)
	})
	found = slices.DeleteFunc(found, func(e *element) bool { return e.missing && e.op == n.remove }) // or hidden
	for i, e := range found {
		if !e.missing || !n.Named {
			continue
		}
		found[i] = c.below(n.create, e.body, e.place)
		if isNew[e.id] {
			found[i].found = false
			found[i].reportDuplicate()
		}
		isNew[e.id] = true
	}
	return found, err
}

// takeElement makes the call for an element: that of a new record, unless the element has an identifier.
func (c *call) takeElement(n *nested, text jsontext.Value, place string) (*element, error) {
	switch {
	case text.Kind() != jsontext.KindBeginObject:
		e := c.newElement(n.create, place)
		e.wrong.Add(validation.Violation{Code: "type", Message: place + " must be an object"})
		return e, nil
	case c.created:
		return c.below(n.create, text, place), nil
	}
	blank := n.create.Resource.Codec.New()
	decoded, err := n.Key.Decode(text, blank)
	if err != nil {
		return nil, malformed(err, "")
	}
	wrong := slices.DeleteFunc(decoded.Violations, func(v model.Violation) bool {
		return !slices.ContainsFunc(n.Keys, func(f *model.Field) bool { return f.Name == v.Field })
	})
	record := reflect.ValueOf(blank).Elem()
	switch {
	case len(wrong) > 0:
		e := c.newElement(n.change, place)
		e.wrong.AddAll(wrong)
		return e, nil
	case !slices.ContainsFunc(n.Keys, func(f *model.Field) bool { return !f.Value(record).IsZero() }):
		return c.below(n.create, text, place), nil
	}
	setKey(n.Field, n.Field.Value(record), c.id)
	e := c.below(n.change, text, place)
	e.id, e.named = n.create.Resource.ID.Of(blank), true
	return e, nil
}

// below returns the call for a record below that of the body. A new one gets its reference later if that is new, too.
func (c *call) below(op *Operation, text jsontext.Value, place string) *element {
	e := c.newElement(op, place)
	e.body, e.found, e.created = text, op.Creates, op.Creates
	if c.id != nil {
		e.pathIDs = []any{c.id}
	}
	return e
}

// admit checks that the records of the body's lists exist, that each is in one place, and that the caller may create, change
// or delete each. Then it checks their states.
func (c *call) admit(ctx context.Context) error {
	seen, omitted := map[target]bool{}, map[target]string{} // by which list
	for _, e := range c.elements {
		if !e.missing && (e.named || e.found) {
			if err := authorize(ctx, e.call); err != nil {
				return placed(err, e.place)
			}
		}
		switch id := e.target(); {
		case e.op.Deletes() && omitted[id] != "": // its other list deletes it
			e.named = false
		case e.op.Deletes():
			omitted[id] = e.place
		}
	}
	c.elements = slices.DeleteFunc(c.elements, func(e *element) bool { return e.op.Deletes() && !e.named })
	for _, e := range c.elements {
		if list := omitted[e.target()]; e.named && !e.op.Deletes() && list != "" {
			e.report(validation.Violation{Code: "omitted", Message: "names a record that this request deletes, because it is not in " + list})
			continue
		}
		if err := e.locate(ctx, seen); err != nil {
			return err
		}
	}
	return c.meetElements(ctx)
}

// children returns the records of a list that the collection below a parent shows to the caller, sorted by identifier.
func (c *call) children(ctx context.Context, of *compiled.Nested, parent any, query store.Query) ([]any, error) {
	n := &c.op.nested[slices.IndexFunc(c.op.nested, func(n nested) bool { return n.Nested == of })]
	query.Where = []store.Condition{{Fields: []string{n.Field.Name}, Operator: store.Equal, Values: []any{parent}}}
	page, err := c.newElement(n.list, "").loadPage(ctx, query)
	if err != nil {
		return nil, err
	}
	return all(page.Items), nil
}

// validateNested validates the record of the body and those of its lists, and reports all violations.
func validateNested(ctx context.Context, c *call) error {
	var all model.Report
	err := validate(ctx, c)
	if broken, ok := errors.AsType[invalidError](err); ok {
		all = *broken.found
	} else if err != nil {
		return err
	}
	return c.validateAfter(ctx, &all)
}

// validateBelow validates a record of a list, without its reference if that is set later: it is then validated again.
func validateBelow(ctx context.Context, c *call) error {
	err := validate(ctx, c)
	if err == nil || c.pathIDs != nil {
		return err
	}
	isOf := func(v model.Violation) bool { return v.Field == c.op.Parents[0].Field.Name }
	if broken, ok := errors.AsType[invalidError](err); ok {
		broken.found.Violations = slices.DeleteFunc(broken.found.Violations, isOf)
		return invalid(broken.found, nil)
	}
	if fault, ok := errors.AsType[faultError](err); ok && len(slices.DeleteFunc(fault.found, isOf)) == 0 {
		return nil
	}
	return err
}

// saveNested saves the records of the body's lists, if that of the body is saved.
func saveNested(ctx context.Context, c *call) error {
	if c.unsaved {
		return nil
	}
	parent := c.op.Resource.ID.Of(c.record)
	_, saved, err := c.stored(ctx, parent)
	if err != nil {
		return err
	}
	for _, e := range c.elements {
		err := e.saveIn(ctx, e.op.Resource, func(ctx context.Context) error { return e.saveBelow(ctx, parent) })
		if err != nil {
			return err
		}
	}
	now, state, err := c.stored(ctx, parent)
	if state != nil && !bytes.Equal(state, saved) {
		c.record = now
	}
	return err
}

// stored returns the record of the body as it is stored, and its state. It returns nil unless functions of the user run for
// records of the lists: these may change it, such as its total.
func (c *call) stored(ctx context.Context, id any) (record any, state []byte, err error) {
	if !slices.ContainsFunc(c.elements, func(e *element) bool { return e.op.Hooked }) {
		return nil, nil, nil
	}
	if record, err = c.tx.Get(ctx, id); err == nil {
		state, err = c.appendState(nil, record)
	} else if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return record, state, err
}

// saveBelow saves or deletes a record of a list. Rules look at the record of the body as it is saved.
func (e *element) saveBelow(ctx context.Context, parent any) error {
	e.caller.Forget()
	if e.pathIDs == nil {
		e.pathIDs = []any{parent}
		if err := setParents(ctx, e.call); err != nil {
			return err
		}
		if e.op.Resource.Gate != nil { // the reference has a value now
			if err := guardFields(ctx, e.call); err != nil {
				return err
			}
		}
		if err := validate(ctx, e.call); err != nil {
			return err
		}
	}
	err := e.runSteps(ctx, e.op.finishes)
	if denied, ok := errors.AsType[*forbiddenError](err); ok && denied.Field == e.op.Parents[0].Field.Name {
		denied.Field = "" // the body does not choose it
	}
	return err
}
