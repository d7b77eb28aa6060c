package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// forbiddenError reports a call that an access rule denies.
type forbiddenError struct {
	authz.Denial

	op    *Operation // that the caller may not call
	Field string     // the field that the caller may not set; "" for the whole call
	Place string     // the place of the list element that the error is about, "[1]"; "" for none
}

// Path returns the field or the element that the caller may not set, "" for the whole call.
func (e *forbiddenError) Path() string {
	if e.Field != "" && e.Place != "" {
		return e.Place + "." + e.Field
	}
	return e.Place + e.Field
}

func (e *forbiddenError) Error() string { return problem.Forbidden.Detail(e.action()) }

// action returns what the caller may not do: "update this order". It depends on the operation and the body alone, so
// that it reveals nothing about the record.
func (e *forbiddenError) action() string {
	if e.Field != "" {
		return "set " + e.Path()
	}
	op := e.op
	one, many := naming.Phrase(op.Resource.ShortName), naming.Phrase(op.Resource.PluralName)
	switch {
	case e.Place != "" && op.Deletes():
		return "delete the " + many + " that are not in " + e.Place
	case e.Place != "" && op.Kind == operation.KindPost:
		return "create the " + one + " at " + e.Place
	case e.Place != "":
		return "update the " + one + " at " + e.Place
	case one == "": // a page that is not an operation, such as the documentation
		return "access this path"
	case op.Custom:
		return "perform this operation"
	case op.Kind == operation.KindGetCollection:
		return "list " + many
	case op.Reads:
		return "view this " + one
	case op.Kind == operation.KindPost:
		return "create " + many
	case op.Deletes():
		return "delete this " + one
	}
	return "update this " + one
}

// hiddenError reports a record that the caller may not see. Responses treat it as a missing record; the denial is for
// logs.
type hiddenError struct{ authz.Denial }

func (*hiddenError) Error() string { return "the record is hidden from the caller" }

// Is makes it a store.ErrNotFound.
func (*hiddenError) Is(target error) bool { return target == store.ErrNotFound }

// authorize checks the rules that need no record. It runs before the body is read, so that unauthorized callers cannot
// make the service read megabytes.
func authorize(ctx context.Context, c *call) error {
	o := c.op
	if o.Gate == nil && !o.API.Ruled { // no rule of this API depends on the caller
		return nil
	}
	c.identify(ctx)
	if g := o.Gate; g != nil {
		if g.Act.Decide(&c.caller) == authz.Denied && (g.Create == g.Act || g.Create.Decide(&c.caller) == authz.Denied) {
			return c.forbid(ctx, g.Act, nil)
		}
		if g.Read.Decide(&c.caller) == authz.Denied {
			// For this caller no item exists, so a later step returns 404, unless signing in could help.
			if denial := g.Read.Denial(ctx, &c.caller, nil); !o.Item || denial.SignIn {
				return &forbiddenError{Denial: denial, op: o}
			}
		}
	}
	for i := range o.Parents {
		read := o.Parents[i].Resource.Read
		if read.Decide(&c.caller) != authz.Denied {
			continue
		}
		// The parent's own Get returns the same for every identifier. If signing in cannot help, a later step returns 404.
		if denial := read.Denial(ctx, &c.caller, nil); denial.SignIn {
			return &forbiddenError{Denial: denial, op: o}
		}
	}
	return nil
}

// identify sets the caller, as rules see them, unless it is set.
func (c *call) identify(ctx context.Context) {
	if c.identified {
		return
	}
	c.identified = true
	if c.principal == nil {
		c.principal = operation.PrincipalFrom(ctx)
	}
	c.caller.Set(c.principal, c.scopes)
	c.caller.Records, c.caller.Keeps = (*referred)(c), c.op.Reads
}

// referred is a call that finds records for rules.
type referred call

// Referred returns the records of a struct with the keys, also those that are hidden from the caller.
func (r *referred) Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error) {
	return r.op.API.ByStruct[of].Store.GetMany(r.reading(ctx), keys, nil)
}

// reading returns the context for reading the records that rules look at. A write depends on them until it is saved.
func (r *referred) reading(ctx context.Context) context.Context {
	if r.op.Reads {
		return ctx
	}
	return txn.WithLock(ctx, txn.Shared)
}

// Find returns the records of a struct that a query selects, also those that are hidden from the caller. One that cannot be
// read is an error, because the rule might hold for it.
func (r *referred) Find(ctx context.Context, of *model.Struct, query store.Query) ([]any, error) {
	page, err := r.op.API.ByStruct[of].Store.List(r.reading(ctx), query)
	if err != nil || page.Broken != nil {
		return nil, cmp.Or(err, errors.Join(page.Broken...))
	}
	return all(page.Items), nil
}

// all returns the records of a page.
func all(items compiled.Items) []any {
	records := make([]any, items.Len())
	for i := range records {
		records[i] = items.At(i)
	}
	return records
}

// forbid returns the error of a call that a rule denies. It evaluates the rule once more for the reasons, which only
// denied calls need.
func (c *call) forbid(ctx context.Context, rule *authz.Rule, record any) error {
	return &forbiddenError{Denial: rule.Denial(ctx, &c.caller, record), op: c.op}
}

// authorizeRecord checks the operation's rule on the record as it is, before the conditions and the body of the call.
func authorizeRecord(ctx context.Context, c *call) error {
	if !c.created {
		return c.holds(ctx, c.op.Gate.Act)
	}
	if create := c.op.Gate.Create; create.Decide(&c.caller) == authz.Denied {
		return c.forbid(ctx, create, nil)
	}
	return nil
}

// authorizeChange checks the operation's rule on the changed record, so that no caller can give away or take a record
// against the rule. The error names the field whose new value the caller may not choose, if there is only one.
func authorizeChange(ctx context.Context, c *call) error {
	rule := c.op.Gate.Act
	if c.created {
		rule = c.op.Gate.Create
	}
	c.caller.Saves = true
	defer func() { c.caller.Saves = false }()
	err := c.holds(ctx, rule)
	if denied, ok := errors.AsType[*forbiddenError](err); ok && !c.op.Custom {
		field := rule.Blames(ctx, &c.caller, c.record)
		path, ok := c.op.Resource.Struct.Path(field)
		if ok && !slices.ContainsFunc(path.Fields, func(f *model.Field) bool { return f.Hidden }) && c.sees(field) {
			denied.Field = field
		}
	}
	return err
}

// holds returns an error if a rule does not hold for the record.
func (c *call) holds(ctx context.Context, rule *authz.Rule) error {
	holds, err := rule.Holds(ctx, &c.caller, c.record)
	if err == nil && !holds {
		err = c.forbid(ctx, rule, c.record)
	}
	return err
}

// allowed returns the ids of the operations on a record that rules allow the caller, in the order of declaration, as far as they
// decide before a body is known: those that its state allows, too, and those that it does not. The call has loaded the record
// whole, and may show it to the caller.
func (o *Operation) allowed(ctx context.Context, caller *authz.Caller, record any) (ids, unmet []string, err error) {
	isDeleted := o.Resource.Struct.IsDeleted(reflect.ValueOf(record).Elem())
	for _, op := range o.Resource.Operations {
		if !op.Item || op.Hidden {
			continue
		}
		holds, fits := true, op.OfTrash() == isDeleted || op.TakesDeleted()
		if op.Gate != nil {
			if holds, err = op.Gate.Read.Holds(ctx, caller, record); err == nil && holds {
				holds, err = op.Gate.Act.Holds(ctx, caller, record)
			}
		}
		if op.When != nil && holds && fits && err == nil {
			fits, err = op.When.Rule.Holds(ctx, caller, record)
		}
		switch {
		case err != nil:
			return nil, nil, err
		case holds && fits:
			ids = append(ids, op.ID)
		case holds:
			unmet = append(unmet, op.ID)
		}
	}
	return ids, unmet, nil
}

// addLocked adds the fields of a record that the caller may not set, by their rules, in the order of the struct.
func (o *Operation) addLocked(ctx context.Context, caller *authz.Caller, record any, to *Permissions) error {
	rules := o.Resource.Gate
	if rules == nil {
		return nil
	}
	for i := range rules.List {
		m := &rules.List[i]
		holds, err := m.Write.Holds(ctx, caller, record)
		if err != nil {
			return err
		}
		if !holds {
			to.Locked = append(to.Locked, m.Field.Name)
		}
	}
	return nil
}

// sees reports whether the caller may see what a path of fields names in some record: see [compiled.API.Shows].
func (c *call) sees(path string) bool {
	if !c.op.API.Ruled {
		return true
	}
	c.identify(c.r.Context())
	return c.op.API.Shows(&c.caller, c.op.Resource, path)
}

// guardFields rejects a body that sets a field which the caller may not write. It accepts the current value if the caller
// can see it, because clients send back whole records. If the body of a replacing Put omits a field that the caller cannot
// see or write, the field keeps its value. Only the first forbidden field is reported. A value with a wrong type is
// rejected too, because its violation would describe a field that the caller may not know, and so is the current value of a
// write-only field, such as a password, because callers could find it by trying.
func guardFields(ctx context.Context, c *call) error {
	rules := c.op.Resource.Gate
	before, hidden := c.previous, authz.Set(0)
	if before == nil { // a new record has no hidden fields
		before = c.op.Resource.Codec.New()
	} else {
		var err error
		if hidden, err = rules.Hidden(ctx, &c.caller, before); err != nil {
			return err
		}
	}
	for i := range rules.List {
		m := &rules.List[i]
		isSent, isOfField := c.sets(m, before), func(v model.Violation) bool { return v.Top() == m.Field }
		isUnseen := c.previous != nil && (hidden.Has(i) || !m.Field.Readable())
		if !isSent && !c.op.Replace {
			continue
		}
		mayWrite, err := c.mayWrite(ctx, m)
		switch {
		case err != nil:
			return err
		case isSent && !mayWrite && (isUnseen || slices.ContainsFunc(c.decoded.Violations, isOfField) || !c.isSame(m.Field, before)):
			return &forbiddenError{Denial: m.Write.Denial(ctx, &c.caller, c.previous), Field: m.Field.Name}
		case !isSent && c.previous != nil && (!mayWrite || hidden.Has(i)):
			kept := c.op.Resource.Codec.Clone(c.previous)
			m.Field.Value(reflect.ValueOf(c.record).Elem()).Set(m.Field.Value(reflect.ValueOf(kept).Elem()))
			// The caller cannot fix its violations.
			c.decoded.Violations = slices.DeleteFunc(c.decoded.Violations, isOfField)
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
	rules := c.op.Resource.Gate
	if c.previous != nil || !c.created {
		return nil
	}
	for i := range rules.List {
		m := &rules.List[i]
		if m.Write.Decide(&c.caller) != authz.Depends {
			continue
		}
		if blank := c.op.Resource.Codec.New(); !c.sets(m, blank) || c.isSame(m.Field, blank) {
			continue
		}
		if err := checkWrite(ctx, &c.caller, m, c.record); err != nil {
			return err
		}
		c.changedFields |= 1 << i
	}
	return nil
}

// checkWrite returns an error if the caller may not write a field of a record.
func checkWrite(ctx context.Context, caller *authz.Caller, m *authz.FieldRules, record any) error {
	holds, err := m.Write.Holds(ctx, caller, record)
	if err == nil && !holds {
		err = &forbiddenError{Denial: m.Write.Denial(ctx, caller, record), Field: m.Field.Name}
	}
	return err
}

// isSame reports whether a field of the record has the same value in another record. It compares JSON, because clients send
// back what responses show: a time in another zone, or an empty list for nil.
func (c *call) isSame(f *model.Field, other any) bool {
	source := c.op.Resource.Source
	whole := source.Views.View(model.AllFields)
	encoder := source.Codec.Encoder(whole).Narrow(whole.Only([]string{f.Name}))
	now, err := encoder.Append(nil, c.record)
	then, fault := encoder.Append(nil, other)
	return err == nil && fault == nil && bytes.Equal(now, then)
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
		c.sentFields = fieldsOf(c.body)
		for i := range c.op.Parents {
			if p := &c.op.Parents[i]; p.IsDirect() {
				c.sentFields = append(c.sentFields, p.Field.Name)
			}
		}
	}
	return c.sentFields
}

// fieldsOf lists the fields of a JSON object, as far as it is well-formed.
func fieldsOf(body []byte) []string {
	names, decoder := []string{}, jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	_ = codec.EachField(decoder, func(name string) error {
		names = append(names, name)
		return decoder.SkipValue() //nolint:wrapcheck // what follows is left out
	})
	return names
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
		isSeen := f.Readable() && !r.Gate.IsHidden(hidden, f.Name)
		if c.isSame(f, c.previous) && (isSeen || c.op.Input != nil || !slices.Contains(c.sent(), f.Name)) {
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
