// Package compiled is the model of an API after resource.New: all that routes, the
// request path and the document need, and nothing of how it was declared.
package compiled

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/internal/view"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/validation"
)

// API is a compiled API.
type API struct {
	Prefix           string // "" for none, else "/api"
	Resources        []*Resource
	ByStruct         map[*model.Struct]*Resource // the resource whose records are of a struct
	Formats          []*Format                   // that the index may be in
	Told             *format.API                 // what formats are told of it; complete once it is made
	Identifiers      bool                        // references are identifiers on the wire, and no addresses
	Authentication   []access.Scheme             // the ways in which requests say who makes them
	Ruled            bool                        // every operation has an access rule; else none has
	Vary             []string                    // the field Vary of answers that depend on who asks
	Rules            []validation.Rule           // the user's own
	Ignored          func(name string) bool      // reports whether a parameter passes unread
	MaxBodyBytes     int64
	MaxBodyDepth     int
	MaxBodyMembers   int
	MaxURLBytes      int
	MaxEmbedded      int           // records that a response may embed
	MaxEmbeddedBytes int64         // bytes of them
	Slots            chan struct{} // one for each operation that may run at once; nil for no limit
	Observers        []observe.Observer
	TagKey           []byte                                          // of entity tags of what answers do not show
	RequestID        func(r *http.Request) string                    // for logs; "" for none
	MapError         func(error) error                               // nil for none
	Logger           *slog.Logger                                    // never nil
	Docs             string                                          // path of the documentation's page; "" until it is mounted
	GuardDocs        func(path string, of http.Handler) http.Handler // lets those alone read the documentation who may; nil until it is mounted
}

// Resource is a compiled resource.
type Resource struct {
	ShortName   string // "DragonTreasure"
	PluralName  string // "DragonTreasures"
	Description string
	Struct      *model.Struct
	ID          model.Identifier
	Integer     codec.Integer // the same, where it is one
	Source      *Source       // of a record
	Computed    []*Computed
	Embedded    *Value // a record as others show it that refer to it; nil where none do
	Shown       *Value // a record as answers show it, with what is computed
	Codec       *codec.Codec
	Checker     *check.Checker
	Hides       bool // a record has members that no answer shows
	Narrows     bool // an operation shows less of a record than the record has for answers
	Errors      validation.Shape
	Store       Store
	Answered    func(out any) (Page, error)                                         // the records that a handler has answered with
	AsksRequest bool                                                                // the store may ask the context for the request
	Ping        func(ctx context.Context) error                                     // whether the store can be reached; nil where it does not say
	Prepare     func(ctx context.Context, req *operation.Request, record any) error // nil for none
	Before      func(ctx context.Context, req *operation.Request, record any) error // of slow work before the transaction; nil for none
	Members     map[string]access.Member                                            // rules of single members, by name
	Read        *gate.Rule                                                          // who may see a record by its Get; nil for everybody
	Gate        *gate.Members                                                       // the same, compiled; nil for none
	Reads       access.Rule                                                         // who may see a record; nil for everybody
	Operations  []*Operation
	Reached     map[string]*Resource // by the references that filters and order go through; nil for none
	Collection  *Operation           // the first GetCollection without a handler; nil for none
	Item        *Operation           // the first Get without a handler; nil for none
	Address     *uritemplate.Address // of its records, by Item; nil where there is none
	Home        *Home                // where they are if there is no Item; nil for nowhere

	Relationships map[string]*uritemplate.Address // of its references that have addresses of their own, by member; nil for none
}

// Operation is a compiled operation.
type Operation struct {
	API           *API
	Resource      *Resource
	Kind          operation.Kind
	Name          string // of the declaration, "" for none
	ID            string // in the document: "listDragonTreasures"
	Method        string
	Template      *uritemplate.Template // prefix included
	Suffix        bool                  // takes format suffixes
	Formats       []*Format             // of answers, the usual one first
	Offers        []string              // their media types
	MediaTypes    []string              // of bodies that it takes, the usual one first; nil for none
	Readers       []*Format             // of these, each
	DefaultFormat *Format               // the usual one, without functions where no format can answer
	TellsRefusals bool                  // a format tells refusals in its own way
	Asked         []format.Parameter    // what formats are told of Parameters
	Told          *format.Type          // what they are told of In; nil where none asks
	IsParticular  bool                  // a format looks at the parameters of media types
	Item          bool                  // the template names a record
	Expansions    []*Expansion          // that answers may have or always have; nil for none
	Always        int                   // how many records each record embeds at most, whatever clients request
	Membership    *Parent               // the reference that it adds to a list or takes away; nil for other operations
	Relationship  *Relationship         // that it is about alone; nil for operations on whole records
	Parents       []Parent              // that it names above, in its order; nil for none
	Status        int                   // of success
	Replace       bool                  // Put: standard_put
	AllowCreate   bool
	Access        access.Rule // who may do it: its own rule, else the resource's; nil for everybody
	Gate          *Gate       // nil where everybody may do everything
	Private       bool        // the answer depends on who asks
	Summary       string
	Description   string
	Hidden        bool
	Anonymous     bool              // requests are nobody's, whatever credentials they have
	AnswerHeader  map[string]string // the fields that functions are said to set, by canonical names
	OpenAPI       any               // nil or func(*openapi3.Operation)
	Extra         map[string]any
	Processor     operation.Processor  // nil for none
	Handler       operation.Handler    // nil for none
	Input         operation.BodyType   // makes the record of In; nil where In is the record, or a handler's
	Output        operation.AnswerType // makes Out of a record; nil where Out is the record, or a handler's
	In            *Value               // what the body is; nil for none
	Creating      *Resource            // whose records a handler's body creates; nil for none
	Patching      *Resource            // whose records a handler's body changes; nil for none
	Element       *Operation           // what each of these is saved by, which no route leads to; nil for none
	ElementInput  operation.BodyType   // makes these records of what bodies have in place of them; nil where that is the record
	Unruled       bool                 // of an Element: nothing says who may do it, though somebody should
	Listed        bool                 // a handler answers a list of records of the resource, of which Out is each
	Paged         bool                 // a handler answers a page of them, as the parameters ask for
	Together      bool                 // a handler may write several records, all or none
	Missing       *Value               // what it is where AllowCreate creates the record; nil for none
	Out           *Value               // what the answer is, each record of it for a collection; nil for none
	Sparse        *view.View           // of the answers whose members clients choose; nil for none
	Parameters    *parameters.Set

	RequirePrecondition bool
	Cache               []string      // the field Cache-Control; nil for none
	Idempotency         time.Duration // how long answers to requests with a key are kept; 0 for not at all
	MaxBodyBytes        int64
	Timeout             time.Duration // 0 for none
	Lifecycle           Lifecycle

	Handle http.Handler // serves it; made with the routes
}

// Lifecycle is what an operation says of its end, in fields of each answer.
type Lifecycle struct {
	Deprecated, Sunset time.Time // zero for not at all
	Link               string    // "" for none
}

// Saves reports whether the operation may write a record.
func (o *Operation) Saves() bool {
	return o.Kind.Writes() && (o.Handler == nil || o.Item)
}

// InTransaction reports whether the operation runs in a transaction, which the store that Writes
// returns begins. Every writing operation does, because a handler without a record may write several.
func (o *Operation) InTransaction() bool { return o.Kind.Writes() }

// Writes returns the store whose transaction the operation runs in.
func (o *Operation) Writes() Store {
	if of := o.Bodies(); of != nil && !o.Saves() {
		return of.Store
	}
	return o.Resource.Store
}

// Bodies returns the resource whose records a handler's body creates or changes, nil for none.
func (o *Operation) Bodies() *Resource { return cmp.Or(o.Creating, o.Patching) }

// Path returns the template as routes and documents write it, without {._format}.
func (o *Operation) Path() string { return o.Template.Path() }

// Answers reports whether success has a body.
func (o *Operation) Answers() bool {
	return o.Out != nil && o.Status != http.StatusNoContent
}

// AnswersRecord reports whether success shows the record that the operation is about. What a
// handler answers is its own, but for one that changes the record that its path names.
func (o *Operation) AnswersRecord() bool {
	if !o.Answers() || o.AnswersMany() || !o.ShowsRecord() {
		return false
	}
	return o.Handler == nil || o.Item && o.Saves()
}

// ShowsRecord reports whether what is answered is the record, or is made of it by Output.
func (o *Operation) ShowsRecord() bool { return o.Output != nil || o.Out.Codec == o.Resource.Codec }

// Narrows reports whether success shows a record, or records, by another view than that of
// all members.
func (o *Operation) Narrows() bool {
	return o.Out != nil && o.ShowsRecord() && o.Out.View != o.Resource.Source.Answer.View && o.Out.View != o.Resource.Shown.View
}

// ShowsRecords reports whether success shows the record that the path names, or records of a
// collection, and changes nothing.
func (o *Operation) ShowsRecords() bool {
	return !o.Kind.Writes() && (o.IsCollection() || o.AnswersRecord())
}

// Creates reports whether success is a new record, always.
func (o *Operation) Creates() bool { return o.Kind == operation.KindPost && o.Handler == nil }

// AnswersCreated reports whether success is 201, which says that there is a new record.
func (o *Operation) AnswersCreated() bool { return o.Status == http.StatusCreated }

// IsUnaddressed reports whether it answers a list of records that is at no address, for no GET leads to it.
func (o *Operation) IsUnaddressed() bool { return o.Listed && o.Method != http.MethodGet }

// HasContentLocation reports whether success of the operation shows a new or changed record, and there is
// an address where the same is shown.
func (o *Operation) HasContentLocation() bool {
	changes := o.Kind == operation.KindPost || o.Kind == operation.KindPut || o.Kind == operation.KindPatch
	item := o.Resource.Get()
	return changes && o.Handler == nil && o.AnswersRecord() && item != nil && item.Out.View == o.Out.View && item.Output == o.Output
}

// HasParameter reports whether clients can give a parameter of a kind.
func (o *Operation) HasParameter(kind parameters.Kind) bool {
	return slices.ContainsFunc(o.Parameters.List, func(p *parameters.Parameter) bool { return p.Kind == kind })
}

// Through lists the references that clients of a collection can filter or order through, by the
// names of their fields.
func (o *Operation) Through() []string {
	if o.Parameters == nil || !o.IsCollection() {
		return nil
	}
	return o.Parameters.Through()
}

// TakesBody reports whether requests of the operation have a body.
func (o *Operation) TakesBody() bool { return o.In != nil }
