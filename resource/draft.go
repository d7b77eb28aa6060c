package resource

import (
	"net/http"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// draft is an operation while New compiles it, with what only its steps need.
type draft struct {
	*compiled.Operation
	execute.Functions

	together     bool           // a handler may write several records, all or none
	elementInput compiled.Input // applies bodies to the records that a handler's body creates or changes; nil for none
	element      *draft         // saves these records; nil for none
	unruled      bool           // no rule says who may save them, though some rule should
}

// decide completes the facts about the response and the functions of an operation.
func (d *draft) decide() {
	r := d.Resource
	d.OfRecords = d.Out != nil && (d.HasOutput || d.Out.Codec == r.Codec)
	d.Shows = d.Answers() && !d.Lists && d.OfRecords && (!d.Custom || d.Item && d.Saves)
	d.Computes = len(r.Computed) > 0 && d.Out != nil && !d.HasOutput && d.Out.Codec == r.Codec
	prepares := !d.Custom && d.TakesBody() && (r.Prepare != nil || r.Before != nil)
	d.Hooked = d.Custom || d.Processor != nil || prepares
	d.Transacts = d.Hooked && !d.Reads
}

// observe decides whether anything may ask the context for the request of an operation.
func (d *draft) observe() {
	r := d.Resource
	d.Observed = d.Hooked || d.HasInput || d.HasOutput || d.Computes || computesWithin(d.Expansions) || r.AsksRequest || d.Gate.Runs() || r.Gate.Runs()
}

// finish is the phase after all others that can fail: it completes the facts that depend on other operations, and
// makes what runs each operation.
func (c *compiler) finish() {
	for _, r := range c.model.Resources {
		get := r.Get()
		for _, op := range r.Operations {
			d := c.drafts[op]
			d.observe()
			changes := !op.Reads && !op.Custom && op.Method != http.MethodDelete
			// The response to a change is what the Get at the record's path returns.
			op.IsLocated = changes && op.Shows && get != nil && get.Out.View == op.Out.View && c.drafts[get].Output == d.Output
			op.Executor = d.executor()
		}
	}
}

// executor returns what runs the calls of an operation: each kind has one constructor.
func (d *draft) executor() *execute.Operation {
	op, with := d.Operation, d.Functions
	switch {
	case op.Pages:
		return execute.List(op, with)
	case op.Creating != nil:
		return execute.Bulk(op, with, execute.CreateElement(d.element.Operation, d.element.Functions, d.unruled))
	case op.Patching != nil:
		return execute.Bulk(op, with, execute.UpdateElement(d.element.Operation, d.element.Functions))
	case op.Custom:
		return execute.Handler(op, with)
	case op.Reads:
		return execute.Get(op, with)
	case op.Membership != nil:
		return execute.Membership(op, with)
	case op.Relationship != nil:
		return execute.Relationship(op, with)
	case op.Replace:
		return execute.Replace(op, with)
	case op.Kind == operation.KindPost:
		return execute.Create(op, with)
	case op.Kind == operation.KindDelete:
		return execute.Delete(op, with)
	}
	return execute.Update(op, with)
}

// computesWithin reports whether records that responses embed may have computed fields.
func computesWithin(list []*compiled.Expansion) bool {
	return slices.ContainsFunc(list, func(e *compiled.Expansion) bool { return e.Computes || computesWithin(e.Inner) })
}

// sets reports whether the path of the operation's requests says what a field refers to.
func sets(op *compiled.Operation, f *model.Field) bool {
	return slices.ContainsFunc(op.Parents, func(p compiled.Parent) bool { return p.Below == compiled.OwnRecord && p.Field == f })
}

// showsRecords reports whether the operation reads, and its response shows the record that the path names, or records
// of a collection.
func showsRecords(op *compiled.Operation) bool { return op.Reads && (op.Pages || op.Shows) }
