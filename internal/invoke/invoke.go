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
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/internal/serve"
)

// API describes an API.
type API struct {
	Operations []*Operation // in the order of declaration, hidden ones too
	Resources  []*Resource  // in the order of declaration
	HasSchemes bool         // callers can sign in

	model       *compiled.API
	item, pages *compiled.Format
	definitions map[*schema.Definition]*describe.Definition
}

// Operation describes an operation. It does not change after Describe.
type Operation struct {
	compiled.Facts

	ID          string
	Resource    string // its short name
	Of          *Resource
	Parents     []Parent // the records above the operation's own in the path, in order; nil for none
	ListField   *Field   // the list of references that it adds to or removes from; nil for other operations
	Method      string
	Path        string // with variables in braces
	Summary     string
	Description string
	Note        string // the part of Description that the author wrote; "" for none
	Hidden      bool   // not to be listed
	Deprecated  bool
	Identifier  []string // the variables that name the record; nil for none
	Timeout     time.Duration

	RequirePrecondition bool // a call has an entity tag in If-Match
	ShowsTag            bool // the response has the entity tag that a change of the record requires
	Idempotent          bool // a call may have an Idempotency-Key
	HandlesSecrets      bool // it begins or ends a session, or sets a password

	// Set by Describe:

	Variables      []Parameter    // of the path
	Parameters     []Parameter    // of the query and the header
	Input          *schema.Schema // of the body; nil for none
	InputLists     bool           // the body is a list, of which Input is each element
	InputNames     []string       // variables of the path that are also fields of the body
	Output         *schema.Schema // of the response; nil for none
	OutputLists    bool           // the response is a list
	OutputIsObject bool           // the response is always an object

	op     *compiled.Operation
	server *serve.Operation
}

// Parameter is a parameter of an operation.
type Parameter struct {
	describe.Parameter

	Name string
	In   string // "path", "query" or "header"
	// Kind is "own", "filter" or "order", and else the parameter's usual name: "page", "itemsPerPage", "pagination",
	// "partial", "offset", "cursor", "sort", "q", "fields" or "expand". It is "" for a variable.
	Kind  string
	Joins bool // a list is one value, with commas
	Many  bool // it may be given several times

	Field    string   // the field of a filter or an order, such as "owner.username"; "" for other parameters
	Operator string   // of a filter, such as "equal" or "between"; "" for other parameters
	Choices  []string // of a parameter that names fields or references; nil for others
}

// Of returns the description of an API.
func Of(api compiled.Holder) *API {
	held := compiled.Of(api)
	a := &API{HasSchemes: len(held.Authentication) > 0, model: held}
	_ = a.Write(format.Standard()[0], format.Standard()[0]) // cannot fail for JSON
	for _, r := range held.Resources {
		for _, op := range r.Operations {
			a.Operations = append(a.Operations, operationOf(op))
		}
	}
	a.describeResources()
	return a
}

func operationOf(op *compiled.Operation) *Operation {
	requires := func(o *compiled.Operation) bool { return o.RequirePrecondition }
	made := &Operation{
		Facts: op.Facts, ID: op.ID, Resource: op.Resource.ShortName, Method: op.Method, Path: op.Path(),
		Summary: describe.Summary(op), Note: op.Description, Description: describe.Description(op),
		Hidden: op.Hidden, Deprecated: !op.Lifecycle.Deprecated.IsZero(), Timeout: op.Timeout,
		RequirePrecondition: op.RequirePrecondition, Idempotent: op.Idempotency > 0, HandlesSecrets: op.HandlesSecrets(),
		ShowsTag: op.Shows && slices.ContainsFunc(op.Resource.Operations, requires),
		op:       op,
	}
	made.server, _ = op.Handle.(*serve.Operation)
	if op.Item {
		made.Identifier = op.Resource.ID.Names()
	}
	return made
}

// AddLink adds a link to a page or an endpoint of the protocol, by the path of its route. The home page of the API shows
// it. See [compiled.Link]. Call it before the API serves.
func (a *API) AddLink(rel, title, path string) {
	a.model.AddLink(compiled.Link{Rel: rel, Title: title, Path: a.Whole(path)})
}

// Whole returns the path that clients see for the path of a route.
func (a *API) Whole(path string) string { return a.model.Whole(path) }

// Origin returns the scheme and the host that clients see, "" for those of each request.
func (a *API) Origin() string { return a.model.Origin }

// Hosts returns the host that clients see, nil if that is the one of each request.
func (a *API) Hosts() []string { return a.model.Hosts() }

// Title returns the title of the API in its OpenAPI document, "" until that is mounted.
func (a *API) Title() string { return a.model.FormatAPI.Title }

// Documentation returns the path of the documentation, "" until it is mounted.
func (a *API) Documentation() string { return a.model.Docs }

// Home returns the path of the list of collections, at which browsers see the home page.
func (a *API) Home() string { return a.model.HomePath() }

// Schemes returns the schemes in order of precedence.
func (a *API) Schemes() []access.Scheme { return a.model.Authentication }

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
	signIn, signOut := a.model.SignIn()
	for _, o := range a.Operations {
		switch o.op {
		case signIn:
			in = o
		case signOut:
			out = o
		}
	}
	return in, out
}

// Write sets the format of responses, one for pages and one for all others. Errors are problems as JSON.
func (a *API) Write(item, pages format.Format) error {
	formats, err := compiled.Formats([]format.Format{item, pages}, nil)
	if err == nil {
		a.item, a.pages = formats[0], formats[1]
	}
	return err
}

// Writer writes the responses of calls. It does not change.
type Writer struct{ of *compiled.Format }

// Writer returns the writer of a format.
func (a *API) Writer(f format.Format) (*Writer, error) {
	formats, err := compiled.Formats([]format.Format{f}, nil)
	if err != nil {
		return nil, err
	}
	return &Writer{formats[0]}, nil
}

// Describe sets the parameters, bodies and responses of operations. Call it once with all operations of the protocol, because
// the names of shared schemas must differ.
//
// Brief descriptions have no sentences about access rules, which are about other callers, and none about what references
// must be.
func (a *API) Describe(brief bool, operations ...*Operation) error {
	schemas, err := describe.New(a.model, brief)
	if err != nil {
		return err
	}
	for _, o := range operations {
		a.describe(o, schemas)
	}
	named, err := schemas.Name()
	a.definitions = map[*schema.Definition]*describe.Definition{}
	for _, d := range named {
		a.definitions[&d.Definition] = d
	}
	return err
}

func (a *API) describe(o *Operation, schemas *describe.Schemas) {
	for _, name := range o.op.Template.Variables() {
		o.Variables = append(o.Variables, Parameter{Name: name, In: "path", Parameter: schemas.PathParameter(o.op, name)})
	}
	if o.op.TakesBody() {
		body := schemas.Body(o.op)
		o.Input = body.Ref(schema.Schema{})
		o.InputLists = o.op.In.Type.Kind != model.Object
		for _, m := range o.op.In.View.Fields {
			if !o.InputLists && o.Item && !o.Custom && m.Field.Identifier && m.Writable && slices.Contains(o.op.Template.Variables(), m.Field.Name) {
				o.InputNames = append(o.InputNames, m.Field.Name)
			}
		}
	}
	for _, p := range o.op.Parameters.List {
		o.Parameters = append(o.Parameters, a.parameter(o, schemas, p))
	}
	if !o.op.HasResponseBody() {
		return
	}
	o.Output, _ = schemas.Response(o.op)
	t := o.op.Out.Type
	o.OutputLists = o.Lists || t.Kind.IsList()
	o.OutputIsObject = !o.OutputLists && (t.Kind == model.Object || t.Kind == model.Map && !t.Nullable)
}

func (a *API) parameter(o *Operation, schemas *describe.Schemas, p *parameters.Parameter) Parameter {
	made := Parameter{Name: p.Name, In: "query", Kind: p.Kind.String(), Many: p.Many}
	if p.Header {
		made.In = "header"
	}
	switch p.Kind {
	case parameters.Filter, parameters.Order:
		made.Field = p.Path.Name
	case parameters.Own:
		made.Parameter = schemas.Parameter(o.op, p)
		return made
	case parameters.Sort, parameters.Fields, parameters.Expand:
		made.Choices, made.Joins = p.Allowed, true
	case parameters.Search:
		made.Choices = p.Allowed
	}
	if p.Kind == parameters.Filter {
		made.Operator = operatorOf(p)
	}
	made.Parameter = schemas.CollectionParameter(o.op, p)
	return made
}

// Has reports whether callers can give a parameter of a kind.
func (o *Operation) Has(kind string) bool {
	return slices.ContainsFunc(o.op.Parameters.List, func(p *parameters.Parameter) bool { return p.Kind.String() == kind })
}

// IsAt reports whether a path is one of the operation's, with or without the suffix of JSON.
func (o *Operation) IsAt(path string) bool {
	path = o.withoutSuffix(path)
	made := o.op.Template.Expand(func(name string) string {
		text, err := url.PathUnescape(o.op.Template.Variable(path, name))
		if err != nil {
			return ""
		}
		return text
	})
	return isAlike(made, path) && !strings.Contains(path, "//") && !strings.HasSuffix(path, "/")
}

// isAlike reports whether two paths name the same, although clients may escape other characters than Trove.
func isAlike(made, path string) bool {
	if made == path {
		return true
	}
	a, errA := url.PathUnescape(made)
	b, errB := url.PathUnescape(path)
	return errA == nil && errB == nil && a == b && strings.Count(made, "/") == strings.Count(path, "/")
}

// Suffixes lists the suffixes of formats that the path accepts: the last dot of an identifier
// at its end that ends in one is percent-encoded.
func (o *Operation) Suffixes() []string { return o.op.Suffixes() }

// withoutSuffix returns a path without the suffix of JSON, or without the second suffix of an identifier that ends in one.
func (o *Operation) withoutSuffix(path string) string {
	for _, suffix := range o.op.Suffixes() {
		if stem, ok := strings.CutSuffix(path, suffix); ok && (suffix == ".json" || strings.HasSuffix(stem, suffix)) {
			return stem
		}
	}
	return path
}

// BodyFields returns the names of the fields of the body, nil without a body.
func (o *Operation) BodyFields() []string {
	if !o.op.TakesBody() {
		return nil
	}
	var names []string
	for _, f := range o.op.In.View.Fields {
		if f.Writable {
			names = append(names, f.Field.Name)
		}
	}
	return names
}

// IsFieldValue reports whether a text can be the value of a header field.
func IsFieldValue(text string) bool { return compiled.IsFieldValue(text) }
