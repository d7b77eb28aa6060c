package serve

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// guardMembers rejects a body that sets a field which the caller may not write. It accepts the current value if the caller
// can see it, because clients send back whole records. If the body of a replacing Put omits a field that the caller cannot
// see or write, the field keeps its value. Only the first forbidden field is reported. A value with a wrong type is
// rejected too, because its violation would describe a field that the caller may not know.
func guardMembers(ctx context.Context, c *call) error {
	members := c.op.Resource.Gate
	before, hidden := c.previous, authz.Set(0)
	if before == nil { // a new record has no hidden fields
		before = c.op.Resource.Codec.New()
	} else {
		var err error
		if hidden, err = members.Hidden(ctx, &c.caller, before); err != nil {
			return err
		}
	}
	for i := range members.List {
		m := &members.List[i]
		isSent := c.sets(m, before)
		if !isSent && !c.op.Replace {
			continue
		}
		mayWrite, err := c.mayWrite(ctx, m)
		switch {
		case err != nil:
			return err
		case isSent && !mayWrite && (hidden.Has(i) || c.mistyped(m) != nil || !c.isSame(m, before)):
			return &forbiddenError{Denial: m.Write.Denial(ctx, &c.caller, c.previous), Field: m.Field.Name}
		case !isSent && c.previous != nil && (!mayWrite || hidden.Has(i)):
			c.restore(m)
		case isSent && mayWrite && c.previous != nil:
			c.changedFields |= 1 << i
		}
	}
	return nil
}

// mayWrite reports whether the caller may write a field. A change is checked on the record before it, so that the body
// cannot grant the permission. A rule that depends on a new record passes here; checkWritten checks it later.
func (c *call) mayWrite(ctx context.Context, m *authz.FieldRules) (bool, error) {
	if c.previous != nil {
		return m.Write.Holds(ctx, &c.caller, c.previous)
	}
	return m.Write.Decide(&c.caller) != authz.Denied, nil
}

// checkWritten checks the write rules that depend on the new record.
func checkWritten(ctx context.Context, c *call) error {
	members := c.op.Resource.Gate
	if c.previous != nil || !c.created {
		return nil
	}
	for i := range members.List {
		m := &members.List[i]
		if m.Write.Decide(&c.caller) != authz.Depends {
			continue
		}
		if blank := c.op.Resource.Codec.New(); !c.sets(m, blank) || c.isSame(m, blank) {
			continue
		}
		if err := checkWrite(ctx, &c.caller, m, c.record, ""); err != nil {
			return err
		}
		c.changedFields |= 1 << i
	}
	return nil
}

// checkWrite returns an error if the caller may not write a field of a record. Above is the place of the record in the
// body, "" for all of it.
func checkWrite(ctx context.Context, caller *authz.Caller, m *authz.FieldRules, record any, above string) error {
	holds, err := m.Write.Holds(ctx, caller, record)
	if err == nil && !holds {
		err = &forbiddenError{Denial: m.Write.Denial(ctx, caller, record), Field: above + m.Field.Name}
	}
	return err
}

// mistyped returns the first wrong type or unknown name that the body has in a field, nil for none.
func (c *call) mistyped(m *authz.FieldRules) *model.Violation {
	for i := range c.decoded.Violations {
		if v := &c.decoded.Violations[i]; v.Top() == m.Field {
			return v
		}
	}
	return nil
}

// isSame reports whether a field of the record has the same value in another record, as responses show it. For a write-only
// field of a stored record, such as a password, it returns false, so that clients cannot find the value by trying.
func (c *call) isSame(m *authz.FieldRules, other any) bool {
	if !m.Field.Readable() && c.previous != nil {
		return false
	}
	return isSameIn(c.op.Resource, m.Field, c.record, other)
}

// isSameIn reports whether a field has the same value in two records of a resource. It compares JSON, because clients send
// back what responses show: a time in another zone, or an empty list for nil.
func isSameIn(r *compiled.Resource, f *model.Field, one, other any) bool {
	response := r.Source.Response
	encoder := response.Encoder.Narrow(response.View.Only([]string{f.Name}))
	now, err := encoder.Append(nil, one)
	then, fault := encoder.Append(nil, other)
	return err == nil && fault == nil && bytes.Equal(now, then)
}

// restore sets a field that the body omits to its previous value, and removes its violations, which the caller cannot fix.
func (c *call) restore(m *authz.FieldRules) {
	kept := c.op.Resource.Codec.Clone(c.previous)
	m.Field.Value(reflect.ValueOf(c.record).Elem()).Set(m.Field.Value(reflect.ValueOf(kept).Elem()))
	c.decoded.Violations = slices.DeleteFunc(c.decoded.Violations, func(v model.Violation) bool {
		return v.Top() == m.Field
	})
}

// sets reports whether a call sets a field: the body has it, the path sets it as a reference to a parent, or Input has
// changed it.
func (c *call) sets(m *authz.FieldRules, other any) bool {
	if c.op.Input == nil {
		return slices.Contains(c.sent(), m.Field.Name)
	}
	now, then := m.Field.Value(reflect.ValueOf(c.record).Elem()), m.Field.Value(reflect.ValueOf(other).Elem())
	return !reflect.DeepEqual(now.Interface(), then.Interface())
}

// sent lists the fields that the body and the path set. It reads the body again, because decoding keeps no names and only
// rules of fields need them.
func (c *call) sent() []string {
	if c.sentFields == nil {
		c.sentFields = membersOf(c.body)
		for i := range c.op.Parents {
			if p := &c.op.Parents[i]; p.Below == compiled.OwnRecord {
				c.sentFields = append(c.sentFields, p.Field.Name)
			}
		}
	}
	return c.sentFields
}

// membersOf lists the fields of a JSON object.
func membersOf(body []byte) []string {
	names := []string{}
	decoder := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	for decoder.PeekKind() == jsontext.KindString {
		name, err := decoder.ReadToken()
		if err != nil {
			return names
		}
		names = append(names, name.String())
		if decoder.SkipValue() != nil {
			return names
		}
	}
	return names
}

// keepsCreateOnly reports whether an operation on existing records must keep createonly fields.
func keepsCreateOnly(op *compiled.Operation) bool {
	return op.Item && slices.ContainsFunc(op.Resource.Struct.Fields, func(f *model.Field) bool { return f.CreateOnly })
}

// keepCreateOnly reports a body that changes a createonly field. It accepts the current value, because clients send back
// whole records, but only if the caller can see it: otherwise they could find the value by trying.
func keepCreateOnly(ctx context.Context, c *call) error {
	if c.previous == nil {
		return nil
	}
	r, hidden := c.op.Resource, authz.Set(0)
	if r.Gate.Hides() {
		var err error
		if hidden, err = r.Gate.Hidden(ctx, &c.caller, c.previous); err != nil {
			return err
		}
	}
	for _, f := range r.Struct.Fields {
		if !f.CreateOnly {
			continue
		}
		same, err := c.hasStill(f)
		if err != nil {
			return err
		}
		isSeen := f.Readable() && !r.Gate.IsHidden(hidden, f.Name)
		if same && (isSeen || c.op.Input != nil || !slices.Contains(c.sent(), f.Name)) {
			continue
		}
		kept := r.Codec.Clone(c.previous)
		f.Value(reflect.ValueOf(c.record).Elem()).Set(f.Value(reflect.ValueOf(kept).Elem()))
		c.decoded.Add(validation.Violation{
			Field: f.Name, Code: "createonly", Message: f.Name + " cannot be changed after creation",
		})
	}
	return nil
}

// hasStill reports whether a field has its previous value, compared as JSON.
func (c *call) hasStill(f *model.Field) (bool, error) {
	source := c.op.Resource.Source
	whole := source.Views.AllFields()
	encoder := source.Codec.Encoder(whole).Narrow(whole.Only([]string{f.Name}))
	now, err := encoder.Append(nil, c.record)
	if err != nil {
		return false, err
	}
	then, err := encoder.Append(nil, c.previous)
	return bytes.Equal(now, then), err
}
