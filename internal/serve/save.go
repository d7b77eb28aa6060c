package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// deserialize decodes the body onto the record, or onto the input of a handler.
func deserialize(_ context.Context, c *call) error {
	decoded, err := c.op.decode(c).Decode(c.body, c.in)
	if err != nil {
		return malformed(err, "")
	}
	c.decoded = decoded // wrong types are reported later, together with broken rules
	return nil
}

// apply validates an Input, and applies it to the record. The rules of the record are checked later, if the Input is valid.
func apply(ctx context.Context, c *call) error {
	found, err := c.op.In.Checker.Check(ctx, c.in, c.decoded)
	if err := invalid(&found, err); err != nil {
		return err
	}
	if err := c.op.Input.Apply(ctx, c.in, c.record); err != nil {
		if err := c.keepViolations(err); err != nil {
			return err
		}
	}
	// The later steps treat the record as if it had been the body.
	c.in, c.decoded = c.record, codec.Decoded{}
	return nil
}

// prepare runs the resource's Prepare hook on the record with the body applied, before validation, so that it can set
// required fields. It does not run if the body has wrong types.
func prepare(ctx context.Context, c *call) error {
	if c.decoded.Mistyped {
		return nil
	}
	err := c.op.Resource.Prepare(ctx, c.request, c.record)
	if errors.Is(err, store.ErrNotFound) && c.op.Resource.Struct.Refers {
		// Probably Prepare has read the record in a reference of the body: that is wrong, and not the path.
		broken := validate(ctx, c)
		if _, isInvalid := errors.AsType[invalidError](broken); isInvalid {
			return broken
		}
	}
	if err != nil {
		return c.keepViolations(err)
	}
	return nil
}

// keepViolations keeps the field errors of a user function, to report them together with broken rules. It returns other
// errors.
func (c *call) keepViolations(err error) error {
	if _, only := validation.Violations(err); !only {
		return err
	}
	c.hookErrors = append(c.hookErrors, err)
	return nil
}

// validate checks the record, and reports all violations.
func validate(ctx context.Context, c *call) error {
	o := c.op
	// Prepare may have changed parts of the identifier, for instance to those of another caller. Those of the path hold.
	for _, f := range o.fromService {
		if c.id != nil {
			o.Resource.ID.SetField(c.record, c.id, f)
		}
	}
	found, err := o.checker.Check(ctx, c.record, c.decoded)
	if err != nil {
		return err
	}
	var faults error
	if o.Input == nil && len(found.Violations) > len(c.decoded.Violations) { // with an Input, nothing shows what the body can fix
		if faults, err = c.separateFaults(ctx, &found); err != nil {
			return err
		}
	}
	if c.hookErrors != nil {
		refused, _ := validation.Violations(errors.Join(c.hookErrors...))
		found.Add(refused...)
	}
	if c.id != nil && !o.Resource.ID.Generated() {
		c.checkIdentifier(&found)
	}
	if o.Resource.Struct.Refers {
		if err := c.checkReferences(ctx, o.Resource.Source.Type, c.record, &found); err != nil {
			return err
		}
	}
	if found.IsEmpty() {
		return faults
	}
	return invalid(&found, nil)
}

// validateBody checks the body of a handler, and reports all violations.
func validateBody(ctx context.Context, c *call) error {
	in := c.op.In
	found, err := c.op.checker.Check(ctx, c.in, c.decoded)
	if s := in.Type.StructIn(); err == nil && s != nil && s.Refers {
		err = c.checkReferences(ctx, in.Type, c.in, &found)
	}
	return invalid(&found, err)
}

// invalid returns err, else the error of a report, nil if it is empty. It copies the report, so that the report of a valid
// body stays on the stack.
func invalid(found *model.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := *found
		return invalidError{&kept}
	}
	return err
}

// checkIdentifier reports a body with another identifier than the path. It is a violation, so that it is reported together
// with the others.
func (c *call) checkIdentifier(found *model.Report) {
	id := c.op.Resource.ID
	if id.Is(c.record, c.id) {
		return
	}
	for _, f := range id.Differ(c.record, c.id) {
		if reported := slices.ContainsFunc(found.Violations, func(v model.Violation) bool { return v.Field == f.Name }); !reported {
			found.Add(validation.Violation{Field: f.Name, Code: "identifier", Message: f.Name + " must be the one in the path"})
		}
	}
}

// checkKey reports a part of the identifier that the service must set and has not set. It runs before the insertion,
// because a Processor may set the part.
func (c *call) checkKey() error {
	for _, f := range c.op.fromService {
		v := f.Value(reflect.ValueOf(c.record).Elem())
		if v.IsZero() || v.Kind() == reflect.String && !check.IsNotBlank(v.String()) {
			return fmt.Errorf("the field %s is a readonly part of the identifier, but is not set; set it in Prepare", f.Name)
		}
	}
	return nil
}

// process calls the operation's Processor, which decides whether and when to save. It gets a save function instead of the
// store, so that it saves in the transaction.
func process(ctx context.Context, c *call) error {
	err := c.op.Processor.Call(ctx, c.request, c.record, c.save)
	c.unsaved = !c.saved
	if err != nil || c.saved || !c.created || c.id == nil && c.op.Status != http.StatusCreated {
		return err
	}
	// The Processor may have saved the record elsewhere. A 201 promises that it exists.
	if _, err = c.tx.Peek(ctx, c.op.Resource.ID.Of(c.record)); errors.Is(err, store.ErrNotFound) {
		return errNothingCreated
	}
	return err
}

var (
	// errEnded reports a Processor that saves after it has returned.
	errEnded = errors.New("the operation has ended, so its save function can no longer be called")
	// errNothingCreated reports a Processor that returned nil and saved nothing.
	errNothingCreated = errors.New("the Processor returned nil without saving the record, but the operation returns 201; " +
		"call save, return an error, or set another Status, such as 202")
)

// save writes a record in the transaction. Users may call it twice, too late, or with another record; each case is handled
// or returns an error.
func (c *call) save(ctx context.Context, record any) error {
	if c.tx == nil {
		return errEnded
	}
	c.record = record
	err := c.op.store(ctx, c)
	c.saved = c.saved || err == nil
	return err
}

// putRecord inserts or updates the record; a second save of a new record updates it. It also encodes the record, even if
// the response is something else, because clients could never read a record that cannot be encoded.
func putRecord(ctx context.Context, c *call) error {
	o, id := c.op, c.id
	switch {
	case id != nil && o.renames:
		o.Resource.ID.Set(c.record, id)
	case id == nil && c.inserted:
		id = o.Resource.ID.Of(c.record)
	}
	var err error
	if c.created && !c.inserted {
		if o.fromService != nil {
			if err := c.checkKey(); err != nil {
				return err
			}
		}
		err = c.tx.Insert(ctx, c.record, o.hands)
		c.inserted = err == nil
	} else {
		err = c.tx.Update(ctx, id, c.record, o.hands)
	}
	if err != nil || o.shownWhole {
		return err
	}
	// The response may not include the whole record, so it does not prove that the record can be encoded.
	c.buffers.state, err = o.Resource.Source.Response.Encoder.Append(c.buffers.state[:0], c.record)
	return err
}

// holdConditions checks the preconditions of a change on the current record. It runs in the transaction, so that no other
// change can come in between (RFC 9110, section 13.1.1).
func holdConditions(_ context.Context, c *call) error {
	if !c.conditions.Given {
		return nil
	}
	now := httpfield.Selected{Exists: !c.created}
	if c.id != nil && now.Exists {
		_, now.Modified = c.op.Resource.Stamps(c.record)
		state, err := c.appendState(nil, c.record)
		if err != nil {
			return err
		}
		now.State = string(state)
	}
	if !c.conditions.Holds(now) {
		return preconditionFailed(&c.conditions)
	}
	return nil
}

// appendState appends the state of a record for its ETag: the version and a hash of its fields. It leaves their JSON in
// c.buffers.state. If the state has fields that no response shows, the hash is keyed, so that clients cannot find them by trying.
func (c *call) appendState(b []byte, record any) (_ []byte, err error) {
	r := c.op.Resource
	version, _ := r.Stamps(record)
	if r.HidesState() {
		if c.buffers.state, err = r.Codec.AppendState(c.buffers.state[:0], record); err != nil {
			return b, err
		}
		return httpfield.AppendKeyedState(b, version, c.buffers.state, c.op.API.TagKey), nil
	}
	if c.buffers.state, err = r.Source.Response.Encoder.Append(c.buffers.state[:0], record); err != nil {
		return b, err
	}
	return httpfield.AppendState(b, version, c.buffers.state), nil
}

// explainConflict translates a store's error about references for clients. It occurs despite the earlier check if another
// transaction was faster. The result names no record, and no reference that the caller may not see.
func (c *call) explainConflict(err error) error {
	broken, ok := errors.AsType[store.ReferenceError](err)
	if !ok || !errors.Is(err, store.ErrConflict) {
		return err
	}
	of := c.op.Resource
	if of.Struct.Go != broken.Record {
		i := slices.IndexFunc(c.op.API.Resources, func(r *compiled.Resource) bool { return r.Struct.Go == broken.Record })
		if i < 0 {
			return err // clients do not know the store's own tables
		}
		of = c.op.API.Resources[i]
	}
	isShown := c.mayName(of, broken.Field) && (of == c.op.Resource || of.Read.Decide(&c.caller) != authz.Denied)
	switch {
	case !broken.Referred && c.op.Restores: // another record, which its deletion took along, may have the reference
		detail := "The record cannot be restored because it or one that was deleted with it references a record in the trash"
		if isShown {
			detail += ": " + broken.Field + " of " + of.ShortName
		}
		return problem.New(http.StatusConflict, detail+".")
	case !broken.Referred:
		return c.explainMissing(err, broken.Field, of)
	}
	name, to := "another record", " references it."
	if isShown {
		name = of.ShortName + "." + broken.Field
	}
	if f := of.Struct.Field(broken.Field); f != nil && f.Reference != nil && f.Reference.Target != c.op.Resource.Struct {
		to = " references a record that would be deleted with it."
	}
	return problem.New(http.StatusConflict, "The record cannot be deleted because "+name+to)
}

// explainMissing returns the error of a reference to a missing record, if it is in a field that the body or the path sets.
// Otherwise a hook may have set it, and the error stays a conflict.
func (c *call) explainMissing(err error, field string, of *compiled.Resource) error {
	o := c.op
	switch {
	case of != o.Resource, o.Custom:
		return err
	case !o.TakesBody():
		for i := range o.pathRecords {
			if p := &o.pathRecords[i]; p.Field.Name == field {
				return noRecord(p.Resource)
			}
		}
		return err
	}
	if f := of.Struct.Field(field); f != nil && f.Reference != nil && !f.ReadOnly && c.mayName(of, field) {
		found := new(model.Report)
		found.Add(validation.Violation{Field: f.Name, Code: codec.CodeReference, Message: f.Name + " must be " + meaning(f)})
		return invalidError{found}
	}
	return err
}

// faultError reports a record that breaks rules which the client cannot fix. It is a failure of the service, and not shown
// to clients.
type faultError struct{ found []model.Violation }

func (e faultError) Error() string {
	texts := []string{"the record breaks rules of fields that clients cannot set; set them in Prepare or in the handler"}
	for _, v := range e.found[:min(len(e.found), 10)] {
		texts = append(texts, v.Error()+" ("+v.Code+")")
	}
	return strings.Join(texts, "; ")
}

// Is makes rules about hidden fields and others, which a client may have broken by the others, a conflict that names none.
func (e faultError) Is(target error) bool {
	isOther := func(v model.Violation) bool { return isOfOneField(v.Code) }
	return (target == store.ErrConstraint || target == store.ErrConflict) && !slices.ContainsFunc(e.found, isOther)
}

// separateFaults removes broken rules of fields that the client cannot set from a report, and returns them as an error, nil for
// none. It keeps errors of decoding, which come first, because clients can always fix them.
func (c *call) separateFaults(ctx context.Context, found *model.Report) (faults, err error) {
	locked, err := c.lockedFields(ctx)
	if err != nil {
		return nil, err
	}
	return separate(found, len(c.decoded.Violations), func(v *model.Violation) bool { return c.isFault(v, locked) }), nil
}

// faultsBeyond returns a function that reports whether a violation is a fault of a record of which clients change only one
// field: it is about another field, or a hidden one.
func faultsBeyond(changed *model.Field) func(v *model.Violation) bool {
	return func(v *model.Violation) bool {
		f := v.Top()
		return f != nil && (f.Hidden || f != changed && isOfOneField(v.Code))
	}
}

// separate removes faults from a report, from an index on, and returns them as an error, nil for none.
func separate(found *model.Report, from int, isFault func(v *model.Violation) bool) error {
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

// lockedFields lists the fields of a stored record that the caller cannot write, or neither sees nor sends.
func (c *call) lockedFields(ctx context.Context) ([]*model.Field, error) {
	members := c.op.Resource.Gate
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

// isFault reports whether the client cannot fix a violation: it depends on one field alone, which clients cannot set or which
// is locked for the caller, or is about a hidden field, which no error names. In doubt it returns false, because an error
// without a reason costs more time.
func (c *call) isFault(v *model.Violation, locked []*model.Field) bool {
	switch f := v.Top(); {
	case f != nil && f.Hidden:
		return true
	case !isOfOneField(v.Code):
		return false
	}
	id := c.op.Resource.ID
	if f := v.Top(); id.Has(v.Field) && (f == nil || f.Writable()) && !id.Generated() {
		return c.id != nil && !c.created && id.Is(c.record, c.id)
	}
	return !v.IsWritable(c.decoded.View) || slices.Contains(locked, v.Top())
}

// isOfOneField reports whether a rule depends on its own field alone. It recognizes the others by the names that validator
// gives them.
func isOfOneField(code string) bool {
	return code != "" && code != "invalid" && !strings.HasSuffix(code, "field") && !strings.HasPrefix(code, "field") &&
		!strings.HasPrefix(code, "required_") && !strings.HasPrefix(code, "excluded_")
}
