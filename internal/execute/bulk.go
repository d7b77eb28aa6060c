package execute

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// Bulk calls a handler whose body creates or changes records. Element is the operation that saves each record, from
// CreateElement or UpdateElement.
func Bulk(op *compiled.Operation, with Functions, element *Operation) *Operation {
	o := begin(op, with)
	o.compares, o.decode, o.element = true, decodeIn, element
	o.savesBy(putRecord)
	var read func(ctx context.Context, c *Call) error
	if op.Item {
		read = readItem
	}
	// Bodies with new records of the resource are decoded like any other body. All others are applied to records.
	decoded := op.Creating != nil && !element.HasInput
	guards := decoded && op.Creating.Gate != nil
	return o.writes(o.looks(read), []step{
		when(decoded, "deserialize", deserialize),
		when(!decoded, "deserialize", takeElements),
		when(guards, "members", guardCreating),
		when(decoded, "validate", validateBody),
		when(!decoded, "validate", validateElements),
		when(guards, "authorize", guardCreated),
	}, []step{
		when(decoded, "elements", takeCreated),
		{"write", handleElements},
	})
}

// handleElements calls the handler with the records of the body.
func handleElements(ctx context.Context, c *Call) error {
	list := make([]any, len(c.elements))
	for i, e := range c.elements {
		var fields []string
		if c.Operation.Patching != nil {
			fields = membersOf(e.Body)
		}
		list[i] = c.Operation.Handler.Element(e.Record, e.previous, fields, e.save)
	}
	return c.handle(ctx, list)
}

// guardCreating rejects a body that sets a field of a new record which the caller may not write at all, also to a value
// with a wrong type.
func guardCreating(ctx context.Context, c *Call) error {
	for i := range c.Operation.Creating.Gate.List {
		m := &c.Operation.Creating.Gate.List[i]
		if v := c.mistyped(m); v != nil && m.Write.Decide(&c.caller) == authz.Denied {
			above, _, isListed := strings.Cut(v.Field, "].")
			if above += "]."; !isListed {
				above = ""
			}
			return &ForbiddenError{Denial: m.Write.Denial(ctx, &c.caller, nil), Field: above + m.Field.Name}
		}
	}
	return c.checkCreating(ctx, authz.Denied)
}

// guardCreated rejects a body whose new records, complete by now, break rules of fields that it sets.
func guardCreated(ctx context.Context, c *Call) error { return c.checkCreating(ctx, authz.Depends) }

// checkCreating checks the write rules of the fields with the given verdict for the caller, for each record that a body
// creates. Fields that the body omits or sets to their default pass.
func (c *Call) checkCreating(ctx context.Context, when authz.Verdict) error {
	r := c.Operation.Creating
	for i := range r.Gate.List {
		m := &r.Gate.List[i]
		if m.Write.Decide(&c.caller) != when {
			continue
		}
		err := c.eachIn(func(above string, record reflect.Value) error {
			if isSameIn(r, m.Field, record.Addr().Interface(), r.Codec.New()) {
				return nil
			}
			holds, err := m.Write.Holds(ctx, &c.caller, record.Addr().Interface())
			if err == nil && !holds {
				err = &ForbiddenError{Denial: m.Write.Denial(ctx, &c.caller, record.Addr().Interface()), Field: above + m.Field.Name}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachIn visits the struct of a handler's body, or each of a list, with the prefix of its fields in the body, until there
// is an error.
func (c *Call) eachIn(visit func(above string, record reflect.Value) error) error {
	v := reflect.ValueOf(c.in).Elem()
	if c.Operation.In.Type.Kind != model.List {
		return visit("", v)
	}
	for i := range v.Len() {
		if err := visit("["+strconv.Itoa(i)+"].", v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// takeCreated makes the calls that save the records of a body. They have their part of the body only if rules of fields
// need it.
func takeCreated(_ context.Context, c *Call) error {
	var texts []jsontext.Value
	if c.Operation.Creating.Gate != nil {
		var err error
		if texts, err = c.split(); err != nil {
			return malformed(err, "")
		}
	}
	return c.eachIn(func(_ string, record reflect.Value) error {
		e := c.newElement(len(c.elements))
		if e.Record, e.Created = record.Addr().Interface(), true; texts != nil {
			e.Body = texts[len(c.elements)]
		}
		c.elements = append(c.elements, e)
		return nil
	})
}
