package compiled

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/internal/view"
)

// Operation is what routes, documents and protocols know of an operation. How it runs is in package
// execute: the constructor of its kind makes the list of its steps.
type Operation struct {
	Facts
	Wire
	Embedding
	Documentation
	Limits

	API        *API
	Resource   *Resource
	Name       string // of the declaration, "" for none
	ID         string // in the OpenAPI document: "listDragonTreasures"
	Method     string
	Template   *uritemplate.Template // with the prefix
	Status     int                   // of success
	In         *Value                // the body; nil for none
	Missing    *Value                // the body when AllowCreate creates the record; nil for none
	Out        *Value                // the response, each record of it for a list; nil for none
	Parameters *parameters.Set
	Parents    []Parent // the records that the path names above the operation's own, in order; nil for none

	Access    access.Rule    // who may call it: its own rule, else the resource's; nil for everyone
	Gate      *Gate          // the rules, compiled; nil if everyone may do everything
	Private   bool           // the response depends on the caller
	Anonymous bool           // credentials are ignored
	Extra     map[string]any // the extra properties

	Executor Executor     // runs it; nil for one that only the model knows
	Handle   http.Handler // serves it; set with the routes
}

// Executor is what runs an operation: the *execute.Operation of package execute, which is above this one.
type Executor interface {
	// Steps returns the names of the steps of a call, in order.
	Steps() []string
}

// Wire is how an operation reads and writes bodies.
type Wire struct {
	Suffix        bool               // the path takes format suffixes
	Formats       []*Format          // of responses, the default first
	Offers        []string           // their media types
	MediaTypes    []string           // of bodies, the default first; nil for none
	Readers       []*Format          // the format that reads each of them
	DefaultFormat *Format            // the first of Formats, without functions if there is none
	TellsRefusals bool               // a format writes errors in its own way
	IsParticular  bool               // a format looks at parameters of media types
	Asked         []format.Parameter // Parameters, as formats see them
	Told          *format.Type       // In, as formats see it; nil if none asks
}

// Embedding is which other records a response includes, and which fields of its own clients can choose.
type Embedding struct {
	Expansions []*Expansion // requested or permanent; nil for none
	Always     int          // how many records each record always embeds, at most
	Sparse     *view.View   // the fields to choose from; nil if clients cannot choose
}

// Documentation is what only documents say of an operation.
type Documentation struct {
	Summary      string
	Description  string
	Hidden       bool              // routed, but not documented
	AnswerHeader map[string]string // descriptions of the header fields that functions set, by canonical name
	OpenAPI      any               // nil or func(*openapi3.Operation)
}

// Limits are what an operation demands of requests and says of the life of its responses.
type Limits struct {
	RequirePrecondition bool
	Cache               []string      // the header field Cache-Control; nil for none
	Idempotency         time.Duration // how long responses to requests with a key are kept; 0 for not at all
	MaxBodyBytes        int64
	Timeout             time.Duration // 0 for none
	Lifecycle           Lifecycle
}

// Lifecycle is when an operation ends, as each response announces it.
type Lifecycle struct {
	Deprecated, Sunset time.Time // zero for not at all
	Link               string    // "" for none
}

// Writes returns the store whose transaction the operation runs in.
func (o *Operation) Writes() Store {
	if of := o.Bodies(); of != nil && !o.Saves {
		return of.Store
	}
	return o.Resource.Store
}

// Bodies returns the resource whose records a handler's body creates or changes, nil for none.
func (o *Operation) Bodies() *Resource { return cmp.Or(o.Creating, o.Patching) }

// Path returns the template as routes and documents write it, without {._format}.
func (o *Operation) Path() string { return o.Template.Path() }

// TakesBody reports whether requests of the operation have a body.
func (o *Operation) TakesBody() bool { return o.In != nil }

// Answers reports whether a successful response has a body.
func (o *Operation) Answers() bool {
	return o.Out != nil && o.Status != http.StatusNoContent
}

// AnswersCreated reports whether success is 201, which says that there is a new record.
func (o *Operation) AnswersCreated() bool { return o.Status == http.StatusCreated }

// Narrows reports whether a successful response shows records by another view than that of all fields.
func (o *Operation) Narrows() bool {
	return o.Out != nil && o.OfRecords && o.Out.View != o.Resource.Source.Answer.View && o.Out.View != o.Resource.Shown.View
}

// IsUnaddressed reports whether the operation returns a list of records that has no path, because no GET leads to it.
func (o *Operation) IsUnaddressed() bool { return o.Lists && o.Method != http.MethodGet }

// HasParameter reports whether clients can give a parameter of a kind.
func (o *Operation) HasParameter(kind parameters.Kind) bool {
	return slices.ContainsFunc(o.Parameters.List, func(p *parameters.Parameter) bool { return p.Kind == kind })
}

// Through lists the references that clients of a collection can filter or sort through, by the
// names of their fields.
func (o *Operation) Through() []string {
	if o.Parameters == nil || !o.Pages {
		return nil
	}
	return o.Parameters.Through()
}
