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
		c.element(fmt.Sprintf("%s: %s", declaration.where, op.ID), c.drafts[op], of, &c.declared[at].definition)
	}
	return true
}

// runsBefore reports whether an operation saves records of a resource by way of its BeforeTransaction.
func (c *compiler) runsBefore(of *compiled.Resource) bool {
	return slices.ContainsFunc(c.model.Resources, func(r *compiled.Resource) bool {
		return slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool {
			return op.Bodies() == of || r == of && !op.Custom && r.Before != nil && op.TakesBody()
		})
	})
}

// element makes the Post or Patch by which an operation saves each record of its body, as the
// resource's own would.
func (c *compiler) element(where string, op *draft, of *compiled.Resource, d *definition) {
	made := &draft{Operation: &compiled.Operation{
		API: op.API, Resource: of, Name: op.Name, ID: op.ID, Method: op.Method, Template: op.Template,
		In: cmp.Or(op.In.Each, op.In), Out: of.Shown, Parameters: op.Parameters,
		Facts: compiled.Facts{Kind: operation.KindPost, HasInput: op.elementInput != nil, Saves: true},
	}}
	made.Input, made.Extra = op.elementInput, d.defaults.ExtraProperties
	if op.Patching != nil {
		made.Kind, made.Item = operation.KindPatch, true
	}
	if !isNil(d.defaults.Processor) {
		made.Processor, _ = d.defaults.Processor.(compiled.Processor)
	}
	op.unruled = c.gateElement(where, op.Operation, made.Operation, d.access)
	op.element = made
	op.HasElementRules = made.Gate != nil || of.Gate != nil
	if g := made.Gate; g != nil {
		op.Private = op.Private || g.Read.IsPersonal() || g.Act.IsPersonal() || of.Gate.IsPersonal()
	}
}

// gateElement finds who may save a record of a body: who may do so by the resource's own Post or
// Patch. If the path names the record, the operation itself says so. It reports whether a rule is missing.
func (c *compiler) gateElement(where string, op, made *compiled.Operation, rules access.Rules) (unruled bool) {
	own := slices.IndexFunc(made.Resource.Operations, func(o *compiled.Operation) bool {
		return o.Kind == made.Kind && !o.Custom && !o.IsBelowOthers()
	})
	switch {
	case made.Item && op.Item && op.In.Each == nil && op.Resource == made.Resource:
		made.Gate = op.Gate
		return false
	case own >= 0:
		made.Gate = made.Resource.Operations[own].Gate
		return false
	}
	rule, name := rules.Create, "Create"
	if made.Item {
		rule, name = rules.Update, "Update"
	}
	if rule == nil && c.ruledBy != "" {
		// A CreateOf may be saved by other means than Save.
		if made.Item {
			c.fail(where, "no access rule for changing records of %s by operation.PatchOf; it needs one because %s; set Access.%s of that resource",
				made.Resource.ShortName, c.ruledBy, name)
		}
		return !made.Item
	}
	gated := compiled.Gate{Act: c.rule(where, "Access."+name, rule, made, gate.Changes)}
	if made.Item {
		gated.Read = c.rule(where, "Access.Read", rules.Read, made, gate.Reads)
	}
	if gated.Create = gated.Act; gated != (compiled.Gate{}) {
		made.Gate = &gated
	}
	return false
}
