package execute

import (
	"context"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// Functions are the user functions that the steps of an operation call, and data for them.
type Functions struct {
	Handler   compiled.Handler   // nil for none
	Processor compiled.Processor // nil for none
	Input     compiled.Input     // applies bodies to records; nil if a body is the record, or a handler's
	Output    compiled.Output    // makes responses from records; nil if a response shows the record, or is a handler's
	Extra     map[string]any     // the extra properties, for functions
}

// Operation executes calls of a compiled operation: it is the list of its steps, made by the constructor of its kind
// (Get, List, Create, Replace, Update, Delete, Handler, Bulk, Membership). It is safe for concurrent use.
type Operation struct {
	*compiled.Operation
	Functions

	ahead []step // before the transaction; nil if all of them run in it
	steps []step
	// The steps of an element of a handler's body: before the handler gets the record, and when it saves it.
	receives, finishes []step

	owner  *compiled.Resource                       // the resource whose store runs the transaction
	decode func(c *Call) *codec.Decoder             // prepares the value that the body is decoded onto
	store  func(ctx context.Context, c *Call) error // saves the record
	write  func(ctx context.Context, c *Call) error // the same, through the Processor if there is one
	before func(ctx context.Context, c *Call) error // the user's slow work before the transaction; nil for none

	checker      *check.Checker                // of the record that a body makes, or of a handler's body
	compares     bool                          // it needs the record before the change
	keepsCreated bool                          // it must not change createonly fields
	renames      bool                          // user functions may change the identifier of the record
	hands        bool                          // the store may keep the records that it gets, because no user function has them
	shownWhole   bool                          // the response shows the whole record, which proves that it can be encoded
	guarded      map[string]*compiled.Resource // resources that filters name, and whose records not everyone may see
	fromService  []*model.Field                // the parts of the identifier that the service sets
	element      *Operation                    // saves the records of a handler's body; nil for none
	unruled      bool                          // a required access rule for these records is missing
	always       int                           // the maximum number of records that each record always embeds
	hides        bool                          // responses may have fields that the caller may not see
	encoders     sync.Map                      // without these fields, by gate.Set: few, one for each kind of caller
}

// OperationOf returns the Operation of a compiled operation; nil for one that only the model knows.
func OperationOf(op *compiled.Operation) *Operation {
	made, _ := op.Executor.(*Operation)
	return made
}

// Steps returns the names of the steps of a call, in order.
func (o *Operation) Steps() []string {
	names := make([]string, 0, len(o.ahead)+len(o.steps))
	for _, s := range o.ahead {
		names = append(names, s.name)
	}
	for _, s := range o.steps {
		names = append(names, s.name)
	}
	return names
}

// step is one step of a call.
type step struct {
	name string
	run  func(ctx context.Context, c *Call) error
}

// when returns a step that is part of a list only if a condition of the declaration holds.
func when(holds bool, name string, run func(ctx context.Context, c *Call) error) step {
	if !holds {
		return step{}
	}
	return step{name, run}
}

// steps joins lists, and leaves out the empty steps.
func steps(lists ...[]step) []step {
	return slices.DeleteFunc(slices.Concat(lists...), func(s step) bool { return s.run == nil })
}

// begin starts the operation that a constructor makes.
func begin(op *compiled.Operation, with Functions) *Operation {
	r := op.Resource
	o := &Operation{Operation: op, Functions: with, owner: r, fromService: r.ID.FromService()}
	if of := op.Bodies(); of != nil && !op.Saves {
		o.owner = of
	}
	o.renames = op.Hooked || op.HasInput
	o.hands = with.Processor == nil && with.Handler == nil
	o.shownWhole = o.hands && op.HasResponseBody() && !op.Narrows()
	o.hides = r.Gate.Hides() && op.Out != nil && op.Out.Codec == r.Codec // a handler's own response has no rules for fields
	if op.In != nil {
		o.checker = op.In.Checker
	}
	return o
}

// savesBy sets how the operation saves its record.
func (o *Operation) savesBy(store func(ctx context.Context, c *Call) error) {
	o.store, o.write = store, store
	if o.Processor != nil {
		o.write = process
	}
}

// writes completes an operation that changes records. Its steps have three parts (see the package documentation). With a
// function before the transaction, the first two parts run before the transaction, and the first again in it.
func (o *Operation) writes(look, build, save []step) *Operation {
	if o.before == nil {
		o.steps = steps(look, build, save)
		return o
	}
	o.ahead = steps(look, build, []step{{"before", o.before}})
	o.steps = steps(look, []step{{"resume", resume}}, save)
	return o
}

// looks are the steps of a write that load and check what is stored.
func (o *Operation) looks(read func(ctx context.Context, c *Call) error) []step {
	return []step{
		when(len(o.Parents) > 0, "parents", readParents),
		when(read != nil, "read", read),
		when(o.Item && o.Gate != nil && (o.Gate.Act != nil || o.AllowCreate && o.Gate.Create != nil), "authorize", authorizeRecord),
		{"preconditions", holdConditions},
	}
}

// creates reports whether a call may make a new record from its body.
func (o *Operation) creates() bool { return o.AllowCreate || !o.Item }

// ofRecord prepares an operation whose body is a record, or is applied to one.
func (o *Operation) ofRecord() {
	r := o.Resource
	if o.HasInput {
		o.checker = r.Checker
	}
	o.keepsCreated = keepsCreateOnly(o.Operation)
	o.compares = o.Hooked || r.Gate != nil || o.keepsCreated
	if r.Before != nil {
		o.before = func(ctx context.Context, c *Call) error { return r.Before(ctx, c.Request, c.Record) }
	}
	o.savesBy(putRecord)
}
