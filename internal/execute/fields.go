package execute

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// guardMembers refuses a body that sets a member which the caller may not write. What has the
// value that is there passes, where the caller may see it: whoever reads a record, and sends
// it back changed, sends such members, too. A replacing Put keeps what its body leaves out and
// its caller does not know or may not change.
// The first such member refuses the whole body: which others may be written is not told to those
// who may not write this one.
func guardMembers(ctx context.Context, c *Call) error {
	members := c.Operation.Resource.Gate
	before, hidden := c.previous, gate.Set(0)
	if before == nil { // of a new record nothing is a secret
		before = c.Operation.Resource.Codec.New()
	} else {
		var err error
		if hidden, err = members.Hidden(ctx, &c.caller, before); err != nil {
			return err
		}
	}
	for i := range members.List {
		m := &members.List[i]
		isSent := c.sets(m, before)
		if !isSent && !c.Operation.Replace {
			continue
		}
		mayWrite, err := c.mayWrite(ctx, m)
		switch {
		case err != nil:
			return err
		case isSent && !mayWrite && (hidden.Has(i) || !c.isSame(m, before)):
			return &ForbiddenError{Denial: m.Write.Denial(ctx, &c.caller, c.previous), Field: m.Field.Name}
		case !isSent && c.previous != nil && (!mayWrite || hidden.Has(i)):
			c.restore(m)
		case isSent && mayWrite && c.previous != nil:
			c.written |= 1 << i
		}
	}
	return nil
}

// mayWrite reports whether the caller may write a member. Of a new record that may be known
// only when it is whole: then checkWritten asks again.
// Of a change it is asked of the record as it was: nobody may give himself the right by the same
// body.
func (c *Call) mayWrite(ctx context.Context, m *gate.FieldRules) (bool, error) {
	if c.previous != nil {
		return m.Write.Holds(ctx, &c.caller, c.previous)
	}
	return m.Write.Decide(&c.caller) != gate.Denied, nil
}

// checkWritten asks the rules of members of a new record that depend on it.
func checkWritten(ctx context.Context, c *Call) error {
	members := c.Operation.Resource.Gate
	if c.previous != nil || !c.Created {
		return nil
	}
	for i := range members.List {
		m := &members.List[i]
		if m.Write.Decide(&c.caller) != gate.Depends {
			continue
		}
		if blank := c.Operation.Resource.Codec.New(); !c.sets(m, blank) || c.isSame(m, blank) {
			continue
		}
		if err := c.mayWriteIn(ctx, m, c.Record); err != nil {
			return err
		}
		c.written |= 1 << i
	}
	return nil
}

// mayWriteIn refuses a caller who may not write a member of a record.
func (c *Call) mayWriteIn(ctx context.Context, m *gate.FieldRules, record any) error {
	holds, err := m.Write.Holds(ctx, &c.caller, record)
	if err == nil && !holds {
		err = &ForbiddenError{Denial: m.Write.Denial(ctx, &c.caller, record), Field: m.Field.Name}
	}
	return err
}

// isSame reports whether the record has in a member what another one has there, as answers
// show it. What no answer shows is never known to be the same.
// What is only written, such as a password, must not be guessed by sending values until one is "the
// same" and passes.
func (c *Call) isSame(m *gate.FieldRules, other any) bool {
	if !m.Field.Readable() && c.previous != nil {
		return false
	}
	return isSameIn(c.Operation.Resource, m.Field, c.Record, other)
}

// isSameIn reports whether two records of a resource have the same in a member, as answers show it.
// As JSON, not as Go values, for the client sends back what it was shown: a time in another zone,
// or an empty list for nil, is the same to it.
func isSameIn(r *compiled.Resource, f *model.Field, one, other any) bool {
	answer := r.Source.Response
	member := answer.Encoder.Narrow(answer.View.Only([]string{f.Name}))
	now, err := member.Append(nil, one)
	then, fault := member.Append(nil, other)
	return err == nil && fault == nil && bytes.Equal(now, then)
}

// restore gives a member the value that it had, and takes back that the body lacks it.
// Violations within the member go as well, since the body did not have it: the caller cannot mend
// them.
func (c *Call) restore(m *gate.FieldRules) {
	kept := c.Operation.Resource.Codec.Clone(c.previous)
	m.Field.Value(reflect.ValueOf(c.Record).Elem()).Set(m.Field.Value(reflect.ValueOf(kept).Elem()))
	c.decoded.Violations = slices.DeleteFunc(c.decoded.Violations, func(v model.Violation) bool {
		return v.Top() == m.Field
	})
}

// sets reports whether a call sets a member: its body has it, the path is below what it refers
// to or, where another type than the record is sent, the record has come to differ.
func (c *Call) sets(m *gate.FieldRules, other any) bool {
	if !c.Operation.HasInput {
		return slices.Contains(c.sent(), m.Field.Name)
	}
	now, then := m.Field.Value(reflect.ValueOf(c.Record).Elem()), m.Field.Value(reflect.ValueOf(other).Elem())
	return !reflect.DeepEqual(now.Interface(), then.Interface())
}

// sent lists the members that the body sets, which has been decoded, and those that the path does.
// The body is read a second time for it, as decoding keeps no names; only rules of members need
// them.
func (c *Call) sent() []string {
	if c.members == nil {
		c.members = membersOf(c.Body)
		for i := range c.Parents {
			if p := &c.Operation.Parents[i]; p.Below == compiled.OwnRecord {
				c.members = append(c.members, p.Field.Name)
			}
		}
	}
	return c.members
}

// membersOf lists the members of an object.
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

// keepsCreateOnly is about operations on what is there already: a Post sets such members.
func keepsCreateOnly(op *compiled.Operation) bool {
	return op.Item && slices.ContainsFunc(op.Resource.Struct.Fields, isCreateOnly)
}

func isCreateOnly(f *model.Field) bool { return f.CreateOnly }

// keepCreateOnly refuses a body that changes a member which a record has from its creation. The
// value that is there passes, for whoever reads a record sends it back; but where the caller
// cannot see it, none does, or he could try which one it is.
func keepCreateOnly(ctx context.Context, c *Call) error {
	if c.previous == nil {
		return nil
	}
	r, hidden := c.Operation.Resource, gate.Set(0)
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
		if same && (isSeen || c.Operation.HasInput || !slices.Contains(c.sent(), f.Name)) {
			continue
		}
		kept := r.Codec.Clone(c.previous)
		f.Value(reflect.ValueOf(c.Record).Elem()).Set(f.Value(reflect.ValueOf(kept).Elem()))
		c.decoded.Add(validation.Violation{
			Field: f.Name, Code: "createonly", Message: f.Name + " cannot be changed once it is created",
		})
	}
	return nil
}

// hasStill reports whether the record has in a field what it had before, as JSON tells values
// apart.
func (c *Call) hasStill(f *model.Field) (bool, error) {
	source := c.Operation.Resource.Source
	whole := source.Views.Whole()
	member := source.Codec.Encoder(whole).Narrow(whole.Only([]string{f.Name}))
	now, err := member.Append(nil, c.Record)
	if err != nil {
		return false, err
	}
	then, err := member.Append(nil, c.previous)
	return bytes.Equal(now, then), err
}
