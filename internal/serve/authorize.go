package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
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
	c.caller.Records = (*referred)(c)
}

// referred is a call that finds records for rules.
type referred call

// Referred returns the records of a struct with the keys, also those that are hidden from the caller.
func (r *referred) Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error) {
	return r.op.API.ByStruct[of].Store.GetMany(ctx, keys, nil)
}

// isBlind reports whether the caller can see none of the operation's records. Call it after Authorize. Protocols can
// then respond as for a missing record before they check the rest of the request, whose errors would reveal that the
// record exists.
func (c *call) isBlind() bool {
	return c.op.Gate != nil && c.op.Gate.Read.Decide(&c.caller) == authz.Denied
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

// permissionHash returns a hash of the caller's permissions, nil if no rule depends on the caller. It is stored with a
// response, so that the response is not replayed to another caller with the same key or after permissions have changed.
func (c *call) permissionHash() []byte {
	if !c.op.Private {
		return nil
	}
	sum := sha256.New()
	if g := c.op.Gate; g != nil {
		g.Act.HashPermissions(&c.caller, sum)
	}
	c.op.Resource.Gate.HashPermissions(&c.caller, sum)
	if of := c.op.element; of != nil {
		if of.Gate != nil {
			of.Gate.Act.HashPermissions(&c.caller, sum)
		}
		of.Resource.Gate.HashPermissions(&c.caller, sum)
	}
	return sum.Sum(nil)
}

// allowed returns the ids of the operations on a record that the caller may run, in the order of declaration, as far as
// rules decide before a body is known. The call has loaded the record whole, and may show it to the caller.
func (c *call) allowed(ctx context.Context, record any) (ids []string, err error) {
	for _, op := range c.op.Resource.Operations {
		if !op.Item || op.Hidden {
			continue
		}
		holds := true
		if op.Gate != nil {
			if holds, err = op.Gate.Read.Holds(ctx, &c.caller, record); err == nil && holds {
				holds, err = op.Gate.Act.Holds(ctx, &c.caller, record)
			}
		}
		if err != nil {
			return nil, err
		}
		if holds {
			ids = append(ids, op.ID)
		}
	}
	return ids, nil
}

// locked returns the fields of a record that the caller may not set, by their rules, in the order of the struct.
func (c *call) locked(ctx context.Context, record any) (names []string, err error) {
	members := c.op.Resource.Gate
	if members == nil {
		return nil, nil
	}
	for i := range members.List {
		m := &members.List[i]
		holds, err := m.Write.Holds(ctx, &c.caller, record)
		if err != nil {
			return nil, err
		}
		if !holds {
			names = append(names, m.Field.Name)
		}
	}
	return names, nil
}

// sees reports whether the caller may see what a path of fields names in some record: see [compiled.API.Shows].
func (c *call) sees(path string) bool {
	if !c.op.API.Ruled {
		return true
	}
	c.identify(c.r.Context())
	return c.op.API.Shows(&c.caller, c.op.Resource, path)
}

// readsDocs reports whether the caller may read the documentation.
func (c *call) readsDocs() bool {
	c.identify(c.r.Context())
	return c.op.API.ShowsDocs(&c.caller)
}
