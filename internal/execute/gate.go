package execute

import (
	"context"
	"crypto/sha256"

	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/store"
)

// ForbiddenError is of a call that a rule of access does not let pass.
type ForbiddenError struct {
	gate.Refusal

	Member string // which is not to be written; "" for the whole of the call
	Place  string // of the element of a list that it is about, "[1]"; "" for none
}

// Field returns the member, or the element, that may not be written, "" for all of it.
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

// HiddenError is of a record that the caller may not see. For whoever is told, it is missing.
// It says why, for logs, which a plain store.ErrNotFound could not.
type HiddenError struct{ gate.Refusal }

func (*HiddenError) Error() string { return "the record is hidden from who asks" }

// Is makes it a store.ErrNotFound.
func (*HiddenError) Is(target error) bool { return target == store.ErrNotFound }

// Authorize asks what can be told of the caller before anything else of the call is known. Run
// does so itself where nobody has: only who wants to know early calls it.
func (c *Call) Authorize(ctx context.Context) error {
	c.authorized = true
	if !c.Operation.IsGated() {
		return nil
	}
	c.meet(ctx)
	if err := c.authorizeAlone(ctx); err != nil {
		return err
	}
	for i := range c.Operation.Parents {
		read := c.Operation.Parents[i].Resource.Read
		if read.Ask(&c.caller) != gate.Refused {
			continue
		}
		// What the parent's own Get answers for every identifier. To who cannot sign in, it is missing in its turn.
		if refused := read.Refusal(ctx, &c.caller, nil); refused.SignIn {
			return &ForbiddenError{Refusal: refused}
		}
	}
	return nil
}

// authorizeAlone asks the rules of the operation what they say without a record.
// It comes before the body is read, so that strangers cannot have the service read megabytes.
func (c *Call) authorizeAlone(ctx context.Context) error {
	g := c.Operation.Gate
	if g == nil {
		return nil
	}
	if g.Act.Ask(&c.caller) == gate.Refused && (g.Create == g.Act || g.Create.Ask(&c.caller) == gate.Refused) {
		return c.forbid(ctx, g.Act, nil)
	}
	if g.Read.Ask(&c.caller) != gate.Refused {
		return nil
	}
	refused := g.Read.Refusal(ctx, &c.caller, nil)
	if c.Operation.Item && !refused.SignIn { // no record is there for this caller: 404, in its turn
		return nil
	}
	return &ForbiddenError{Refusal: refused}
}

// IsBlind reports whether the caller can see none of the records that the operation is about,
// whichever there are. Ask it behind Authorize.
// With it a protocol can answer like for a missing record before it looks at the rest of the
// request, whose mistakes would tell that there is one.
func (c *Call) IsBlind() bool {
	return c.Operation.Gate != nil && c.Operation.Gate.Read.Ask(&c.caller) == gate.Refused
}

// forbid refuses a call of which a rule does not hold.
// The reasons are found only here, where the call is refused already: they cost a walk through the
// rule.
func (c *Call) forbid(ctx context.Context, rule *gate.Rule, record any) error {
	return &ForbiddenError{Refusal: rule.Refusal(ctx, &c.caller, record)}
}

// mayRead lets the call go on with a record that the caller may see.
// A record that may not be seen is missing, not forbidden: 403 would tell that it is there.
func (c *Call) mayRead(ctx context.Context, record any) error {
	if c.Operation.Gate == nil {
		return nil
	}
	read := c.Operation.Gate.Read
	holds, err := read.Holds(ctx, &c.caller, record)
	if err == nil && !holds {
		err = &HiddenError{read.Refusal(ctx, &c.caller, record)}
	}
	return err
}

// authorizeRecord asks the rule of the operation about the record as it is, before the body and
// the conditions of the call are looked at.
func authorizeRecord(ctx context.Context, c *Call) error {
	if c.Created {
		if create := c.Operation.Gate.Create; create.Ask(&c.caller) == gate.Refused {
			return c.forbid(ctx, create, nil)
		}
		return nil
	}
	return c.hold(ctx, c.Operation.Gate.Act)
}

// authorizeChange asks the rules about the record as it becomes: nobody gives away or takes what
// they forbid.
func authorizeChange(ctx context.Context, c *Call) error {
	if c.Created {
		return c.hold(ctx, c.Operation.Gate.Create)
	}
	return c.hold(ctx, c.Operation.Gate.Act)
}

// hold refuses the call unless a rule holds of its record.
// An error of a rule is passed on and lets nobody pass.
func (c *Call) hold(ctx context.Context, rule *gate.Rule) error {
	holds, err := rule.Holds(ctx, &c.caller, c.Record)
	if err == nil && !holds {
		err = c.forbid(ctx, rule, c.Record)
	}
	return err
}

// confine leaves of a query what the caller may see.
// Rules are in the query rather than asked of what it finds: pages would have holes, and totals
// would tell how many hidden records there are.
func (c *Call) confine(ctx context.Context, query store.Query) (store.Query, error) {
	// Before the operation's own rules are looked for: a resource without any may refer to one that
	// hides its records.
	if reached := c.Operation.Resource.Reached; reached != nil {
		c.meet(ctx)
		var err error
		query, err = gate.Through(ctx, &c.caller, query, func(field string) gate.Reached {
			return gate.Reached{Read: reached[field].Read, Members: reached[field].Gate}
		})
		if err != nil {
			return query, err
		}
	}
	if c.Operation.Gate == nil && c.Operation.Resource.Gate == nil {
		return query, nil
	}
	// A handler is handed the query, and may keep it, as any store may that does not say otherwise.
	if !c.Operation.Custom && c.Operation.Resource.Store.Forgets() {
		c.caller.Lend(&c.room().rules)
	}
	var read *gate.Rule
	if c.Operation.Gate != nil {
		read = c.Operation.Gate.Read
	}
	return gate.Confine(ctx, &c.caller, query, read, c.Operation.Resource.Gate)
}

// Standing returns a hash of what rules ask of the caller; nil where they ask nothing.
// Two callers with the same key, or one whose rights have changed, are thereby told apart where an
// answer is kept, without the rights being kept themselves.
func (c *Call) Standing() []byte {
	if !c.Operation.Private {
		return nil
	}
	sum := sha256.New()
	if g := c.Operation.Gate; g != nil {
		g.Act.WriteStanding(&c.caller, sum)
	}
	c.Operation.Resource.Gate.WriteStanding(&c.caller, sum)
	if of := c.Operation.element; of != nil {
		if of.Gate != nil {
			of.Gate.Act.WriteStanding(&c.caller, sum)
		}
		of.Resource.Gate.WriteStanding(&c.caller, sum)
	}
	return sum.Sum(nil)
}
