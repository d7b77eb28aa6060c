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
	c.trash(where, d, r)
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
	if slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return op.Idempotency > 0 }) {
		checkIdempotency(c.mistakes, where, d.defaults.Idempotency, d)
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
	c.history(declaration)
	c.checkRuled(where, r)
	return true
}

// operationCompiler compiles one operation. Its methods set fields of the operation, and report errors of the declaration.
type operationCompiler struct {
	*compiled.Operation

	c          *compiler
	where      string              // prefix of errors
	definition *definition         // of the resource
	metadata   *operation.Metadata // as declared
}

// at returns a compiler of the same operation whose errors have another prefix.
func (o *operationCompiler) at(where string) *operationCompiler {
	made := *o
	made.where = where
	return &made
}

// fail reports an error in the declaration of the operation.
func (o *operationCompiler) fail(format string, args ...any) { o.c.fail(o.where, format, args...) }

func (c *compiler) operation(where string, d *definition, r *compiled.Resource, declared operation.Operation) {
	metadata := declared.Metadata()
	m := &metadata
	if m.Name != "" {
		where = strings.TrimSuffix(where, ")") + " " + fmt.Sprintf("%q)", m.Name)
	}
	kind := declared.Kind()
	op := &compiled.Operation{
		API: c.model, Resource: r, Kind: kind, Name: m.Name, Method: kind.Method(), Anonymous: m.Anonymous,
		Summary: m.Summary, Description: m.Description, Hidden: m.Hidden,
		AllowCreate: m.AllowCreate, Reads: !kind.Writes(), Custom: !isNil(m.Handler),
	}
	op.Creates = kind == operation.KindPost && !op.Custom
	op.Aggregates = kind == operation.KindAggregate
	op.Pages = op.Aggregates || kind == operation.KindGetCollection && !op.Custom
	op.Lists = op.Pages
	if op.Extra = maps.Clone(d.defaults.ExtraProperties); op.Extra == nil {
		op.Extra = maps.Clone(m.ExtraProperties)
	}
	maps.Copy(op.Extra, m.ExtraProperties) // nil is allowed
	o := &operationCompiler{op, c, where, d, m}
	checkExtraProperties(c.mistakes, where, m.ExtraProperties)
	op.Replace, _ = op.Extra[standardPut].(bool)
	op.Replace = op.Replace && kind == operation.KindPut && !op.Custom
	op.ID = o.operationID()
	if !o.template() {
		c.misplaced[op] = true
	}
	op.ID = idBelow(op, op.ID)
	op.Saves = !op.Reads && (!op.Custom || op.Item)
	o.handler()
	o.checkSettings()
	o.input()
	o.view()
	o.output()
	o.nested()
	o.processor()
	o.status(m.Status)
	ofRecords := op.Out != nil && (op.Output != nil || op.Out.Codec == r.Codec)
	op.Shows = op.HasResponseBody() && !op.Lists && ofRecords && (!op.Custom || op.Item && op.Saves)
	op.Computes = len(r.Computed) > 0 && op.Out != nil && op.Output == nil && op.Out.Codec == r.Codec
	prepares := !op.Custom && op.TakesBody() && (r.Prepare != nil || r.Before != nil)
	op.Hooked = op.Custom && op.Sets == nil && !op.OfTrash() || op.Processor != nil || prepares
	o.checkAllowCreate()
	o.checkKeyParts()
	o.parameters()
	o.aggregate()
	o.formats()
	o.access()
	o.caching()
	o.idempotency()
	o.lifecycle()
	o.responseHeader(m.ResponseHeader)
	o.limits()
	r.Operations = append(r.Operations, op)
}

const standardPut = "standard_put"

// checkExtraProperties checks the extra property that Trove reads. All others are the user's.
func checkExtraProperties(errs *mistakes, where string, extra map[string]any) {
	if len(extra) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		_, isBool := extra[name].(bool)
		plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
		switch {
		case name == standardPut && !isBool:
			errs.fail(where, "extra property %q has the type %T; use true or false", name, extra[name])
		case name != standardPut && plain == "standardput":
			errs.fail(where, "unknown extra property %q; did you mean %q?", name, standardPut)
		}
	}
}

// checkSettings reports settings that are only for other operations. All kinds have the same settings, so that a resource can
// have defaults of them.
func (o *operationCompiler) checkSettings() {
	m := o.metadata
	isOwn := (!o.Custom || o.Pages) && !o.Aggregates
	for _, setting := range []struct {
		name         string
		isSet, isFit bool
		isFor        string
	}{
		{"Input", !isNil(m.Input), !o.Custom && o.Kind.TakesBody(), "a Post, Put or Patch without a Handler"},
		{"View", m.View != nil, o.Reads && isOwn, "a Get or GetCollection without a Handler; " +
			"to limit the responses of Post, Put and Patch too, set View of the resource"},
		{"Output", !isNil(m.Output), isOwn && o.Out != nil && o.Out.Codec == o.Resource.Codec, "operations without a Handler that return records"},
		{"Processor", !isNil(m.Processor), o.Saves, "operations that save a record"},
		{"When", !isNil(m.When), o.changesRecords(), "operations that change the record in their path, or the records of a PatchOf"},
		{"AllowCreate", m.AllowCreate, o.Kind == operation.KindPut && !o.Custom, "a Put without a Handler"},
		{"Pagination", m.Pagination != operation.Pagination{}, o.Pages, "an Aggregate, or a GetCollection without a Handler"},
		{"Order", m.Order != nil, o.Pages && !o.Aggregates, "a GetCollection without a Handler"},
		{"SparseFields", m.SparseFields, o.Reads && isOwn, "a Get or GetCollection without a Handler"},
		{"Expand", m.Expand != nil, o.Reads && isOwn, "a Get or GetCollection without a Handler"},
		{"Nested", m.Nested != nil, !o.Custom && o.Kind.TakesBody() && o.Membership == nil, "a Post, Put or Patch without a Handler"},
		{"RequirePrecondition", m.RequirePrecondition, o.Item && o.Saves, "operations that change the record in their path"},
		{"CacheControl", m.CacheControl != "", o.Reads, "Get, GetCollection and Aggregate"},
		{"Idempotency", m.Idempotency != 0, o.keepsResponses(), "a Post that saves a record"},
		{"MaxBodyBytes", m.MaxBodyBytes > 0, o.TakesBody(), "operations that take a body"},
	} {
		if setting.isSet && !setting.isFit {
			o.fail("%s is only for %s", setting.name, setting.isFor)
		}
	}
}

// changesRecords reports whether the operation changes records of the resource that exist before.
func (o *operationCompiler) changesRecords() bool {
	return !o.Reads && (o.Item || o.Patching == o.Resource)
}

func (o *operationCompiler) checkAllowCreate() {
	switch {
	case !o.AllowCreate, o.Kind != operation.KindPut, o.Custom:
	case o.Resource.ID.Generated():
		o.fail("AllowCreate needs an identifier that the client sets, such as a string, but %q is generated",
			o.Resource.ID.Name())
	case len(o.Resource.ID.FromService()) > 0:
		o.fail("AllowCreate needs an identifier that the client sets, but its part %q is readonly; remove AllowCreate, and create records by Post",
			o.Resource.ID.FromService()[0].Name)
	}
}

// checkKeyParts reports read-only parts of the identifier that nothing sets when a Post creates a record.
func (o *operationCompiler) checkKeyParts() {
	if r := o.Resource; !o.Creates || r.Prepare != nil || r.Before != nil || o.Input != nil || o.Processor != nil {
		return
	}
	for _, f := range o.Resource.ID.FromService() {
		if sets(o.Operation, f) {
			continue
		}
		byPath := ""
		if f.Reference != nil {
			byPath = fmt.Sprintf(", use a URITemplate with {%s}", f.Name)
		}
		o.fail("nothing sets the readonly part %q of the identifier; set it in Prepare%s, or remove readonly", f.Name, byPath)
	}
}

// observed reports whether anything may read the request of an operation from the context.
func observed(op *compiled.Operation) bool {
	r := op.Resource
	return op.Hooked || op.Nested != nil || op.Input != nil || op.Output != nil || op.Computes || computesWithin(op.Expansions) ||
		r.ReadsRequest || op.Gate.Runs() || r.Gate.Runs() || op.When != nil && op.When.Rule.Runs()
}

// finish is the last phase of the model. It sets facts that depend on other operations and creates the servers.
func (c *compiler) finish() {
	logs := slices.ContainsFunc(c.declared, func(d *declared) bool { return d.history })
	for op := range c.model.Operations() {
		op.Observed = observed(op) || logs && !op.Reads // entries name the operation
		changes := !op.Reads && !op.Custom && op.Method != http.MethodDelete
		// The response to a change is what the Get at the record's path returns.
		get := op.Resource.Get()
		op.IsLocated = changes && op.Nested == nil && op.Shows && get != nil && get.Out.View == op.Out.View && get.Output == op.Output
		op.Server = serve.New(op)
		if op.Queries {
			op.Query = serve.NewQuery(op)
		}
	}
}

// computesWithin reports whether embedded records may have computed fields.
func computesWithin(list []*compiled.Expansion) bool {
	return slices.ContainsFunc(list, func(e *compiled.Expansion) bool { return e.Computes || computesWithin(e.Inner) })
}

// sets reports whether the path of an operation's requests sets a reference.
func sets(op *compiled.Operation, f *model.Field) bool {
	return slices.ContainsFunc(op.Parents, func(p compiled.Parent) bool { return p.IsDirect() && p.Field == f })
}

// showsRecords reports whether the operation reads, and its response is the record in the path or the records of a
// collection.
func showsRecords(op *compiled.Operation) bool {
	return op.Reads && (op.Pages || op.Shows) && !op.Aggregates
}

// What operations have by their kind, unless the declaration says otherwise: path, id, bodies, status and access rule.

// conventionalTemplate returns the resource's Path, else the plural of its short name, followed by the identifier for
// items.
func (o *operationCompiler) conventionalTemplate(base string) string {
	path := cmp.Or(base, "/"+o.c.plurals.Path(o.Resource.ShortName))
	if isItem(o.Kind) {
		names := o.Resource.ID.Names()
		if parsed, err := o.c.parse(base); err == nil { // the path already has these parts
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(parsed.Variables(), name) })
		}
		path += "/" + variablesOf(names)
	}
	if o.Kind == operation.KindAggregate {
		path += "/aggregate"
	}
	return path + "{._format}"
}

// isItem reports whether operations of the kind are about one stored record.
func isItem(kind operation.Kind) bool {
	return kind != operation.KindGetCollection && kind != operation.KindPost && kind != operation.KindAggregate
}

// takeListVariable finds the variable of a Put or Delete that is a list of references of the record. The operation then adds
// a reference to the list, or removes one. It returns the variables without it.
func (o *operationCompiler) takeListVariable(variables, others []string) (_, _ []string) {
	if o.Custom || o.Kind != operation.KindPut && o.Kind != operation.KindDelete {
		return variables, others
	}
	for _, name := range others {
		f := o.Resource.Struct.Field(name)
		if f != nil && f.Reference != nil && f.Reference.Many && o.c.names[f.Reference.Name] != nil {
			o.Membership = &compiled.Parent{Variable: name, Resource: o.c.names[f.Reference.Name], Field: f, Below: compiled.OwnRecord}
			isIt := func(v string) bool { return v == name }
			return slices.DeleteFunc(slices.Clone(variables), isIt), slices.DeleteFunc(slices.Clone(others), isIt)
		}
	}
	return variables, others
}

var operationName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// operationID returns the operation's id in the document.
func (o *operationCompiler) operationID() string {
	if o.Name != "" {
		if !operationName.MatchString(o.Name) {
			o.fail("Name is %q; use letters and digits, beginning with a lower-case letter", o.Name)
		}
		return o.Name + o.Resource.ShortName
	}
	switch o.Kind {
	case operation.KindGetCollection:
		return "list" + o.Resource.PluralName
	case operation.KindAggregate:
		return "aggregate" + o.Resource.PluralName
	case operation.KindPost:
		return "create" + o.Resource.ShortName
	case operation.KindPut:
		if !o.Replace {
			return "update" + o.Resource.ShortName
		}
		return "replace" + o.Resource.ShortName
	}
	return strings.ToLower(o.Kind.String()) + o.Resource.ShortName
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
	if op.Pages {
		own = op.Resource.PluralName
	}
	return strings.TrimSuffix(id, own) + above.String() + own
}

// standard sets the body and the response of an operation without a handler: views of the record.
func (o *operationCompiler) standard() {
	source, views := o.Resource.Source, o.Resource.Source.Views
	switch {
	case o.Membership != nil:
		return
	case o.Kind == operation.KindPost:
		o.In = source.Value(views.View(model.Create))
	case !o.Kind.TakesBody():
	case !o.Replace: // a Put that updates is a merge patch under another media type
		o.In = source.Value(views.View(model.Merge))
	case o.AllowCreate:
		o.In = source.Value(views.View(model.ReplaceNamed))
	default:
		o.In = source.Value(views.View(model.Replace))
	}
	o.makeParentsOptional()
	if o.AllowCreate && o.In != nil { // an error if the kind has no body
		o.Missing = source.Value(views.View(model.CreateNamed))
		if !o.Replace {
			o.Missing = source.Value(views.View(model.CreateByMerge))
		}
	}
	if o.Kind != operation.KindDelete {
		o.Out = o.Resource.Shown
	}
}

// makeParentsOptional makes the references that the path sets optional in the body.
func (o *operationCompiler) makeParentsOptional() {
	if o.In == nil {
		return
	}
	var given []string
	var called strings.Builder
	called.WriteString(o.In.View.Name + "Below")
	for i := range o.Parents {
		f := o.Parents[i].Field
		if m := o.In.View.Field(f); sets(o.Operation, f) && m != nil && m.Needed {
			given = append(given, f.Name)
			called.WriteString(naming.Capital(f.Name))
		}
	}
	if given != nil {
		o.In = o.Resource.Source.Value(o.In.View.Without(given, called.String()))
	}
}

// status sets the status of success.
func (o *operationCompiler) status(declared int) {
	conventional := http.StatusOK
	switch {
	case o.Out == nil:
		conventional = http.StatusNoContent
	case o.Creates:
		conventional = http.StatusCreated
	}
	o.Status = cmp.Or(declared, conventional)
	switch {
	case o.Status < 200 || o.Status > 299 || o.Status == http.StatusResetContent || o.Status == http.StatusPartialContent:
		o.fail("Status is %d; allowed: 200 to 299 except 205 and 206", declared)
	case o.Status == http.StatusNoContent && o.Out != nil && o.Reads:
		o.fail("Status is 204, but the operation returns a body")
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
	case op.Custom && !op.Purges:
		return rules.Update, "Access.Update"
	case op.Kind == operation.KindPost:
		return rules.Create, "Access.Create"
	case op.Deletes(), op.Purges:
		return rules.Delete, "Access.Delete"
	}
	return rules.Update, "Access.Update"
}
