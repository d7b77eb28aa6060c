package execute

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/operation"
)

// NameMember reads the identifier of the record that a membership is about.
// Texts come by a function, so that each protocol reads its own variables.
func (c *Call) NameMember(text func(variable string) string) error {
	m := c.Operation.Membership
	if m == nil {
		return nil
	}
	id, ok := m.Resource.ID.Parse(text(m.Variable))
	if !ok {
		return noParent(m)
	}
	c.Member = id
	return nil
}

// changeMembership adds a reference to a list of the record, or takes one away. One that is
// there already is not saved again.
// The list is copied before it changes (Slice3, without room behind it), since the record before
// the change shares it.
func changeMembership(ctx context.Context, c *Call) error {
	m := c.Operation.Membership
	if err := c.guardMembership(ctx, m.Field.Name); err != nil {
		return err
	}
	list, keys := m.Field.Value(reflect.ValueOf(c.Record).Elem()), m.Field.Reference.Key
	at := 0
	for at < list.Len() && keys.KeyIn(list.Index(at)) != c.Member {
		at++
	}
	isMember := at < list.Len()
	if c.Operation.Kind == operation.KindDelete {
		if !isMember {
			return c.notMember(ctx)
		}
		list.Set(reflect.AppendSlice(list.Slice3(0, at, at), list.Slice(at+1, list.Len())))
	} else {
		found, err := c.find(ctx, m.Resource, []any{c.Member})
		switch {
		case err != nil:
			return err
		case found[c.Member] == nil:
			return noParent(m)
		case isMember:
			return nil
		}
		list.Set(reflect.Append(list.Slice3(0, at, at), reflect.Zero(keys.Go)))
		keys.SetKey(list.Index(at), c.Member)
	}
	found, err := c.Operation.Resource.Checker.Check(ctx, c.Record, codec.Decoded{})
	if err == nil && !found.IsEmpty() {
		err = blameOthers(&found, m.Field)
	}
	if err := refuseIf(found, err); err != nil {
		return err
	}
	if c.Operation.Gate != nil {
		if err := c.hold(ctx, c.Operation.Gate.Act); err != nil {
			return err
		}
	}
	return c.process(ctx)
}

// notMember is of a reference that is to be taken out of a list which does not have it: 404, unless the caller
// may not see the list, whom that would tell what is in it.
func (c *Call) notMember(ctx context.Context) error {
	isSecret, err := c.isSecret(ctx, c.Operation.Membership.Field, c.Record)
	if err == nil && !isSecret {
		err = noParent(c.Operation.Membership)
	}
	return err
}

// guardMembership refuses who may not write the list.
func (c *Call) guardMembership(ctx context.Context, name string) error {
	members := c.Operation.Resource.Gate
	if members == nil {
		return nil
	}
	for i := range members.List {
		m := &members.List[i]
		if m.Field.Name != name {
			continue
		}
		return c.mayWriteIn(ctx, m, c.Record)
	}
	return nil
}
