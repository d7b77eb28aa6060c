package resource

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
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
		case c.drafts[op].misplaced, !showsRecords(op), op.IsBelowOthers(), op.Custom && op.Pages:
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
	op := &compiled.Operation{
		API:       c.model,
		Resource:  r,
		Name:      m.Name,
		Method:    o.Kind().Method(),
		Anonymous: m.Anonymous,
	}
	op.Summary, op.Description, op.Hidden = m.Summary, m.Description, m.Hidden
	op.Kind, op.AllowCreate = o.Kind(), m.AllowCreate
	op.Reads, op.Custom = !op.Kind.Writes(), !isNil(m.Handler)
	op.Creates = op.Kind == operation.KindPost && !op.Custom
	op.Pages = op.Kind == operation.KindGetCollection && !op.Custom
	op.Lists = op.Pages
	draft := &draft{Operation: op}
	if draft.Extra = maps.Clone(d.defaults.ExtraProperties); draft.Extra == nil {
		draft.Extra = maps.Clone(m.ExtraProperties)
	}
	maps.Copy(draft.Extra, m.ExtraProperties) // nil is allowed
	c.checkExtraProperties(where, m.ExtraProperties)
	op.Replace, _ = draft.Extra[standardPut].(bool)
	op.Replace = op.Replace && op.Kind == operation.KindPut && !op.Custom
	op.ID = c.operationID(where, op)
	draft.misplaced = !c.template(where, d, m, op)
	op.ID = idBelow(op, op.ID)
	op.Saves = !op.Reads && (!op.Custom || op.Item)
	c.handler(where, d, m, draft)
	c.input(where, d, m, draft)
	c.view(where, d, m, op)
	c.output(where, d, m, draft)
	c.processor(where, d, m, draft)
	c.status(where, m.Status, op)
	draft.decide()
	c.checkAllowCreate(where, op)
	c.checkKeyParts(where, draft)
	c.parameters(where, d, m, op)
	c.formats(where, d, m, op)
	c.access(where, d, m, op)
	c.caching(where, d, m, op)
	c.idempotency(where, d, m, draft)
	c.lifecycle(where, d, m, op)
	draft.observe()
	c.responseHeader(where, m.ResponseHeader, op)
	c.limits(where, d, m, op)
	r.Operations = append(r.Operations, op)
	c.drafts[op] = draft
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

var operationName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// operationID returns the operation's id in the document.
func (c *compiler) operationID(where string, op *compiled.Operation) string {
	if op.Name != "" {
		if !operationName.MatchString(op.Name) {
			c.fail(where, "Name is %q; use letters and digits, beginning with a lower-case letter", op.Name)
		}
		return op.Name + op.Resource.ShortName
	}
	switch op.Kind {
	case operation.KindGetCollection:
		return "list" + op.Resource.PluralName
	case operation.KindPost:
		return "create" + op.Resource.ShortName
	case operation.KindPut:
		if !op.Replace {
			return "update" + op.Resource.ShortName
		}
		return "replace" + op.Resource.ShortName
	}
	return strings.ToLower(op.Kind.String()) + op.Resource.ShortName
}

// status sets the status of success.
func (c *compiler) status(where string, declared int, op *compiled.Operation) {
	conventional := http.StatusOK
	switch {
	case op.Out == nil:
		conventional = http.StatusNoContent
	case op.Creates:
		conventional = http.StatusCreated
	}
	op.Status = cmp.Or(declared, conventional)
	empty := conventional == http.StatusNoContent
	switch {
	case op.Status < 200 || op.Status > 299 || op.Status == http.StatusResetContent || op.Status == http.StatusPartialContent:
		c.fail(where, "Status is %d; allowed: 200 to 299 except 205 and 206", declared)
	case op.Status == http.StatusNoContent && !empty && op.Reads:
		c.fail(where, "Status is 204, but the operation returns a body")
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
func (c *compiler) checkKeyParts(where string, op *draft) {
	if r := op.Resource; !op.Creates || r.Prepare != nil || r.Before != nil || op.HasInput || op.Processor != nil {
		return
	}
	for _, f := range op.Resource.ID.FromService() {
		if !sets(op.Operation, f) {
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

// draft is an operation while New compiles it, with what only its steps need.
type draft struct {
	*compiled.Operation
	serve.Functions

	misplaced    bool           // its template is invalid; it has that of its kind, so that compilation can continue
	together     bool           // a handler may write several records, atomically
	elementInput compiled.Input // applies bodies to the records of a handler's body; nil for none
	element      *draft         // saves these records; nil for none
	unruled      bool           // the rule for saving them is missing
}

// decide completes the facts about the response and the functions of an operation.
func (d *draft) decide() {
	r := d.Resource
	ofRecords := d.Out != nil && (d.HasOutput || d.Out.Codec == r.Codec)
	d.Shows = d.HasResponseBody() && !d.Lists && ofRecords && (!d.Custom || d.Item && d.Saves)
	d.Computes = len(r.Computed) > 0 && d.Out != nil && !d.HasOutput && d.Out.Codec == r.Codec
	prepares := !d.Custom && d.TakesBody() && (r.Prepare != nil || r.Before != nil)
	d.Hooked = d.Custom || d.Processor != nil || prepares
}

// observe decides whether anything may read the request of an operation from the context.
func (d *draft) observe() {
	r := d.Resource
	d.Observed = d.Hooked || d.HasInput || d.HasOutput || d.Computes || computesWithin(d.Expansions) || r.ReadsRequest || d.Gate.Runs() || r.Gate.Runs()
}

// finish is the last phase of the model. It sets facts that depend on other operations and creates the servers.
func (c *compiler) finish() {
	for _, r := range c.model.Resources {
		get := r.Get()
		for _, op := range r.Operations {
			d := c.drafts[op]
			d.observe()
			changes := !op.Reads && !op.Custom && op.Method != http.MethodDelete
			// The response to a change is what the Get at the record's path returns.
			op.IsLocated = changes && op.Shows && get != nil && get.Out.View == op.Out.View && c.drafts[get].Output == d.Output
			op.Handle = d.server()
		}
	}
}

// server returns what serves the requests of an operation. Each kind has one constructor.
func (d *draft) server() *serve.Operation {
	op, with := d.Operation, d.Functions
	switch {
	case op.Pages:
		return serve.List(op, with)
	case op.Bodies() != nil:
		return serve.Bulk(op, with, serve.Element(d.element.Operation, d.element.Functions, d.unruled && op.Creating != nil))
	case op.Custom:
		return serve.Handler(op, with)
	case op.Reads:
		return serve.Get(op, with)
	case op.Membership != nil:
		return serve.Membership(op, with)
	case op.Kind == operation.KindDelete:
		return serve.Delete(op, with)
	}
	return serve.Save(op, with)
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
