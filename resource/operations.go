package resource

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
)

// operations is the phase after values. It compiles the operations of a resource, which inherit the resource's
// settings, with their paths, bodies and parameters.
func (c *compiler) operations(declaration *declared) bool {
	where, d, r := declaration.where, &declaration.definition, declaration.resource
	declared := d.operations
	if declared == nil {
		declared = operation.Standard()
	}
	c.note(where, errors.Join(checkFormats(d.defaults.Formats)...))
	c.fieldRules(where, d, r)
	if !c.checkBase(where, d.path, r) {
		d.path = "" // so that compilation can continue
	}
	for i, o := range declared {
		if isNil(o) {
			c.fail(where, "operation %d: must not be nil", i+1)
			continue
		}
		c.operation(fmt.Sprintf("%s: operation %d (%s)", where, i+1, o.Kind()), d, r, o)
	}
	c.checkRuled(where, r)
	if slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return op.Idempotency > 0 }) {
		c.checkIdempotency(where, d.defaults.Idempotency, d)
	}
	for _, op := range r.Operations {
		r.Narrows = r.Narrows || op.Narrows()
		switch {
		case c.misplaced[op], !showsRecords(op), op.IsBelowOthers(), op.Custom && op.Pages:
		case op.Pages:
			r.Collection = cmp.Or(r.Collection, op)
		default:
			r.Item = cmp.Or(r.Item, op)
		}
	}
	return true
}

func (c *compiler) operation(where string, d *definition, r *compiled.Resource, o operation.Operation) {
	metadata := o.Metadata()
	m := &metadata
	if m.Name != "" {
		where = strings.TrimSuffix(where, ")") + " " + fmt.Sprintf("%q)", m.Name)
	}
	kind := o.Kind()
	op := &compiled.Operation{
		API: c.model, Resource: r, Kind: kind, Name: m.Name, Method: kind.Method(), Anonymous: m.Anonymous,
		Summary: m.Summary, Description: m.Description, Hidden: m.Hidden,
		AllowCreate: m.AllowCreate, Reads: !kind.Writes(), Custom: !isNil(m.Handler),
	}
	op.Creates = kind == operation.KindPost && !op.Custom
	op.Pages = kind == operation.KindGetCollection && !op.Custom
	op.Lists = op.Pages
	if op.Extra = maps.Clone(d.defaults.ExtraProperties); op.Extra == nil {
		op.Extra = maps.Clone(m.ExtraProperties)
	}
	maps.Copy(op.Extra, m.ExtraProperties) // nil is allowed
	c.checkExtraProperties(where, m.ExtraProperties)
	op.Replace, _ = op.Extra[standardPut].(bool)
	op.Replace = op.Replace && kind == operation.KindPut && !op.Custom
	op.ID = c.operationID(where, op)
	if !c.template(where, d, m, op) {
		c.misplaced[op] = true
	}
	op.ID = idBelow(op, op.ID)
	op.Saves = !op.Reads && (!op.Custom || op.Item)
	c.handler(where, d, m, op)
	c.input(where, d, m, op)
	c.view(where, d, m, op)
	c.output(where, d, m, op)
	c.processor(where, d, m, op)
	c.status(where, m.Status, op)
	ofRecords := op.Out != nil && (op.Output != nil || op.Out.Codec == r.Codec)
	op.Shows = op.HasResponseBody() && !op.Lists && ofRecords && (!op.Custom || op.Item && op.Saves)
	op.Computes = len(r.Computed) > 0 && op.Out != nil && op.Output == nil && op.Out.Codec == r.Codec
	prepares := !op.Custom && op.TakesBody() && (r.Prepare != nil || r.Before != nil)
	op.Hooked = op.Custom || op.Processor != nil || prepares
	c.checkAllowCreate(where, op)
	c.checkKeyParts(where, op)
	c.parameters(where, d, m, op)
	c.formats(where, d, m, op)
	c.access(where, d, m, op)
	c.caching(where, d, m, op)
	c.idempotency(where, d, m, op)
	c.lifecycle(where, d, m, op)
	c.responseHeader(where, m.ResponseHeader, op)
	c.limits(where, d, m, op)
	r.Operations = append(r.Operations, op)
}

const standardPut = "standard_put"

// checkExtraProperties checks the extra property that Trove reads. All others are the user's.
func (c *compiler) checkExtraProperties(where string, extra map[string]any) {
	if len(extra) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		_, isBool := extra[name].(bool)
		plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
		switch {
		case name == standardPut && !isBool:
			c.fail(where, "extra property %q has the type %T; use true or false", name, extra[name])
		case name != standardPut && plain == "standardput":
			c.fail(where, "unknown extra property %q; did you mean %q?", name, standardPut)
		}
	}
}

func (c *compiler) checkAllowCreate(where string, op *compiled.Operation) {
	switch {
	case !op.AllowCreate:
	case op.Kind != operation.KindPut || op.Custom:
		c.fail(where, "AllowCreate is only for a Put without a Handler")
	case op.Resource.ID.Generated():
		c.fail(where, "AllowCreate needs an identifier that the client sets, such as a string, but %q is generated",
			op.Resource.ID.Name())
	case len(op.Resource.ID.FromService()) > 0:
		c.fail(where, "AllowCreate needs an identifier that the client sets, but its part %q is readonly; remove AllowCreate, and create records by Post",
			op.Resource.ID.FromService()[0].Name)
	}
}

// checkKeyParts reports read-only parts of the identifier that nothing sets when a Post creates a record.
func (c *compiler) checkKeyParts(where string, op *compiled.Operation) {
	if r := op.Resource; !op.Creates || r.Prepare != nil || r.Before != nil || op.Input != nil || op.Processor != nil {
		return
	}
	for _, f := range op.Resource.ID.FromService() {
		if !sets(op, f) {
			c.fail(where, "nothing sets the readonly part %q of the identifier; set it in Prepare%s, or remove readonly", f.Name, byPath(f))
		}
	}
}

// byPath returns the advice to name a reference in the path.
func byPath(f *model.Field) string {
	if f.Reference == nil {
		return ""
	}
	return fmt.Sprintf(", use a URITemplate with {%s}", f.Name)
}

// observed reports whether anything may read the request of an operation from the context.
func observed(op *compiled.Operation) bool {
	r := op.Resource
	return op.Hooked || op.Input != nil || op.Output != nil || op.Computes || computesWithin(op.Expansions) ||
		r.ReadsRequest || op.Gate.Runs() || r.Gate.Runs()
}

// finish is the last phase of the model. It sets facts that depend on other operations and creates the servers.
func (c *compiler) finish() {
	for _, r := range c.model.Resources {
		get := r.Get()
		for _, op := range r.Operations {
			op.Observed = observed(op)
			changes := !op.Reads && !op.Custom && op.Method != http.MethodDelete
			// The response to a change is what the Get at the record's path returns.
			op.IsLocated = changes && op.Shows && get != nil && get.Out.View == op.Out.View && get.Output == op.Output
			op.Server = serve.New(op)
		}
	}
}

// computesWithin reports whether embedded records may have computed fields.
func computesWithin(list []*compiled.Expansion) bool {
	return slices.ContainsFunc(list, func(e *compiled.Expansion) bool { return e.Computes || computesWithin(e.Inner) })
}

// sets reports whether the path of an operation's requests sets a reference.
func sets(op *compiled.Operation, f *model.Field) bool {
	return slices.ContainsFunc(op.Parents, func(p compiled.Parent) bool { return p.Below == compiled.OwnRecord && p.Field == f })
}

// showsRecords reports whether the operation reads, and its response is the record in the path or the records of a
// collection.
func showsRecords(op *compiled.Operation) bool { return op.Reads && (op.Pages || op.Shows) }
