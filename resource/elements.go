package resource

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// elements is the phase after operations. For bodies with a CreateOf or PatchOf it makes the operation that saves each
// record, with the rules of the other resource.
func (c *compiler) elements(declaration *declared) bool {
	if declaration.before != nil && !c.isPartial(declaration) && !runsBefore(c.model, declaration.resource) {
		c.fail(declaration.where, "no operation runs BeforeTransaction; "+
			"add a Post, Put or Patch without a Handler, or remove it")
	}
	checkPasswords(c.mistakes, c.model, declaration)
	for _, op := range declaration.resource.Operations {
		of := op.Bodies()
		if of == nil {
			continue
		}
		if d := find(c.declared, of.Struct); d != nil { // else it is invalid
			c.element(fmt.Sprintf("%s: %s", declaration.where, op.ID), op, of, &d.definition)
		}
	}
	return true
}

// runsBefore reports whether an operation runs the BeforeTransaction of a resource.
func runsBefore(api *compiled.API, of *compiled.Resource) bool {
	for op := range api.Operations() {
		if op.Bodies() == of || op.Resource == of && !op.Custom && of.Before != nil && op.TakesBody() {
			return true
		}
	}
	return false
}

// checkPasswords reports passwords that clients set and that nothing hashes before they are saved. Stores would reject
// each of them.
func checkPasswords(errs *mistakes, api *compiled.API, d *declared) {
	for _, f := range d.resource.Struct.Fields {
		sets := func(op *compiled.Operation) bool {
			own := op.Resource == d.resource && !op.Custom && op.TakesBody() || op.Bodies() == d.resource
			if !own {
				return false
			}
			field := cmp.Or(op.In.Each, op.In).View.Field(f)
			return field != nil && field.Writable
		}
		if f.Password && d.before == nil && slices.ContainsFunc(api.Resources, func(r *compiled.Resource) bool {
			return slices.ContainsFunc(r.Operations, sets)
		}) {
			errs.failAt(fieldAt(d.record, f), "clients set the password, and nothing hashes it; "+
				"set BeforeTransaction to the Hash of password.Accounts, or to a function of your own")
		}
	}
}

// element makes the Post or Patch that saves each record of an operation's body.
func (c *compiler) element(where string, op *compiled.Operation, of *compiled.Resource, d *definition) {
	made := &compiled.Operation{
		API: op.API, Resource: of, Kind: operation.KindPost, Name: op.Name, ID: op.ID, Method: op.Method, Template: op.Template,
		In: cmp.Or(op.In.Each, op.In), Out: of.Shown, Parameters: op.Parameters, Saves: true, Extra: d.defaults.ExtraProperties,
	}
	made.Input, _ = d.defaults.Input.(compiled.Input)
	made.Processor, _ = d.defaults.Processor.(compiled.Processor)
	if op.Patching != nil {
		made.Kind, made.Item = operation.KindPatch, true
	}
	made.Unruled = c.gateElement(where, op, made, d.access)
	made.When = c.whenElement(where, op, made)
	op.Element = made
	if g := made.Gate; g != nil {
		checkBehind(c.mistakes, where, d, g.Act)
		op.Private = op.Private || g.Read.IsPersonal() || g.Act.IsPersonal() || of.Gate.IsPersonal()
	}
}

// gateElement sets the access rules for a record in a body: those of the resource's own Post or Patch. If the path
// names the record, the operation's own rules apply. It reports whether a rule is missing.
func (c *compiler) gateElement(where string, op, made *compiled.Operation, rules access.Rules) (unruled bool) {
	own := ownOperation(made)
	switch {
	case made.Item && op.Item && op.In.Each == nil && op.Resource == made.Resource:
		made.Gate = op.Gate
		return false
	case own != nil:
		made.Gate = own.Gate
		return false
	}
	rule, name := rules.Create, "Create"
	if made.Item {
		rule, name = rules.Update, "Update"
	}
	if rule == nil && c.ruledBy != "" {
		// Only PatchOf is an error: a handler may store the record of a CreateOf without calling Save.
		if made.Item {
			c.fail(where, "operation.PatchOf needs an access rule to change records of %s, because %s; set Access.%s of that resource",
				made.Resource.ShortName, c.ruledBy, name)
		}
		return !made.Item
	}
	gated := compiled.Gate{Act: c.rule(where, "Access."+name, rule, made.Resource, authz.Changes)}
	if made.Item {
		gated.Read = c.rule(where, "Access.Read", rules.Read, made.Resource, authz.Reads)
	}
	if gated.Create = gated.Act; gated != (compiled.Gate{}) {
		made.Gate = &gated
	}
	return false
}

// ownOperation returns the resource's own Post or Patch, which saves records as an element does; nil for none.
func ownOperation(made *compiled.Operation) *compiled.Operation {
	for _, o := range made.Resource.Operations {
		if o.Kind == made.Kind && !o.Custom && !o.IsBelowOthers() {
			return o
		}
	}
	return nil
}

// whenElement returns the condition on a record in a body, nil for none: that of the resource's own Patch, and that of the
// operation if its path names no record. A record that the path names has met the condition of the operation.
func (c *compiler) whenElement(where string, op, made *compiled.Operation) *compiled.When {
	if !made.Item || changesItsRecord(op, op.In.Each != nil) {
		return nil
	}
	var its, own *compiled.When
	if !op.Item {
		its = op.When
	}
	if o := ownOperation(made); o != nil {
		own = o.When
	}
	if its == nil || own == nil {
		return cmp.Or(its, own)
	}
	return c.when(where, access.All(its.Declared, own.Declared), made)
}
