package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
)

// destination is the part of a request that an argument goes to.
type destination int

const (
	inPath destination = iota
	inQuery
	inHeader
	inCursor // a cursor contains a query
	inBody   // the whole body
	inField  // a field of the body whose name is taken
)

// argument is an argument of a tool, other than a field of the body under its own name.
type argument struct {
	destination destination
	name        string // of the variable, parameter, header field or field of the body
	required    bool
	joins       bool // a list is one string, separated by commas
	isJSON      bool // an object is sent as JSON
}

// Names of arguments that are not names of parameters.
const (
	wholeBody = "body"
	cursor    = "cursor"
	offset    = "offset"
)

// takeArguments decides where each argument goes, and returns their schema: first the variables of the path, then the
// fields of the body, then parameters.
func (t *tool) takeArguments() *schema.Schema {
	t.arguments = map[string]*argument{}
	all := &schema.Schema{Type: []string{schema.Object}, AdditionalProperties: schema.Nothing()}
	for i := range t.op.Variables {
		v := &t.op.Variables[i]
		t.add(all, free(all, v.Name, "path"), &argument{destination: inPath, name: v.Name, required: v.Required}, v.Schema, v.Description)
	}
	if t.op.Body != nil {
		t.addBody(all)
	}
	for i := range t.op.Parameters {
		p := &t.op.Parameters[i]
		switch p.Kind {
		case "page", "pagination", "partial", "order":
			// cursor and sort are enough: a second way costs tokens in every call of a model.
		case cursor:
			t.add(all, cursor, &argument{destination: inCursor, name: p.Name}, schema.Typed(schema.String), "Returns the next page: "+
				"`nextCursor` of the previous page. It contains the other arguments; those that you pass as well take precedence.")
		case "itemsPerPage":
			if p.Schema.Min.Compare("1") < 0 { // 0 requests only the total, which pages of tools do not have
				p.Schema.Min, p.Description = "1", "The maximum number of records on a page. Ignored by streams."
			}
			t.addParameter(all, p)
		default:
			t.addParameter(all, p)
		}
	}
	t.addConditions(all)
	return all
}

// add adds an argument. The description of its schema takes precedence over the given one.
func (t *tool) add(all *schema.Schema, name string, a *argument, of *schema.Schema, description string) {
	described := *of
	if described.Description == "" {
		described.Description = description
	}
	t.arguments[name] = a
	if a.destination == inPath {
		t.variables = append(t.variables, name)
	}
	all.Properties = append(all.Properties, schema.Property{Name: name, Schema: &described})
	if a.required {
		all.Required = append(all.Required, name)
	}
}

func (t *tool) addParameter(all *schema.Schema, p *invoke.Parameter) {
	a := &argument{destination: inQuery, name: p.Name, required: p.Required, joins: p.Joins, isJSON: p.Kind == "tree"}
	if p.In == "header" {
		a.destination = inHeader
	}
	t.add(all, free(all, p.Name, p.In), a, p.Schema, p.Description)
}

// addBody adds the fields of the body, without those that the path has already.
func (t *tool) addBody(all *schema.Schema) {
	if t.op.BodyIsList() {
		list := &schema.Schema{Type: []string{schema.Array}, Items: t.op.Body}
		t.add(all, wholeBody, &argument{destination: inBody, required: true}, list, "The whole body.")
		return
	}
	body := t.op.Body.Ref.Schema
	for _, p := range body.Properties {
		if p.Schema.ReadOnly { // accepted and ignored
			continue
		}
		required := slices.Contains(body.Required, p.Name)
		if slices.ContainsFunc(t.op.Variables, func(v invoke.Parameter) bool { return v.Name == p.Name }) {
			if t.op.Custom { // only its author knows whether the two are the same
				t.add(all, free(all, "body."+p.Name, "field"), &argument{destination: inField, name: p.Name, required: required}, p.Schema, "")
			}
			continue
		}
		if name := free(all, p.Name, wholeBody); name != p.Name {
			t.add(all, name, &argument{destination: inField, name: p.Name, required: required}, p.Schema, "The field "+p.Name+".")
			continue
		}
		all.Properties = append(all.Properties, p)
		if required {
			all.Required = append(all.Required, p.Name)
		}
	}
}

// addConditions adds the header fields that make a change safe.
func (t *tool) addConditions(all *schema.Schema) {
	field := func(name, description string) {
		t.add(all, name, &argument{destination: inHeader, name: name}, schema.Typed(schema.String), description)
	}
	if t.op.RequirePrecondition {
		field("If-Match", "The ETag of the record, in double quotes, from the tool that gets it. The record is changed only if it still has this ETag. "+
			"Required; `*` matches any state.")
	}
	if t.op.RequirePrecondition && t.op.AllowCreate {
		field("If-None-Match", "`*` instead of If-Match creates the record if it does not exist.")
	}
	if t.op.Idempotency > 0 {
		field("Idempotency-Key", "A unique string for this call, such as a UUID. "+
			"Repeating the call with the same key returns the first response and saves nothing.")
	}
}

// maxName is the maximum length of names that clients accept.
const maxName = 64

// nameOf returns the name of a tool or argument for clients, which accept only ASCII letters, digits, _ and -. The dots
// and brackets of parameters become _: year_gte for year[gte]. If the name loses anything else, it ends in a hash of the
// whole name, so it is the same after a restart and differs from other names.
func nameOf(name string) string {
	parts := strings.NewReplacer("[", "_", "]", "", ".", "_").Replace(name)
	isKept := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
	}
	made := strings.Map(func(r rune) rune {
		if isKept(r) {
			return r
		}
		return '_'
	}, parts)
	if made == parts && len(made) <= maxName && made != "" {
		return made
	}
	return hashed(made, name)
}

// hashed returns a name that ends in a hash of another one.
func hashed(made, name string) string {
	sum := sha256.Sum256([]byte(name))
	end := "_" + hex.EncodeToString(sum[:6])
	return made[:min(len(made), maxName-len(end))] + end
}

// free returns a name for an argument that has none yet: that of [nameOf], else with the word in front, else with a hash.
func free(all *schema.Schema, name, word string) string {
	for _, made := range []string{nameOf(name), nameOf(word + "." + name)} {
		if all.Property(made) == nil {
			return made
		}
	}
	return hashed(nameOf(name), word+"."+name)
}
