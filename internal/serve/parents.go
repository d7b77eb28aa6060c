package serve

import (
	"context"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// readPath reads the identifiers of the records that the path names. An invalid one has the same error as a missing record.
func (c *call) readPath() error {
	if c.op.Item {
		var ok bool
		if c.id, ok = c.identifier(); !ok {
			return store.ErrNotFound
		}
	}
	c.pathIDs = c.pathIDs[:0]
	for i := range c.op.pathRecords {
		p := &c.op.pathRecords[i]
		id, ok := p.Resource.ID.Parse(c.variable(p.Variable))
		if !ok {
			return noRecord(p.Resource)
		}
		c.pathIDs = append(c.pathIDs, id)
	}
	return nil
}

// noRecord returns the error of a record in the path that is missing, hidden, or not below its own parent. They share one
// error, because a difference would reveal what is hidden.
func noRecord(of *compiled.Resource) *problem.Problem {
	return problemOfKind(problem.NotFound, naming.Phrase(of.ShortName))
}

// readParents loads the parents. It loads each, even if the record's own key shows that it is below the parent,
// because a hidden parent hides what is below it.
func readParents(ctx context.Context, c *call) error {
	records := make([]any, len(c.op.Parents))
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		found, err := findVisible(ctx, &c.caller, p.Resource, []any{c.pathIDs[i]}, nil)
		if err != nil {
			return err
		}
		if records[i] = found[0]; records[i] == nil {
			return noRecord(p.Resource)
		}
	}
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		if p.Below == compiled.OwnRecord {
			continue
		}
		above := &c.op.Parents[p.Below]
		refers, err := c.refersTo(ctx, above.Resource, p.Field, records[p.Below], c.pathIDs[i])
		if err != nil {
			return err
		}
		if !refers {
			return noRecord(above.Resource)
		}
	}
	return nil
}

// restrict limits the query to records below the parents.
func restrict(_ context.Context, c *call) error {
	values := *c.values // a copy, because other calls share them
	c.values = &values
	values.Query.Where = slices.Clip(values.Query.Where)
	for i := range c.op.Parents {
		if p := &c.op.Parents[i]; p.Below == compiled.OwnRecord {
			values.Query.Where = append(values.Query.Where, store.Condition{
				Fields: []string{p.Field.Name}, Operator: store.Equal, Values: []any{c.pathIDs[i]},
			})
		}
	}
	return nil
}

// isBelow reports whether a record is below the parents that the path names, by fields that the caller may see.
func (c *call) isBelow(ctx context.Context, record any) (bool, error) {
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		if p.Below != compiled.OwnRecord {
			continue
		}
		if refers, err := c.refersTo(ctx, c.op.Resource, p.Field, record, c.pathIDs[i]); err != nil || !refers {
			return false, err
		}
	}
	return true, nil
}

// refersTo reports whether a record references a key by a field that the caller may see. Otherwise callers could find
// out the value of a hidden field by trying paths.
func (c *call) refersTo(ctx context.Context, of *compiled.Resource, f *model.Field, record, key any) (bool, error) {
	if !hasKey(f, record, key) {
		return false, nil
	}
	hidden, err := isHidden(ctx, &c.caller, of, f, record)
	return !hidden, err
}

// hasKey reports whether a record has a key in a reference field, which may be a list. It compares Go values, because
// keys are parsed into the field's own type.
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

// setParents sets the record's references to the parents that the path names, and reports a body with other ones.
func setParents(_ context.Context, c *call) error {
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		if p.Below != compiled.OwnRecord {
			continue
		}
		if c.held == nil {
			c.held = map[referencedKey]bool{}
		}
		c.held[referencedKey{p.Field.Name, p.Field, c.pathIDs[i]}] = true
		v := p.Field.Value(reflect.ValueOf(c.record).Elem())
		cleared := v.IsZero() && c.op.Kind == operation.KindPatch && !p.Field.ReadOnly
		isReported := slices.ContainsFunc(c.decoded.Violations, func(v model.Violation) bool { return v.Field == p.Field.Name })
		if !isReported && (cleared || !v.IsZero() && !hasKey(p.Field, c.record, c.pathIDs[i])) {
			c.decoded.Add(validation.Violation{
				Field: p.Field.Name, Code: "parent", Message: p.Field.Name + " must be the one in the path",
			})
		}
		setKey(p.Field, v, c.pathIDs[i])
	}
	return nil
}

// setKey sets a reference. A pointer is replaced, because the stored record may share the old one.
func setKey(f *model.Field, v reflect.Value, key any) {
	if f.Type.Nullable {
		v.Set(reflect.New(f.Type.Base()))
		v = v.Elem()
	}
	f.Reference.Key.SetKey(v, key)
}
