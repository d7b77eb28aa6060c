package execute

import (
	"context"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// NameParents reads the identifiers of the records that the template names above those of the
// operation. Text that is no identifier is that of a missing record.
func (c *Call) NameParents(text func(variable string) string) error {
	c.Parents = c.Parents[:0]
	for i := range c.Operation.Parents {
		p := &c.Operation.Parents[i]
		id, ok := p.Resource.ID.Parse(text(p.Variable))
		if !ok {
			return noParent(p)
		}
		c.Parents = append(c.Parents, id)
	}
	return nil
}

// noParent is the error of a parent that is missing, hidden, or not below its own.
// One error for all three, since a difference would tell what is hidden.
func noParent(p *compiled.Parent) error {
	return &RefusedError{Reason: NoParent, Detail: failure.NotFound.Detail(p.Resource.ShortName)}
}

// readParents loads the records above those of the operation.
// All of them are loaded, even if the record's own key shows that it is below them: a
// hidden parent has to hide what is below it.
func readParents(ctx context.Context, c *Call) error {
	records := make([]any, len(c.Parents))
	for i, id := range c.Parents {
		p := &c.Operation.Parents[i]
		found, err := c.find(ctx, p.Resource, []any{id}, nil)
		if err != nil {
			return err
		}
		if records[i] = found[0]; records[i] == nil {
			return noParent(p)
		}
	}
	for i := range c.Parents {
		p := &c.Operation.Parents[i]
		if p.Below == compiled.OwnRecord {
			continue
		}
		above := &c.Operation.Parents[p.Below]
		refers, err := c.refersTo(ctx, above.Resource, p.Field, records[p.Below], c.Parents[i])
		if err != nil {
			return err
		}
		if !refers {
			return noParent(above)
		}
	}
	return nil
}

// restrict adds to the query that the records are below the parents.
func restrict(_ context.Context, c *Call) error {
	values := *c.Values // which other calls share
	c.Values = &values
	values.Query.Where = slices.Clip(values.Query.Where)
	for i := range c.Parents {
		if p := &c.Operation.Parents[i]; p.Below == compiled.OwnRecord {
			values.Query.Where = append(values.Query.Where, store.Condition{
				Fields: []string{p.Field.Name}, Operator: store.Equal, Values: []any{c.Parents[i]},
			})
		}
	}
	return nil
}

// isBelow reports whether a record is below the parents that the path names, as far as the
// caller may see.
func (c *Call) isBelow(ctx context.Context, record any) (bool, error) {
	for i := range c.Parents {
		p := &c.Operation.Parents[i]
		if p.Below != compiled.OwnRecord {
			continue
		}
		if refers, err := c.refersTo(ctx, c.Operation.Resource, p.Field, record, c.Parents[i]); err != nil || !refers {
			return false, err
		}
	}
	return true, nil
}

// refersTo reports whether a record refers to the one with that key by a field which the caller
// may see. Otherwise they could find out the value of a hidden field by trying paths.
func (c *Call) refersTo(ctx context.Context, of *compiled.Resource, f *model.Field, record, key any) (bool, error) {
	if !hasKey(f, record, key) {
		return false, nil
	}
	hidden, err := of.Gate.Hidden(ctx, &c.caller, record)
	return err == nil && !of.Gate.IsHidden(hidden, f.Name), err
}

// hasKey reports whether a record refers to the one with that key by a field, which may be a list.
// Keys are compared as values of Go: they have been parsed into the field's own type.
func hasKey(f *model.Field, record, key any) bool {
	v := f.Value(reflect.ValueOf(record).Elem())
	if f.Reference.Many {
		for i := range v.Len() {
			if f.Reference.Key.KeyIn(v.Index(i)) == key {
				return true
			}
		}
		return false
	}
	if f.Type.Nullable {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	return f.Reference.Key.KeyIn(v) == key
}

// setParents lets the record refer to the parents that the path names, and rejects a body that
// says something else.
func setParents(_ context.Context, c *Call) error {
	for i := range c.Parents {
		p := &c.Operation.Parents[i]
		if p.Below != compiled.OwnRecord {
			continue
		}
		if c.held == nil {
			c.held = map[heldKey]bool{}
		}
		c.held[heldKey{p.Field.Name, p.Field, c.Parents[i]}] = true
		v := p.Field.Value(reflect.ValueOf(c.Record).Elem())
		cleared := v.IsZero() && c.Operation.Kind == operation.KindPatch && !p.Field.ReadOnly
		told := slices.ContainsFunc(c.decoded.Violations, func(v model.Violation) bool { return v.Field == p.Field.Name })
		if !told && (cleared || !v.IsZero() && !hasKey(p.Field, c.Record, c.Parents[i])) {
			c.decoded.Add(validation.Violation{
				Field: p.Field.Name, Code: "parent", Message: p.Field.Name + " must be the one in the path",
			})
		}
		setKey(p.Field, v, c.Parents[i])
	}
	return nil
}

// setKey sets a reference.
// A new pointer, for the one that is there may be shared with the stored record.
func setKey(f *model.Field, v reflect.Value, key any) {
	if f.Type.Nullable {
		v.Set(reflect.New(f.Type.Base()))
		v = v.Elem()
	}
	f.Reference.Key.SetKey(v, key)
}
