package execute

import (
	"context"
	"crypto/sha256"

	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// ForbiddenError reports a call that an access rule rejects.
type ForbiddenError struct {
	gate.Refusal

	Member string // the field that the caller may not set; "" for the whole call
	Place  string // of the element of a list that it is about, "[1]"; "" for none
}

// Field returns the field or the element that the caller may not set, "" for the whole call.
func (e *ForbiddenError) Field() string {
	if e.Member != "" && e.Place != "" {
		return e.Place + "." + e.Member
	}
	return e.Place + e.Member
}

func (e *ForbiddenError) Error() string {
	switch {
	case e.Member != "":
		return "You may not set " + e.Field() + "."
	case e.Place != "":
		return "You may not do this with " + e.Place + "."
	}
	return "You may not do this."
}

// HiddenError reports a record that the caller may not see. Callers see the same as for a missing one.
// It has the reason, for logs, which a plain store.ErrNotFound could not have.
type HiddenError struct{ gate.Refusal }

func (*HiddenError) Error() string { return "the record is hidden from who asks" }

// Is makes it a store.ErrNotFound.
func (*HiddenError) Is(target error) bool { return target == store.ErrNotFound }

// Authorize checks what rules say of the caller alone, before anything else of the call is known: it comes before the
// body is read, so that strangers cannot have the service read megabytes. Run calls it, unless the protocol has.
func (c *Call) Authorize(ctx context.Context) error {
	o := c.Operation
	c.authorized = true
	if o.Gate == nil && !o.API.Ruled { // no rule of this API asks who calls
		return nil
	}
	if c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	c.caller.Set(c.Principal, c.Scopes)
	if g := o.Gate; g != nil {
		if g.Act.Ask(&c.caller) == gate.Refused && (g.Create == g.Act || g.Create.Ask(&c.caller) == gate.Refused) {
			return c.forbid(ctx, g.Act, nil)
		}
		if g.Read.Ask(&c.caller) == gate.Refused {
			// On an item no record exists for this caller: 404, in its turn, unless signing in could help.
			if refused := g.Read.Refusal(ctx, &c.caller, nil); !o.Item || refused.SignIn {
				return &ForbiddenError{Refusal: refused}
			}
		}
	}
	for i := range o.Parents {
		read := o.Parents[i].Resource.Read
		if read.Ask(&c.caller) != gate.Refused {
			continue
		}
		// What the parent's own Get returns for every identifier. If signing in cannot help, it is missing in its turn.
		if refused := read.Refusal(ctx, &c.caller, nil); refused.SignIn {
			return &ForbiddenError{Refusal: refused}
		}
	}
	return nil
}

// IsBlind reports whether the caller can see none of the records that the operation is about, whichever exist. Call it
// after Authorize.
// With it a protocol can respond as for a missing record before it looks at the rest of the
// request, whose mistakes would reveal that the record exists.
func (c *Call) IsBlind() bool {
	return c.Operation.Gate != nil && c.Operation.Gate.Read.Ask(&c.caller) == gate.Refused
}

// forbid returns the error of a call that a rule rejects. It walks through the rule once more for the reasons, which
// only rejected calls need.
func (c *Call) forbid(ctx context.Context, rule *gate.Rule, record any) error {
	return &ForbiddenError{Refusal: rule.Refusal(ctx, &c.caller, record)}
}

// authorizeRecord asks the rule of the operation about the record as it is, before the body and
// the conditions of the call are looked at.
func authorizeRecord(ctx context.Context, c *Call) error {
	if !c.Created {
		return authorizeChange(ctx, c)
	}
	if create := c.Operation.Gate.Create; create.Ask(&c.caller) == gate.Refused {
		return c.forbid(ctx, create, nil)
	}
	return nil
}

// authorizeChange asks the rule of the operation about the record as it becomes, so that no caller gives away or takes
// what the rules forbid. An error of a rule rejects the call, too.
func authorizeChange(ctx context.Context, c *Call) error {
	rule := c.Operation.Gate.Act
	if c.Created {
		rule = c.Operation.Gate.Create
	}
	holds, err := rule.Holds(ctx, &c.caller, c.Record)
	if err == nil && !holds {
		err = c.forbid(ctx, rule, c.Record)
	}
	return err
}

// PermissionHash returns a hash of what rules say of the caller; nil if they ask nothing.
// With a kept response, it tells apart two callers with the same key, or one whose permissions have changed, without
// keeping the permissions themselves.
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
