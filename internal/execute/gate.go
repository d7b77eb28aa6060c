package execute

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

// ForbiddenError reports a call that an access rule denies.
type ForbiddenError struct {
	authz.Denial

	Operation *Operation // that the caller may not call
	Field     string     // the field that the caller may not set; "" for the whole call
	Place     string     // the place of the list element that the error is about, "[1]"; "" for none
}

// Path returns the field or the element that the caller may not set, "" for the whole call.
func (e *ForbiddenError) Path() string {
	if e.Field != "" && e.Place != "" {
		return e.Place + "." + e.Field
	}
	return e.Place + e.Field
}

func (e *ForbiddenError) Error() string { return problem.Forbidden.Detail(e.action()) }

// action returns what the caller may not do: "update this order". It depends on the operation and the body alone, so
// that it reveals nothing about the record.
func (e *ForbiddenError) action() string {
	if e.Field != "" {
		return "set " + e.Path()
	}
	op := e.Operation
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
	case op.Membership != nil:
		return "update this " + one
	case op.Kind == operation.KindPost:
		return "create " + many
	case op.Kind == operation.KindDelete:
		return "delete this " + one
	}
	return "update this " + one
}

// HiddenError reports a record that the caller may not see. Responses treat it as a missing record; the denial is for
// logs.
type HiddenError struct{ authz.Denial }

func (*HiddenError) Error() string { return "the record is hidden from the caller" }

// Is makes it a store.ErrNotFound.
func (*HiddenError) Is(target error) bool { return target == store.ErrNotFound }

// Authorize checks the rules that need no record. It runs before the body is read, so that unauthorized callers cannot
// make the service read megabytes. Run calls it, unless the protocol has done so.
func (c *Call) Authorize(ctx context.Context) error {
	o := c.Operation
	c.authorized = true
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
				return &ForbiddenError{Denial: denial, Operation: o}
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
			return &ForbiddenError{Denial: denial, Operation: o}
		}
	}
	return nil
}

// identify sets the caller, as rules see them.
func (c *Call) identify(ctx context.Context) {
	if c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	c.caller.Set(c.Principal, c.Scopes)
	c.caller.Records = (*referred)(c)
}

// referred is a call that finds records for rules.
type referred Call

// Referred returns the records of a struct with the keys, also those that are hidden from the caller.
func (r *referred) Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error) {
	return r.Operation.API.ByStruct[of].Store.GetMany(ctx, keys, nil)
}

// IsBlind reports whether the caller can see none of the operation's records. Call it after Authorize. Protocols can
// then respond as for a missing record before they check the rest of the request, whose errors would reveal that the
// record exists.
func (c *Call) IsBlind() bool {
	return c.Operation.Gate != nil && c.Operation.Gate.Read.Decide(&c.caller) == authz.Denied
}

// forbid returns the error of a call that a rule denies. It evaluates the rule once more for the reasons, which only
// denied calls need.
func (c *Call) forbid(ctx context.Context, rule *authz.Rule, record any) error {
	return &ForbiddenError{Denial: rule.Denial(ctx, &c.caller, record), Operation: c.Operation}
}

// authorizeRecord checks the operation's rule on the record as it is, before the conditions and the body of the call.
func authorizeRecord(ctx context.Context, c *Call) error {
	if !c.Created {
		return c.holds(ctx, c.Operation.Gate.Act)
	}
	if create := c.Operation.Gate.Create; create.Decide(&c.caller) == authz.Denied {
		return c.forbid(ctx, create, nil)
	}
	return nil
}

// authorizeChange checks the operation's rule on the changed record, so that no caller can give away or take a record
// against the rule. The error names the field whose new value the caller may not choose, if there is only one.
func authorizeChange(ctx context.Context, c *Call) error {
	rule := c.Operation.Gate.Act
	if c.Created {
		rule = c.Operation.Gate.Create
	}
	err := c.holds(ctx, rule)
	if denied, ok := errors.AsType[*ForbiddenError](err); ok && !c.Operation.Custom {
		if field := rule.Blames(ctx, &c.caller, c.Record); c.mayName(ctx, field) {
			denied.Field = field
		}
	}
	return err
}

// mayName reports whether an error may name a field of the record.
func (c *Call) mayName(ctx context.Context, path string) bool {
	found, ok := c.Operation.Resource.Struct.Path(path)
	return ok && !slices.ContainsFunc(found.Fields, func(f *model.Field) bool { return f.Hidden }) && c.Sees(ctx, path)
}

// holds returns an error if a rule does not hold for the record.
func (c *Call) holds(ctx context.Context, rule *authz.Rule) error {
	holds, err := rule.Holds(ctx, &c.caller, c.Record)
	if err == nil && !holds {
		err = c.forbid(ctx, rule, c.Record)
	}
	return err
}

// PermissionHash returns a hash of the caller's permissions, nil if no rule depends on the caller. It is stored with a
// response, so that the response is not replayed to another caller with the same key or after permissions have changed.
func (c *Call) PermissionHash() []byte {
	if !c.Operation.Private {
		return nil
	}
	sum := sha256.New()
	if g := c.Operation.Gate; g != nil {
		g.Act.HashPermissions(&c.caller, sum)
	}
	c.Operation.Resource.Gate.HashPermissions(&c.caller, sum)
	if of := c.Operation.element; of != nil {
		if of.Gate != nil {
			of.Gate.Act.HashPermissions(&c.caller, sum)
		}
		of.Resource.Gate.HashPermissions(&c.caller, sum)
	}
	return sum.Sum(nil)
}
