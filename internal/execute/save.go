package execute

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// process saves the record through the operation's Processor.
// A Processor decides itself whether and when to save. It is handed a function to save with rather than the store, so
// that it cannot leave the transaction.
func process(ctx context.Context, c *Call) error {
	err := c.Operation.Processor.Call(ctx, c.Request, c.Record, c.save)
	c.Unsaved = !c.saved
	if err == nil && c.Unsaved && c.Created && (c.ID != nil || c.Operation.ReturnsCreated()) {
		return c.findCreated(ctx)
	}
	return err
}

// findCreated looks for the record that a Processor has not saved. It may have
// inserted the record by other means, but a 201 promises that it exists.
func (c *Call) findCreated(ctx context.Context) error {
	_, err := c.tx.Peek(ctx, c.Operation.Resource.ID.Of(c.Record))
	if errors.Is(err, store.ErrNotFound) {
		return errNothingCreated
	}
	return err
}

var (
	// errEnded reports a Processor that saves after it has returned.
	errEnded = errors.New("the operation has ended: nothing can be saved any more")
	// errNothingCreated reports a Processor that returned nil and saved nothing.
	errNothingCreated = errors.New("the Processor returned nil and saved no record, but the operation is answered 201: " +
		"call save, return an error, or give the operation another Status, such as 202")
)

// save writes a record in the transaction. It is handed to users, who may call it twice, late, or with a record of
// their own: each of these gets an error, or what was meant.
func (c *Call) save(ctx context.Context, record any) error {
	if c.tx == nil {
		return errEnded
	}
	c.Record = record
	err := c.Operation.store(ctx, c)
	c.saved = c.saved || err == nil
	return err
}

// putRecord inserts or updates the record, and makes sure that it can be read again. A second save of a new record
// updates it.
// A record that is saved and cannot be shown any more would be lost to all clients, so it is
// encoded before the transaction ends even if the response is something else.
func putRecord(ctx context.Context, c *Call) error {
	o, id := c.Operation, c.ID
	switch {
	case id != nil && o.renames:
		o.Resource.ID.Set(c.Record, id)
	case id == nil && c.inserted:
		id = o.Resource.ID.Of(c.Record)
	}
	var err error
	if c.Created && !c.inserted {
		if o.fromService != nil {
			if err := c.checkKey(); err != nil {
				return err
			}
		}
		err = c.tx.Insert(ctx, c.Record, o.hands)
		c.inserted = err == nil
	} else {
		err = c.tx.Update(ctx, id, c.Record, o.hands)
	}
	if err != nil || o.shownWhole {
		return err
	}
	// The response is something else, or may come to be, so it does not show whether
	// the record can be read again.
	c.State, err = o.Resource.Source.Response.Encoder.Append(c.State[:0], c.Record)
	return err
}

// holdConditions compares the conditions of a change with the record as it is now, in
// the transaction that changes it.
// To compare before the transaction begins would leave time for another change between the two,
// which is what If-Match is there to prevent (RFC 9110, section 13.1.1).
func holdConditions(_ context.Context, c *Call) error {
	if !c.Conditions.Given {
		return nil
	}
	now := conditional.Selected{Exists: !c.Created}
	if c.ID != nil && now.Exists {
		_, now.Modified = c.Operation.Resource.Stamps(c.Record)
		state, err := c.AppendState(nil, c.Record)
		if err != nil {
			return err
		}
		now.State = string(state)
	}
	if !c.Conditions.Holds(now) {
		return ErrPrecondition
	}
	return nil
}

// AppendState appends what names the state of a record: its version, and a hash of its
// fields, whose JSON is then in c.State. Fields that no response shows are hashed with a key, because anyone could
// find them out by trying values against a plain hash.
func (c *Call) AppendState(b []byte, record any) (_ []byte, err error) {
	r := c.Operation.Resource
	version, _ := r.Stamps(record)
	if r.HidesState() {
		if c.State, err = r.Codec.AppendState(c.State[:0], record); err != nil {
			return b, err
		}
		return conditional.AppendKeyedState(b, version, c.State, c.Operation.API.TagKey), nil
	}
	if c.State, err = r.Source.Response.Encoder.Append(c.State[:0], record); err != nil {
		return b, err
	}
	return conditional.AppendState(b, version, c.State), nil
}

// explainConflict returns what a store's error about references means to clients. References are checked before they
// are saved; here another transaction was faster, or the store knows more.
// It does not say which record refers, since the caller may not be allowed to see it.
func (c *Call) explainConflict(err error) error {
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	broken, ok := errors.AsType[store.ReferenceError](err)
	if !ok {
		return err
	}
	if !broken.Referred {
		return c.explainMissing(err, broken)
	}
	for _, by := range c.Operation.API.Resources {
		if by.Struct.Go != broken.Record {
			continue
		}
		to := " references it."
		if f := by.Struct.Field(broken.Field); f != nil && f.Reference != nil && f.Reference.Target != c.Operation.Resource.Struct {
			to = " references a record that would be deleted with it."
		}
		return &RejectedError{Reason: Referred, Detail: "The record cannot be deleted because " + by.ShortName + "." + broken.Field + to}
	}
	return err // a store's own table has no name that means anything to clients
}

// explainMissing returns the error of a reference to a missing record as validation would, if it is in a
// field that the body may set, or in the list of a membership. Otherwise a hook may have set it, and the error stays a
// conflict.
func (c *Call) explainMissing(err error, missing store.ReferenceError) error {
	of := c.Operation.Resource.Struct
	if m := c.Operation.Membership; m != nil && missing.Record == of.Go && missing.Field == m.Field.Name {
		return noParent(m)
	}
	if missing.Record != of.Go || c.Operation.Custom || !c.Operation.TakesBody() {
		return err
	}
	if f := of.Field(missing.Field); f != nil && f.Reference != nil && !f.ReadOnly {
		found := new(model.Report)
		found.Add(validation.Violation{Field: f.Name, Code: codec.CodeReference, Message: f.Name + " must be " + meaning(f)})
		return InvalidError{found}
	}
	return err
}

// A faultError reports a record that breaks rules which nothing that the client sends could fix: the service is at
// fault, and rules that are not for clients are not shown to them.
type faultError struct{ found []model.Violation }

func (e faultError) Error() string {
	texts := []string{"the record breaks rules that no field of the body can fix; set the field in Prepare, or in the handler"}
	for _, v := range e.found[:min(len(e.found), 10)] {
		texts = append(texts, v.Error()+" ("+v.Code+")")
	}
	return strings.Join(texts, "; ")
}

// takeFaults takes broken rules of fields that clients cannot set out of a report, and returns
// them as an error, nil for none. Errors of decoding come first in the report, and clients can always fix them.
// Such a violation would ask a client to fix what they can neither see nor set.
func (c *Call) takeFaults(ctx context.Context, found *model.Report) (faults, err error) {
	locked, err := c.lockedFields(ctx)
	if err != nil {
		return nil, err
	}
	return takeOut(found, len(c.decoded.Violations), func(v *model.Violation) bool { return c.isFault(v, locked) }), nil
}

// takeOtherFaults is takeFaults for a path that changes one field alone, so that clients can fix nothing else.
func takeOtherFaults(found *model.Report, changed *model.Field) error {
	faults := takeOut(found, 0, func(v *model.Violation) bool {
		return v.Top() != nil && v.Top() != changed && isOfOneField(v.Code)
	})
	if !found.IsEmpty() {
		return nil
	}
	return faults
}

// takeOut takes violations out of a report, except its first ones, and returns them as an error, nil for none.
func takeOut(found *model.Report, from int, isFault func(v *model.Violation) bool) error {
	var faults []model.Violation
	left := found.Violations[:from]
	for i := from; i < len(found.Violations); i++ {
		if v := &found.Violations[i]; isFault(v) {
			faults = append(faults, *v)
		} else {
			left = append(left, *v)
		}
	}
	found.Violations = left
	if faults == nil {
		return nil
	}
	return faultError{faults}
}

// lockedFields lists the fields of a stored record that the caller may not write, and those that they
// neither see nor send.
func (c *Call) lockedFields(ctx context.Context) ([]*model.Field, error) {
	members := c.Operation.Resource.Gate
	if members == nil || c.previous == nil {
		return nil, nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, c.previous)
	if err != nil {
		return nil, err
	}
	var locked []*model.Field
	for i := range members.List {
		m := &members.List[i]
		mayWrite, err := c.mayWrite(ctx, m)
		if err != nil {
			return nil, err
		}
		if !mayWrite || hidden.Has(i) && !slices.Contains(c.sent(), m.Field.Name) {
			locked = append(locked, m.Field)
		}
	}
	return locked, nil
}

// isFault reports whether a broken rule is of a field that clients cannot set or that is locked for
// this one, and of its value alone: one that compares fields can be fixed by the other field.
// In doubt the client gets the violation: an error without a reason costs its author more time than one that is the
// service's fault.
func (c *Call) isFault(v *model.Violation, locked []*model.Field) bool {
	if !isOfOneField(v.Code) {
		return false
	}
	id := c.Operation.Resource.ID
	if f := v.Top(); id.Has(v.Field) && (f == nil || f.Writable()) && !id.Generated() {
		return c.ID != nil && !c.Created && id.Is(c.Record, c.ID)
	}
	return !v.IsWritable(c.decoded.View) || slices.Contains(locked, v.Top())
}

// isOfOneField reports whether a code is that of a rule which looks at no other field than its own.
// Validator's names of the others tell them apart, since it has no list of them.
func isOfOneField(code string) bool {
	return code != "" && code != "invalid" && !strings.HasSuffix(code, "field") && !strings.HasPrefix(code, "field") &&
		!strings.HasPrefix(code, "required_") && !strings.HasPrefix(code, "excluded_")
}
