package mcp

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/guest"
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
	required    bool
	joins       bool // a list is one text, with commas
}

// Names of arguments that are none of parameters.
const (
	wholeBody = "body"
	cursor    = "cursor"
	offset    = "offset"
)

// takeArguments settles where each argument goes, and returns the schema of all of them: what
// names the record first, then what is said of it, then how it is asked for.
func (t *tool) takeArguments() *schema.Schema {
	t.arguments = map[string]*argument{}
	all := &schema.Schema{Type: []string{schema.Object}, AdditionalProperties: schema.Nothing()}
	for i := range t.op.Variables {
		v := &t.op.Variables[i]
		t.add(all, v.Name, &argument{destination: inPath, name: v.Name, required: v.Required}, v.Schema, v.Description)
	}
	if t.op.Input != nil {
		t.addBody(all)
	}
	for i := range t.op.Parameters {
		p := &t.op.Parameters[i]
		switch p.Kind {
		case "page", "pagination", "partial", "order":
			// Cursors turn pages, and sort says what order[…] says: more ways cost every call of a model.
		case cursor:
			t.add(all, cursor, &argument{destination: inCursor, name: p.Name}, schema.Typed(schema.String), "Where the next page begins: "+
				"`nextCursor` of the page before, which has the other arguments in it; one that is given all the same goes before it.")
		case "itemsPerPage":
			if p.Schema.Min.Compare("1") < 0 { // 0 asks for a total, which no page here has
				p.Schema.Min, p.Description = "1", "How many records a page has at most. Not read by a stream."
			}
			t.addParameter(all, p)
		default:
			t.addParameter(all, p)
		}
	}
	t.addConditions(all)
	return all
}

// add adds an argument with a schema, whose own description takes precedence over the given one.
func (t *tool) add(all *schema.Schema, name string, a *argument, of *schema.Schema, description string) {
	described := *of
	if described.Description == "" {
		described.Description = description
	}
	t.arguments[name] = a
	all.Properties = append(all.Properties, schema.Property{Name: name, Schema: &described})
	if a.required {
		all.Required = append(all.Required, name)
	}
}

func (t *tool) addParameter(all *schema.Schema, p *guest.Parameter) {
	a := &argument{destination: inQuery, name: p.Name, required: p.Required, joins: p.Joins}
	if p.In == "header" {
		a.destination = inHeader
	}
	// Brackets are in no name of an argument that models are given.
	name := strings.NewReplacer("[", ".", "]", "").Replace(p.Name)
	if all.Property(name) != nil {
		name = p.In + "." + name
	}
	t.add(all, name, a, p.Schema, p.Description)
}

// addBody adds the members of the body. What the path says the body does not say again.
func (t *tool) addBody(all *schema.Schema) {
	if t.op.InputLists {
		list := &schema.Schema{Type: []string{schema.Array}, Items: t.op.Input}
		t.add(all, wholeBody, &argument{destination: inWhole, required: true}, list, "All of the body.")
		return
	}
	body := t.op.Input.Ref.Schema
	for _, p := range body.Properties {
		if p.Schema.ReadOnly { // taken and not read
			continue
		}
		required := slices.Contains(body.Required, p.Name)
		if slices.ContainsFunc(t.op.Variables, func(v guest.Parameter) bool { return v.Name == p.Name }) {
			if t.op.Custom { // only whose author knows whether it is the same
				t.add(all, "body."+p.Name, &argument{destination: inMember, name: p.Name, required: required}, p.Schema, "")
			}
			continue
		}
		all.Properties = append(all.Properties, p)
		if required {
			all.Required = append(all.Required, p.Name)
		}
	}
}

// addConditions adds the fields of the header by which a change is safe.
func (t *tool) addConditions(all *schema.Schema) {
	field := func(name, description string) {
		t.add(all, name, &argument{destination: inHeader, name: name}, schema.Typed(schema.String), description)
	}
	if t.op.RequirePrecondition {
		field("If-Match", "The entity tag of the record, in double quotes, as the tool that gets it tells: it is changed only if it is still in that state. "+
			"Without it the call is refused. `*` changes whatever is there.")
	}
	if t.op.RequirePrecondition && t.op.AllowCreate {
		field("If-None-Match", "`*` in place of If-Match creates the record, if there is none yet.")
	}
	if t.op.Idempotent {
		field("Idempotency-Key", "A text of your own that names this call, such as a UUID: "+
			"the same call with the same key is given the first answer again and saves nothing.")
	}
}
