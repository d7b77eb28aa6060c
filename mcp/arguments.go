package mcp

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// destination is where an argument goes in a request.
type destination int

const (
	inPath destination = iota
	inQuery
	inHeader
	inCursor // which has a query in it
	inWhole  // all of the body
	inMember // of the body, where its name is taken
)

// argument is one argument of a tool that is no member of the body by its own name.
type argument struct {
	destination destination
	name        string // of the variable, the parameter, the field or the member
	joins       bool   // a list is one text, with commas
}

// Names of arguments that are none of parameters.
const (
	wholeBody      = "body"
	cursor         = "cursor"
	offset         = "offset"
	ifMatch        = "If-Match"
	ifNoneMatch    = "If-None-Match"
	idempotencyKey = "Idempotency-Key"
)

// takeArguments settles where each argument goes, and returns the schema of all of them: what
// names the record first, then what is said of it, then how it is asked for.
func (t *tool) takeArguments(schemas *describe.Schemas) *schema.Schema {
	t.arguments = map[string]*argument{}
	all := &schema.Schema{Type: []string{schema.Object}, AdditionalProperties: schema.Nothing()}
	for _, name := range t.op.Template.Variables() {
		said := schemas.PathParameter(t.op, name)
		t.add(all, name, &argument{destination: inPath, name: name}, &said)
	}
	if t.op.TakesBody() {
		t.addBody(all, schemas)
	}
	for _, p := range t.op.Parameters.List {
		switch p.Kind {
		case parameters.Page, parameters.Pagination, parameters.Partial, parameters.Order:
			// Cursors turn pages, and sort says what order[…] says: more ways cost every call of a model.
		case parameters.Own:
			said := schemas.Parameter(t.op, p)
			t.addParameter(all, p, &said)
		case parameters.Cursor:
			of := schema.Typed(schema.String)
			t.add(all, cursor, &argument{destination: inCursor, name: p.Name}, &describe.Parameter{Schema: of, Description: "Where the next page begins: " +
				"`nextCursor` of the page before, which has the other arguments in it; one that is given all the same goes before it."})
		case parameters.ItemsPerPage:
			least := *p
			least.Minimum = max(1, p.Minimum) // 0 asks for a total, which no page here has
			said := schemas.CollectionParameter(t.op, &least)
			t.addParameter(all, p, &said)
		default:
			said := schemas.CollectionParameter(t.op, p)
			t.addParameter(all, p, &said)
		}
	}
	t.addConditions(all)
	return all
}

// add adds an argument, unless one has its name.
func (t *tool) add(all *schema.Schema, name string, a *argument, said *describe.Parameter) {
	of := *said.Schema
	if of.Description == "" {
		of.Description = said.Description
	}
	t.arguments[name] = a
	all.Properties = append(all.Properties, schema.Property{Name: name, Schema: &of})
	if said.Required {
		all.Required = append(all.Required, name)
	}
}

func (t *tool) addParameter(all *schema.Schema, p *parameters.Parameter, said *describe.Parameter) {
	a := &argument{destination: inQuery, name: p.Name}
	if p.Header {
		a.destination = inHeader
	}
	switch p.Kind {
	case parameters.Sort, parameters.Fields, parameters.Expand:
		a.joins = true
	}
	// Brackets are in no name of an argument that models are given.
	name := strings.NewReplacer("[", ".", "]", "").Replace(p.Name)
	if all.Property(name) != nil {
		name = map[bool]string{false: "query.", true: "header."}[p.Header] + name
	}
	t.add(all, name, a, said)
}

// addBody adds the members of the body. What the path says the body does not say again.
func (t *tool) addBody(all *schema.Schema, schemas *describe.Schemas) {
	if t.op.In.Type.Kind != model.Object {
		t.wholeBody = true
		list := &schema.Schema{Type: []string{schema.Array}, Items: schemas.Body(t.op).Ref(schema.Schema{})}
		said := describe.Parameter{Schema: list, Description: "All of the body.", Required: true}
		t.add(all, wholeBody, &argument{destination: inWhole}, &said)
		return
	}
	body := schemas.Body(t.op).Schema
	for _, p := range body.Properties {
		if p.Schema.ReadOnly { // taken and not read
			continue
		}
		if slices.Contains(t.op.Template.Variables(), p.Name) {
			t.namedInBody = t.namedInBody || isIdentifier(t.op, p.Name)
			if t.op.Custom { // only whose author knows whether it is the same
				said := describe.Parameter{Schema: p.Schema, Required: slices.Contains(body.Required, p.Name)}
				t.add(all, "body."+p.Name, &argument{destination: inMember, name: p.Name}, &said)
			}
			continue
		}
		all.Properties = append(all.Properties, p)
		if slices.Contains(body.Required, p.Name) {
			all.Required = append(all.Required, p.Name)
		}
	}
}

// isIdentifier reports whether a member of the body is the identifier that the path has, which
// must be the same there.
func isIdentifier(op *compiled.Operation, name string) bool {
	return op.Item && !op.Custom && slices.ContainsFunc(op.In.View.Members, func(m model.Member) bool {
		return m.Field.Identifier && m.Writable && m.Field.Name == name
	})
}

// addConditions adds the fields of the header by which a change is safe.
func (t *tool) addConditions(all *schema.Schema) {
	if t.op.RequirePrecondition {
		t.add(all, ifMatch, &argument{destination: inHeader, name: ifMatch}, &describe.Parameter{
			Schema: schema.Typed(schema.String),
			Description: "The entity tag of the record, in double quotes, as the tool that gets it tells: it is changed only if it is still in that state. " +
				"Without it the call is refused. `*` changes whatever is there.",
		})
	}
	if t.op.RequirePrecondition && t.op.AllowCreate {
		t.add(all, ifNoneMatch, &argument{destination: inHeader, name: ifNoneMatch}, &describe.Parameter{
			Schema: schema.Typed(schema.String), Description: "`*` in place of If-Match creates the record, if there is none yet.",
		})
	}
	if t.op.Idempotency > 0 {
		t.add(all, idempotencyKey, &argument{destination: inHeader, name: idempotencyKey}, &describe.Parameter{
			Schema:      schema.Typed(schema.String),
			Description: "A text of your own that names this call, such as a UUID: the same call with the same key is given the first answer again and saves nothing.",
		})
	}
}

// begins reports whether a page can begin at any record. Elsewhere a filter can be called offset.
func (t *tool) begins() bool { return t.op.HasParameter(parameters.Offset) }

// pages reports whether there is more than one page.
func (t *tool) pages() bool { return t.op.HasParameter(parameters.Cursor) }
