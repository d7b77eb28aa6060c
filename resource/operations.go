package resource

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// operations is the phase after values: it compiles the operations of a resource, to which the
// resource's values cascade, with their paths, bodies and parameters.
func (c *compiler) operations(declaration *declared) bool {
	where, d, r := declaration.where, &declaration.definition, declaration.resource
	declared := d.operations
	if declared == nil {
		declared = operation.Standard()
	}
	c.note(where, errors.Join(checkFormats(d.defaults.Formats)...))
	c.members(where, d, r)
	if !c.checkBase(where, d.path, r) {
		return false
	}
	for i, o := range declared {
		if isNil(o) {
			c.fail(where, "operation %d is nil", i+1)
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
		case !showsRecords(op), op.IsBelowOthers(), op.Custom && op.Pages:
		case op.Pages:
			r.Collection = cmp.Or(r.Collection, op)
		default:
			r.Item = cmp.Or(r.Item, op)
		}
	}
	c.relationships(where, r)
	return true
}

func (c *compiler) operation(where string, d *definition, r *compiled.Resource, o operation.Operation) {
	metadata := o.Metadata()
	m := &metadata
	if m.Name != "" {
		where = strings.TrimSuffix(where, ")") + " " + fmt.Sprintf("%q)", m.Name)
	}
	d = c.without(where, m, d)
	op := &compiled.Operation{
		API:       c.model,
		Resource:  r,
		Name:      m.Name,
		Method:    o.Kind().Method(),
		Anonymous: m.Anonymous,
		Extra:     cascade(d.defaults.ExtraProperties, m.ExtraProperties),
	}
	op.Summary, op.Description, op.Hidden, op.OpenAPI = m.Summary, m.Description, m.Hidden, m.OpenAPI
	op.Kind, op.AllowCreate = o.Kind(), m.AllowCreate
	op.Reads, op.Custom = !op.Kind.Writes(), !isNil(m.Handler)
	op.Creates = op.Kind == operation.KindPost && !op.Custom
	op.Pages = op.Kind == operation.KindGetCollection && !op.Custom
	op.Lists = op.Pages
	draft := &draft{Operation: op}
	c.checkExtraProperties(where, m.ExtraProperties)
	op.Replace, _ = op.Extra[standardPut].(bool)
	op.Replace = op.Replace && op.Kind == operation.KindPut && !op.Custom
	op.ID = c.operationID(where, op)
	if !c.template(where, m.URITemplate, d.path, op) {
		return
	}
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
	c.checkOpenAPI(where, m.OpenAPI)
	c.parameters(where, d, m, op)
	c.formats(where, d, m, op)
	c.access(where, d, m, op)
	c.caching(where, d, m, op)
	c.idempotency(where, d, m, draft)
	c.lifecycle(where, d, m, op)
	draft.observe()
	c.answerHeader(where, m.AnswerHeader, op)
	c.limits(where, d, m, op)
	r.Operations = append(r.Operations, op)
	c.drafts[op] = draft
}

// cascade lays an operation's extra properties over its resource's.
func cascade(resource, operation map[string]any) map[string]any {
	merged := maps.Clone(resource)
	if merged == nil {
		return maps.Clone(operation)
	}
	maps.Copy(merged, operation)
	return merged
}

const standardPut = "standard_put"

// checkExtraProperties checks the extra property that Trove reads. All others are the
// user's own.
func (c *compiler) checkExtraProperties(where string, extra map[string]any) {
	if len(extra) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		_, isBool := extra[name].(bool)
		plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
		switch {
		case name == standardPut && !isBool:
			c.fail(where, "extra property %q has the type %T; allowed: true, false", name, extra[name])
		case name != standardPut && plain == "standardput":
			c.fail(where, "extra property %q is unknown; did you mean %q?", name, standardPut)
		}
	}
}

var operationName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// operationID returns the operation's id in the document.
func (c *compiler) operationID(where string, op *compiled.Operation) string {
	if op.Name != "" {
		if !operationName.MatchString(op.Name) {
			c.fail(where, "Name is %q; allowed: letters and digits, beginning with a lower-case letter", op.Name)
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

// status finds the status of success.
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
		c.fail(where, "Status is %d; allowed: 200 to 299 without 205 and 206", declared)
	case op.Status == http.StatusNoContent && !empty && op.Reads:
		c.fail(where, "Status is 204, which has no body, but the operation answers with one")
	}
}

func (c *compiler) checkAllowCreate(where string, op *compiled.Operation) {
	switch {
	case !op.AllowCreate:
	case op.Kind != operation.KindPut || op.Custom:
		c.fail(where, "AllowCreate is set; allowed on a Put without a Handler")
	case op.Resource.ID.Generated():
		c.fail(where, "AllowCreate is set, but the identifier %q is generated; allowed with a string identifier, which the client gives",
			op.Resource.ID.Name())
	case len(op.Resource.ID.FromService()) > 0:
		c.fail(where, "AllowCreate is set, but %q is a readonly part of the identifier, which a client cannot choose; remove AllowCreate and create by Post",
			op.Resource.ID.FromService()[0].Name)
	}
}

// checkKeyParts reports parts of the identifier that the service has to set in a Post, and nothing can set.
func (c *compiler) checkKeyParts(where string, op *draft) {
	if r := op.Resource; !op.Creates || r.Prepare != nil || r.Before != nil || op.HasInput || op.Processor != nil {
		return
	}
	for _, f := range op.Resource.ID.FromService() {
		if !sets(op.Operation, f) {
			c.fail(where, "the part %q of the identifier is readonly, and nothing sets it; set it in Prepare%s, or remove readonly", f.Name, byPath(f))
		}
	}
}

// byPath is the advice to name a reference in the path.
func byPath(f *model.Field) string {
	if f.Reference == nil {
		return ""
	}
	return fmt.Sprintf(", use a URITemplate with {%s}", f.Name)
}

// checkOpenAPI compares the type by name, to do without the library that has it.
func (c *compiler) checkOpenAPI(where string, hook any) {
	const want = "func(*openapi3.Operation)"
	if hook == nil {
		return
	}
	if t := reflect.TypeOf(hook); t.String() != want {
		c.fail(where, "OpenAPI has the type %s; allowed: %s", t, want)
	} else if reflect.ValueOf(hook).IsNil() {
		c.fail(where, "OpenAPI is a nil function; leave it out")
	}
}
