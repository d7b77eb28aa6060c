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

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
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

// What operations have by their kind, unless the declaration says otherwise: path, id, bodies, status and access rule.

// conventionalTemplate returns the resource's Path, else the plural of its short name, followed by the identifier for
// items.
func (c *compiler) conventionalTemplate(base string, op *compiled.Operation) string {
	path := cmp.Or(base, "/"+c.plurals.Path(op.Resource.ShortName))
	if isItem(op.Kind) {
		names := op.Resource.ID.Names()
		if parsed, err := c.parse(base); err == nil { // the path already has these parts
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(parsed.Variables(), name) })
		}
		path += "/" + variablesOf(names)
	}
	return path + "{._format}"
}

// isItem reports whether operations of the kind are about one stored record.
func isItem(kind operation.Kind) bool {
	return kind != operation.KindGetCollection && kind != operation.KindPost
}

// takeListVariable finds the variable of a Put or Delete that is a list of references of the record. The operation then adds
// a reference to the list, or removes one. It returns the variables without it.
func (c *compiler) takeListVariable(op *compiled.Operation, variables, others []string) (_, _ []string) {
	if op.Custom || op.Kind != operation.KindPut && op.Kind != operation.KindDelete {
		return variables, others
	}
	for _, name := range others {
		f := op.Resource.Struct.Field(name)
		if f != nil && f.Reference != nil && f.Reference.Many && c.names[f.Reference.Name] != nil {
			op.Membership = &compiled.Parent{Variable: name, Resource: c.names[f.Reference.Name], Field: f, Below: compiled.OwnRecord}
			isIt := func(v string) bool { return v == name }
			return slices.DeleteFunc(slices.Clone(variables), isIt), slices.DeleteFunc(slices.Clone(others), isIt)
		}
	}
	return variables, others
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

// idBelow returns the id of an operation without a name: the usual one with the names of the parents in it.
func idBelow(op *compiled.Operation, id string) string {
	if op.Name != "" || len(op.Parents) == 0 && op.Membership == nil {
		return id
	}
	var above strings.Builder
	for i := range op.Parents {
		above.WriteString(op.Parents[i].Resource.ShortName)
	}
	own := op.Resource.ShortName
	if op.Membership != nil {
		verb := "add"
		if op.Kind == operation.KindDelete {
			verb = "remove"
		}
		return verb + above.String() + own + op.Membership.Resource.ShortName
	}
	if op.Kind == operation.KindGetCollection {
		own = op.Resource.PluralName
	}
	return strings.TrimSuffix(id, own) + above.String() + own
}

// standard sets the body and the response of an operation without a handler: views of the record.
func (c *compiler) standard(op *compiled.Operation) {
	source, views := op.Resource.Source, op.Resource.Source.Views
	switch {
	case op.Membership != nil:
		return
	case op.Kind == operation.KindPost:
		op.In = source.Value(views.Create())
	case !op.Kind.TakesBody():
	case !op.Replace: // a Put that updates is a merge patch under another media type
		op.In = source.Value(views.Merge())
	case op.AllowCreate:
		op.In = source.Value(views.ReplaceNamed())
	default:
		op.In = source.Value(views.Replace())
	}
	c.makeParentsOptional(op)
	if op.AllowCreate && op.In != nil { // an error if the kind has no body
		op.Missing = source.Value(views.CreateNamed())
		if !op.Replace {
			op.Missing = source.Value(views.CreateByMerge())
		}
	}
	if op.Kind != operation.KindDelete {
		op.Out = op.Resource.Shown
	}
}

// parentsView identifies a view whose body omits fields that the path sets.
type parentsView struct {
	of   *model.Struct
	name string
}

// makeParentsOptional makes the references that the path sets optional in the body.
func (c *compiler) makeParentsOptional(op *compiled.Operation) {
	if op.In == nil {
		return
	}
	var given []string
	var called strings.Builder
	called.WriteString(op.In.View.Name + "Below")
	for i := range op.Parents {
		f := op.Parents[i].Field
		if m := op.In.View.Field(f); sets(op, f) && m != nil && m.Needed {
			given = append(given, f.Name)
			called.WriteString(naming.Capital(f.Name))
		}
	}
	if given == nil {
		return
	}
	key := parentsView{op.Resource.Struct, called.String()}
	if c.parentsViews[key] == nil {
		c.parentsViews[key] = op.In.View.Without(given, called.String())
	}
	op.In = op.Resource.Source.Value(c.parentsViews[key])
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

// ruleOf returns the access rule of an operation and the name of the setting: its own rule, else the resource's for the
// verb. A handler that writes is guarded by Update if it has a record, else by Create; one that reads by Read.
func ruleOf(rules access.Rules, m *operation.Metadata, op *compiled.Operation) (rule access.Rule, name string) {
	switch {
	case m.Access != nil:
		return m.Access, "Access"
	case op.Reads:
		return rules.Read, "Access.Read"
	case op.Custom && !op.Item:
		return rules.Create, "Access.Create"
	case op.Custom:
		return rules.Update, "Access.Update"
	case op.Kind == operation.KindPost:
		return rules.Create, "Access.Create"
	case op.Deletes():
		return rules.Delete, "Access.Delete"
	}
	return rules.Update, "Access.Update"
}
