// Package compiled is the model of an API after resource.New: all that routes, the
// request path and the document need, and nothing of how it was declared.
package compiled

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
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
