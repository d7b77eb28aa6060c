package execute

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// process saves the record through the operation's Processor, if it has one.
// A Processor decides itself whether and when to save. It is handed a function to save with rather than the store, so
// that it cannot leave the transaction.
func process(ctx context.Context, c *Call) error {
	if c.Operation.Processor == nil {
		c.saved = true
		return c.Operation.store(ctx, c, c.Record)
	}
	err := c.Operation.Processor.Call(ctx, c.Request, c.Record, c.save)
	c.Unsaved = !c.saved
	if err == nil && c.Unsaved && c.Created && (c.ID != nil || c.Operation.AnswersCreated()) {
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
	err := c.Operation.store(ctx, c, record)
	c.saved = c.saved || err == nil
	return err
}

// putRecord inserts or updates the record, and makes sure that it can be read again. A second save of a new record
// updates it.
// A record that is saved and cannot be shown any more would be lost to all clients, so it is
// encoded before the transaction ends even if the response is something else.
func putRecord(ctx context.Context, c *Call, record any) error {
	o := c.Operation
	id := o.Resource.ID
	c.Record = record
	saved := c.ID
	// By the path, not by the record: a Processor may have been handed it and changed its identifier.
	if c.ID != nil {
		id.Set(record, c.ID)
	} else if c.inserted {
		saved = id.Of(record)
	}
	var err error
	if c.Created && !c.inserted {
		if o.fromService != nil {
			if err := c.checkKey(record); err != nil {
				return err
			}
		}
		err = c.tx.Insert(ctx, record, o.hands)
		c.inserted = err == nil
	} else {
		err = c.tx.Update(ctx, saved, record, o.hands)
	}
	if err != nil || o.shownWhole {
		return err
	}
	// The response is something else, or may come to be, so it does not show whether
	// the record can be read again.
	c.State, err = o.Resource.Source.Answer.Encoder.Append(c.State[:0], record)
	return err
}

// holdConditions compares the conditions of a change with the record as it is now, in
// the transaction that changes it.
// To compare before the transaction begins would leave time for another change between the two,
// which is what If-Match is there to prevent (RFC 9110, section 13.1.1).
func holdConditions(_ context.Context, c *Call) error {
	if c.Conditions.None() {
		return nil
	}
	now := conditional.Selected{Exists: !c.Created}
	if c.ID != nil && now.Exists {
		now.Modified = c.Operation.Resource.Modified(c.Record)
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
// members, whose JSON is then in c.State. Those that no answer shows are hashed with a key,
// for a hash that anybody can make tells them to those who try all that they could be.
func (c *Call) AppendState(b []byte, record any) (_ []byte, err error) {
	r := c.Operation.Resource
	if r.HidesState() {
		if c.State, err = r.Codec.AppendState(c.State[:0], record); err != nil {
			return b, err
		}
		return conditional.AppendKeyedState(b, r.Version(record), c.State, c.Operation.API.TagKey), nil
	}
	if c.State, err = r.Source.Answer.Encoder.Append(c.State[:0], record); err != nil {
		return b, err
	}
	return conditional.AppendState(b, r.Version(record), c.State), nil
}

// ofIntegrity says what the error of a store means to clients that keeps references from being
// left without their records. References are checked before they are saved; here another
// transaction was quicker than this one, or the store knows more.
// Which record refers is not said, since the caller may not be allowed to see it.
func (c *Call) ofIntegrity(err error) error {
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	broken, ok := errors.AsType[store.ReferenceError](err)
	if !ok {
		return err
	}
	if !broken.Referred {
		return c.ofDangling(err, broken)
	}
	for _, r := range c.Operation.API.Resources {
		if r.Struct.Go == broken.Record {
			return c.stillReferred(r, broken.Field)
		}
	}
	return err // a store's own table has no name that means anything to clients
}

// stillReferred is the error of a record that is referred to by a field of others, itself or by what would go with it.
func (c *Call) stillReferred(by *compiled.Resource, field string) error {
	to := " refers to it."
	if f := by.Struct.Field(field); f != nil && f.Reference != nil && f.Reference.Target != c.Operation.Resource.Struct {
		to = " refers to a record that would be deleted with it."
	}
	return &RefusedError{Reason: Referred, Detail: "The record cannot be deleted: " + by.ShortName + "." + field + to}
}

// ofDangling is the error that a missing record gives before it is saved, too, if it is of a
// member that the body may set, or of the one that a membership adds to. A hook may have written what is
// at fault: that stays a conflict.
func (c *Call) ofDangling(err error, dangling store.ReferenceError) error {
	of := c.Operation.Resource.Struct
	if m := c.Operation.Membership; m != nil && dangling.Record == of.Go && dangling.Field == m.Field.Name {
		return noParent(m)
	}
	if dangling.Record != of.Go || c.Operation.Custom || !c.Operation.TakesBody() {
		return err
	}
	for _, f := range of.Fields {
		if f.Name == dangling.Field && f.Reference != nil && !f.ReadOnly {
			found := new(model.Report)
			found.Add(validation.Violation{Field: f.Name, Code: codec.CodeReference, Message: f.Name + " must be " + meaning(f)})
			return InvalidError{found}
		}
	}
	return err
}

// unmendable is the error of a record that breaks rules which nothing that the client sends
// could mend: the service is at fault, and the client is not told of rules that are not for
// it.
type unmendable struct{ found []model.Violation }

func (u unmendable) Error() string {
	texts := []string{"the record breaks rules that no member of the body can mend; set the member in Prepare, or in the handler"}
	for _, v := range u.found[:min(len(u.found), 10)] {
		texts = append(texts, v.Error()+" ("+v.Code+")")
	}
	return strings.Join(texts, "; ")
}

// blame takes broken rules of members that clients cannot set out of a report, and returns
// them as an error, nil for none. What decoding has found comes first in the report, and
// can always be mended.
// Such a violation would tell a client to mend what it can neither see nor set, and tell it of
// rules that are nobody's business outside.
func (c *Call) blame(ctx context.Context, found *model.Report) (faults, err error) {
	decoded := len(c.decoded.Violations)
	kept, err := c.keptFrom(ctx)
	if err != nil {
		return nil, err
	}
	return takeOut(found, decoded, func(i int) bool { return c.isUnmendable(&found.Violations[i], kept) }), nil
}

// blameOthers is blame where a path changes one member alone, and nothing else can be mended.
func blameOthers(found *model.Report, changed *model.Field) error {
	faults := takeOut(found, 0, func(i int) bool {
		v := &found.Violations[i]
		return v.Top() != nil && v.Top() != changed && v.Code != "" && v.Code != "invalid" && !comparesMembers(v.Code)
	})
	if !found.IsEmpty() {
		return nil
	}
	return faults
}

// takeOut takes broken rules out of a report, behind its first ones, and returns them as an error, nil for none.
// They are asked about by their places, so that they need no memory of their own.
func takeOut(found *model.Report, from int, isFault func(i int) bool) error {
	var faults []model.Violation
	left := from
	for i := from; i < len(found.Violations); i++ {
		if isFault(i) {
			faults = append(faults, found.Violations[i])
			continue
		}
		found.Violations[left] = found.Violations[i]
		left++
	}
	found.Violations = found.Violations[:left]
	if faults == nil {
		return nil
	}
	return unmendable{faults}
}

// keptFrom lists the members of a record that is there which the caller may not write, and those that he
// neither sees nor sends.
func (c *Call) keptFrom(ctx context.Context) ([]*model.Field, error) {
	members := c.Operation.Resource.Gate
	if members == nil || c.previous == nil {
		return nil, nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, c.previous)
	if err != nil {
		return nil, err
	}
	var kept []*model.Field
	for i := range members.List {
		m := &members.List[i]
		mayWrite, err := c.mayWrite(ctx, m)
		if err != nil {
			return nil, err
		}
		if !mayWrite || hidden.Has(i) && !slices.Contains(c.sent(), m.Field.Name) {
			kept = append(kept, m.Field)
		}
	}
	return kept, nil
}

// isUnmendable reports whether a broken rule is of a member that clients cannot set or that is kept from
// this one, and of its value alone: what compares members can be mended by the other one.
// In doubt the client is told: a failure without a word costs its author more time than a violation
// that is the service's fault.
func (c *Call) isUnmendable(v *model.Violation, kept []*model.Field) bool {
	if v.Code == "" || v.Code == "invalid" || comparesMembers(v.Code) {
		return false
	}
	id := c.Operation.Resource.ID
	if f := v.Top(); id.Has(v.Field) && (f == nil || f.Writable()) && !id.Generated() {
		return c.ID != nil && !c.Created && id.Is(c.Record, c.ID)
	}
	return !v.IsWritable(c.decoded.View) || slices.Contains(kept, v.Top())
}

// comparesMembers reports whether a rule looks at another member than its own.
// By the names that validator gives to such rules; there is no list of them to ask.
func comparesMembers(code string) bool {
	return strings.HasSuffix(code, "field") || strings.HasPrefix(code, "field") ||
		strings.HasPrefix(code, "required_") || strings.HasPrefix(code, "excluded_")
}
