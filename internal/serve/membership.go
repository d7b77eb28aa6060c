package serve

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// newMembership adds a reference to a list of the record that the path names, or removes one.
func newMembership(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = op.Hooked
	o.savesBy(putRecord)
	change := addMember
	if op.Kind == operation.KindDelete {
		change = removeMember
	}
	return o.writes(nil, []step{{"write", change}})
}

// addMember adds the reference that the path names, unless it is in the list.
func addMember(ctx context.Context, c *call) error {
	m := c.op.Membership
	list, at, err := c.memberList(ctx)
	if err != nil {
		return err
	}
	found, err := findVisible(ctx, &c.caller, m.Resource, []any{c.addedOrRemoved()}, nil)
	switch {
	case err != nil:
		return err
	case found[0] == nil:
		return noRecord(m.Resource)
	case at < list.Len():
		return nil
	}
	keys := m.Field.Reference.Key
	list.Set(reflect.Append(list.Slice3(0, at, at), reflect.Zero(keys.Go)))
	keys.SetKey(list.Index(at), c.addedOrRemoved())
	return c.saveList(ctx)
}

// removeMember removes the reference that the path names. If the list does not have it, the error is 404. But for callers
// who may not see the list there is no error, because it would reveal the content of the list.
func removeMember(ctx context.Context, c *call) error {
	m := c.op.Membership
	list, at, err := c.memberList(ctx)
	if err != nil {
		return err
	}
	if at == list.Len() {
		hides, err := isHidden(ctx, &c.caller, c.op.Resource, m.Field, c.record)
		if err == nil && !hides && m.Field.Readable() {
			err = noRecord(m.Resource)
		}
		return err
	}
	list.Set(reflect.AppendSlice(list.Slice3(0, at, at), list.Slice(at+1, list.Len())))
	return c.saveList(ctx)
}

// addedOrRemoved returns the identifier that the path adds or removes, which is the last of the other records.
func (c *call) addedOrRemoved() any { return c.pathIDs[len(c.op.Parents)] }

// memberList returns the list to change, if the caller may write it, and the index of the reference, or the length of the
// list if it does not have the reference. Changes must copy the list (Slice3, without spare capacity), because the record
// before the change shares it.
func (c *call) memberList(ctx context.Context) (list reflect.Value, at int, err error) {
	f := c.op.Membership.Field
	if members := c.op.Resource.Gate; members != nil {
		for i := range members.List {
			if m := &members.List[i]; m.Field.Name == f.Name {
				if err := checkWrite(ctx, &c.caller, m, c.record, ""); err != nil {
					return list, 0, err
				}
			}
		}
	}
	list = f.Value(reflect.ValueOf(c.record).Elem())
	for at < list.Len() && f.Reference.Key.KeyIn(list.Index(at)) != c.addedOrRemoved() {
		at++
	}
	return list, at, nil
}

// saveList checks and saves the record with its changed list.
func (c *call) saveList(ctx context.Context) error {
	found, err := c.op.Resource.Checker.Check(ctx, c.record, codec.Decoded{})
	if err == nil && !found.IsEmpty() {
		err = separateOtherFaults(&found, c.op.Membership.Field)
	}
	if err := invalid(&found, err); err != nil {
		return err
	}
	if c.op.Gate != nil {
		if err := authorizeChange(ctx, c); err != nil {
			return err
		}
	}
	return c.op.write(ctx, c)
}
