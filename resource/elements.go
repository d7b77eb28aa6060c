package resource

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/operation"
)

// elements is the phase after operations: it makes what saves the records of bodies that are a
// CreateOf or a PatchOf. It asks the rules of the resource that they are of, which may be declared
// later than the operation.
func (c *compiler) elements(declaration *declared) bool {
	if declaration.before != nil && !c.hasMistake(declaration.turn) && !c.runsBefore(declaration.resource) {
		c.fail(declaration.where, "BeforeTransaction is set, but no operation runs it; "+
			"allowed: a Post, Put or Patch without a Handler, or a CreateOf or PatchOf of the resource")
	}
	for _, op := range declaration.resource.Operations {
		of := op.Bodies()
		if of == nil {
			continue
		}
		at := slices.IndexFunc(c.declared, func(d *declared) bool { return d.resource == of })
		if at < 0 { // one with mistakes
			continue
		}
		c.element(fmt.Sprintf("%s: %s", declaration.where, op.ID), op, of, &c.declared[at].definition)
	}
	return true
}

// runsBefore reports whether an operation saves records of a resource by way of its BeforeTransaction.
func (c *compiler) runsBefore(of *compiled.Resource) bool {
	return slices.ContainsFunc(c.model.Resources, func(r *compiled.Resource) bool {
		return slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool {
			return op.Bodies() == of || r == of && op.Handler == nil && op.RunsBefore()
		})
	})
}

// element makes the Post or Patch by which an operation saves each record of its body, as the
// resource's own would.
func (c *compiler) element(where string, op *compiled.Operation, of *compiled.Resource, d *definition) {
	made := &compiled.Operation{
		API: op.API, Resource: of, Kind: operation.KindPost, Name: op.Name, ID: op.ID, Method: op.Method, Template: op.Template,
		Extra: d.defaults.ExtraProperties, Out: of.Shown, Parameters: op.Parameters,
	}
	made.In, made.Input = cmp.Or(op.In.Each, op.In), op.ElementInput
	if op.Patching != nil {
		made.Kind, made.Item = operation.KindPatch, true
	}
	if !isNil(d.defaults.Processor) {
		made.Processor = d.defaults.Processor
	}
	c.gateElement(where, op, made, d.access)
	op.Element = made
	if g := made.Gate; g != nil {
		op.Private = op.Private || g.Read.IsPersonal() || g.Act.IsPersonal() || of.Gate.IsPersonal()
	}
}

// gateElement finds who may save a record of a body: who may do so by the resource's own Post or
// Patch. Where the path names the record, that is for the operation itself to say.
func (c *compiler) gateElement(where string, op, made *compiled.Operation, rules access.Rules) {
	own := slices.IndexFunc(made.Resource.Operations, func(o *compiled.Operation) bool {
		return o.Kind == made.Kind && o.Handler == nil && !o.IsBelowOthers()
	})
	switch {
	case made.Item && op.Item && op.In.Each == nil && op.Resource == made.Resource:
		made.Gate = op.Gate
		return
	case own >= 0:
		made.Gate = made.Resource.Operations[own].Gate
		return
	}
	rule, name := rules.Create, "Create"
	if made.Item {
		rule, name = rules.Update, "Update"
	}
	if rule == nil && c.ruledBy != "" {
		// A CreateOf may be saved by other means than Save.
		if made.Unruled = !made.Item; made.Item {
			c.fail(where, "no access rule for changing records of %s by operation.PatchOf; it needs one because %s; set Access.%s of that resource",
				made.Resource.ShortName, c.ruledBy, name)
		}
		return
	}
	gated := compiled.Gate{Act: c.rule(where, "Access."+name, rule, made, gate.Changes)}
	if made.Item {
		gated.Read = c.rule(where, "Access.Read", rules.Read, made, gate.Reads)
	}
	if gated.Create = gated.Act; gated != (compiled.Gate{}) {
		made.Gate = &gated
	}
}
