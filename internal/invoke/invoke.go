// Package invoke lets other protocols than HTTP, such as MCP, serve an API. It describes the operations as plain data, and calls
// them for the caller of an HTTP request. A protocol imports only this package, public packages and, to change schemas,
// internal/schema.
//
//	api := invoke.Of(resourceAPI)       // the operations and their properties
//	err := api.Describe(false, operations...) // their parameters, bodies and responses
//	endpoint := api.Endpoint("/lines", operations...)
//	caller := endpoint.Authenticate(w, r) // the caller; nil if an error response has been sent
//	message, err := endpoint.Receive(w, r)
//	response := caller.Call(operation, invoke.Call{Variables: …, Body: …})
package invoke

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
)

// API describes an API.
type API struct {
	*compiled.API

	Operations []*Operation // in the order of declaration, hidden ones too
	Resources  []*Resource  // in the order of declaration
	HasSchemes bool         // callers can sign in

	Pages *Writer // writes pages; a protocol may set it

	item        *Writer // writes all else
	permissions *Writer // instead of a record
	definitions map[*schema.Definition]*describe.Definition
}

// Operation is a compiled operation with its texts, parameters and schemas. It does not change after Describe.
type Operation struct {
	*compiled.Operation

	Resource    *Resource
	Summary     string // the author's, else a generated one
	Description string // the author's, with generated sentences; Operation.Description is the author's part

	// Set by Describe:
	Variables  []Parameter    // of the path
	Parameters []Parameter    // of the query and the header
	Body       *schema.Schema // of the body, or of each element of a list; nil for none
	Response   *schema.Schema // nil for none

	server *serve.Operation
}

// Parameter is a parameter of an operation.
type Parameter struct {
	describe.Parameter

	Name string
	In   string // "path", "query" or "header"
	// Kind is "own", "filter", "tree" or "order", and else the parameter's usual name: "page", "itemsPerPage", "pagination",
	// "partial", "offset", "cursor", "sort", "q", "fields", "expand", "group", "function" or "timezone". It is "" for a variable.
	Kind  string
	Joins bool // a list is one value, with commas
	Many  bool // it may be given several times

	Field    string                                              // the field of a filter or an order, such as "owner.username"; "" for other parameters
	Operator string                                              // of a filter, such as "equal" or "between"; "" for other parameters
	Choices  []string                                            // of a parameter that names fields or references; nil for others
	offers   func(name string, sees func(path string) bool) bool // reports whether to show a choice
}

// Of returns the description of an API.
func Of(api compiled.Holder) *API {
	held := compiled.Of(api)
	a := &API{API: held, HasSchemes: len(held.Authentication) > 0}
	a.item, _ = NewWriter(format.Standard()[0]) // cannot fail for JSON
	a.permissions, _ = NewWriter(permissionsFormat)
	a.Pages = a.item
	for _, of := range held.Resources {
		r := &Resource{Resource: of}
		for _, op := range of.Operations {
			o := &Operation{Operation: op, Resource: r, Summary: describe.Summary(op), Description: describe.Description(op)}
			o.server, _ = op.Server.(*serve.Operation)
			r.Operations = append(r.Operations, o)
		}
		a.Resources, a.Operations = append(a.Resources, r), append(a.Operations, r.Operations...)
	}
	for _, r := range a.Resources {
		a.describeFields(r)
	}
	return a
}

// AddLink adds a link to a page or an endpoint of the protocol, by the path of its route. The home page of the API shows
// it. See [compiled.Link]. Call it before the API serves.
func (a *API) AddLink(rel, title, path string) {
	a.API.AddLink(compiled.Link{Rel: rel, Title: title, Path: a.Whole(path)})
}

// Title returns the title of the API in its OpenAPI document, "" until that is mounted.
func (a *API) Title() string { return a.FormatAPI.Title }

// Operation returns the operation with an id.
func (a *API) Operation(id string) (*Operation, error) {
	var ids []string
	for _, o := range a.Operations {
		if o.ID == id {
			return o, nil
		}
		ids = append(ids, o.ID)
	}
	return nil, fmt.Errorf("operation %q does not exist%s", id, naming.DidYouMean(id, ids))
}

// SignIn returns the operations that begin and end a session in a browser, nil for none.
func (a *API) SignIn() (in, out *Operation) {
	signIn, signOut := a.API.SignIn()
	for _, o := range a.Operations {
		switch o.Operation {
		case signIn:
			in = o
		case signOut:
			out = o
		}
	}
	return in, out
}

// tokenNames are usual names of the field with the token in the response of a sign-in.
var tokenNames = []string{"access_token", "accessToken", "token", "jwt", "idToken", "id_token"}

// TokenName returns the name of the field with the token in the response of a sign-in, "" for none.
func (o *Operation) TokenName() string {
	if o.Response == nil {
		return ""
	}
	object := o.Response
	if object.Ref != nil {
		object = object.Ref.Schema
	}
	isText := func(s *schema.Schema) bool { return s != nil && slices.Equal(s.Type, []string{schema.String}) }
	for _, name := range tokenNames {
		if isText(object.Property(name)) {
			return name
		}
	}
	return ""
}

// Writer writes the responses of calls. Errors are problems as JSON. It does not change.
type Writer = compiled.Format

// NewWriter returns the writer of a format.
func NewWriter(f format.Format) (*Writer, error) {
	formats, err := compiled.Formats([]format.Format{f}, nil)
	if err != nil {
		return nil, err
	}
	return formats[0], nil
}

// Describe sets the parameters, bodies and responses of operations. Call it once with all operations of the protocol, because
// the names of shared schemas must differ.
//
// Brief descriptions have no sentences about access rules, which are about other callers, and none about what references
// must be.
func (a *API) Describe(brief bool, operations ...*Operation) error {
	schemas, err := describe.New(a.API, brief)
	if err != nil {
		return err
	}
	for _, o := range operations {
		for _, name := range o.Template.Variables() {
			o.Variables = append(o.Variables, Parameter{Name: name, In: "path", Parameter: schemas.PathParameter(o.Operation, name)})
		}
		if o.TakesBody() {
			o.Body = schemas.Body(o.Operation).Ref(schema.Schema{})
		}
		for _, p := range o.Operation.Parameters.List {
			o.Parameters = append(o.Parameters, parameter(o, schemas, p))
		}
		if o.HasResponseBody() {
			o.Response, _ = schemas.Response(o.Operation)
		}
	}
	named, err := schemas.Name()
	a.definitions = map[*schema.Definition]*describe.Definition{}
	for _, d := range named {
		a.definitions[&d.Definition] = d
	}
	return err
}

func parameter(o *Operation, schemas *describe.Schemas, p *parameters.Parameter) Parameter {
	made := Parameter{Name: p.Name, In: "query", Kind: string(p.Kind), Many: p.Many}
	if p.Header {
		made.In = "header"
	}
	switch p.Kind {
	case parameters.Filter, parameters.Order:
		made.Field = p.Path.Name
	case parameters.Own:
		made.Parameter = schemas.Parameter(o.Operation, p)
		return made
	case parameters.Sort, parameters.Fields, parameters.Expand, parameters.Group, parameters.Function:
		made.Choices, made.Joins, made.offers = p.Allowed, true, p.Offers
	case parameters.Search:
		made.Choices, made.offers = p.Allowed, p.Offers
	}
	if p.Kind == parameters.Filter {
		made.Operator = operatorOf(p)
	}
	made.Parameter = schemas.CollectionParameter(o.Operation, p)
	return made
}

// BodyIsList reports whether the body is a list, of which Body is each element.
func (o *Operation) BodyIsList() bool { return o.TakesBody() && o.In.Type.Kind != model.Object }

// IsInBody reports whether a variable of the path is also a field of the body.
func (o *Operation) IsInBody(variable string) bool {
	if !o.TakesBody() || o.BodyIsList() || !o.Item || o.Custom {
		return false
	}
	f := o.Operation.Resource.Struct.Field(variable)
	if f == nil || !f.Identifier {
		return false
	}
	m := o.In.View.Field(f)
	return m != nil && m.Writable
}

// ReturnsList reports whether the response is a list.
func (o *Operation) ReturnsList() bool {
	return o.HasResponseBody() && (o.Lists || o.Out.Type.Kind.IsList())
}

// ReturnsObject reports whether the response is always an object.
func (o *Operation) ReturnsObject() bool {
	if !o.HasResponseBody() || o.ReturnsList() {
		return false
	}
	t := o.Out.Type
	return t.Kind == model.Object || t.Kind == model.Map && !t.Nullable
}

// ShowsTag reports whether the response has the entity tag that a change of the record requires.
func (o *Operation) ShowsTag() bool {
	return o.Shows && slices.ContainsFunc(o.Resource.Operations, func(other *Operation) bool { return other.RequirePrecondition })
}

// Has reports whether callers can give a parameter of a kind.
func (o *Operation) Has(kind string) bool {
	return slices.ContainsFunc(o.Operation.Parameters.List, func(p *parameters.Parameter) bool { return string(p.Kind) == kind })
}

// IsAt reports whether a path is one of the operation's, with or without the suffix of JSON.
func (o *Operation) IsAt(path string) bool {
	path = o.withoutSuffix(path)
	made := o.Template.Expand(func(name string) string {
		text, err := url.PathUnescape(o.Template.Variable(path, name))
		if err != nil {
			return ""
		}
		return text
	})
	if strings.Contains(path, "//") || strings.HasSuffix(path, "/") || strings.Count(made, "/") != strings.Count(path, "/") {
		return false
	}
	// Clients may escape other characters than Trove.
	a, errA := url.PathUnescape(made)
	b, errB := url.PathUnescape(path)
	return errA == nil && errB == nil && a == b
}

// EndSuffixes lists the suffixes that an identifier at the end of the path must not seem to have.
func (o *Operation) EndSuffixes() []string {
	if !strings.HasSuffix(o.Path(), "}") {
		return nil
	}
	return o.Suffixes()
}

// Destroys reports whether a call of the operation can lose something.
func (o *Operation) Destroys() bool {
	return o.Deletes() || o.Custom && (o.Kind == operation.KindDelete || o.Item && o.Kind == operation.KindPut)
}

// withoutSuffix returns a path without the suffix of JSON, or without the second suffix of an identifier that ends in one.
func (o *Operation) withoutSuffix(path string) string {
	for _, suffix := range o.Suffixes() {
		if stem, ok := strings.CutSuffix(path, suffix); ok && (suffix == ".json" || strings.HasSuffix(stem, suffix)) {
			return stem
		}
	}
	return path
}

// variables matches the variables of a path.
var variables = regexp.MustCompile(`{[^}]+}`)

// PathBelow returns the path of the operation below a record, with the variables in the template of the record's path. It is
// "" if the template does not have them all, in the same order.
func (o *Operation) PathBelow(item string) string {
	p := o.Parents[len(o.Parents)-1]
	path := strings.Replace(o.Path(), "{"+p.Variable+"}", "{"+strings.Join(p.Resource.ID.Names(), "};{")+"}", 1)
	if !slices.Equal(variables.FindAllString(path, -1), variables.FindAllString(item, -1)) {
		return ""
	}
	return path
}
