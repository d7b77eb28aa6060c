package resource

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

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
