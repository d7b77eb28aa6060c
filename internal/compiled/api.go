// Package compiled is the model of an API that resource.New makes from the declarations. Routes, requests and the document
// use it.
package compiled

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/validation"
)

// API is a compiled API.
type API struct {
	Prefix           string                     // "" for none, else "/api"; it begins with Base
	Base             string                     // the path at which clients see the root of the program; "" for none
	Origin           string                     // scheme and host that clients see; "" for those of each request
	CrossOrigin      http.CrossOriginProtection // detects requests that pages of other origins send
	Resources        []*Resource
	ByStruct         map[*model.Struct]*Resource // the resource of each record's struct
	Formats          []*Format                   // of the index
	FormatAPI        *format.API                 // the API as formats see it; complete once the API is made
	Identifiers      bool                        // references are identifiers on the wire, not paths
	Authentication   []access.Scheme             // in order of precedence
	Ruled            bool                        // every operation has an access rule; otherwise none has
	Vary             []string                    // the Vary header of responses that depend on the caller
	Rules            []validation.Rule           // the user's
	Ignored          func(name string) bool      // reports whether to ignore a parameter
	MaxBodyBytes     int64
	MaxBodyDepth     int
	MaxBodyValues    int
	MaxURLBytes      int
	MaxEmbedded      int           // records that a response may embed
	MaxEmbeddedBytes int64         // bytes of them
	Slots            chan struct{} // one for each operation that may run at once; nil for no limit
	Observers        []observe.Observer
	TagKey           []byte                                          // for entity tags of records with hidden values
	RequestID        func(r *http.Request) string                    // for logs; "" for none
	MapError         func(error) error                               // nil for none
	Logger           *slog.Logger                                    // never nil
	Docs             string                                          // path of the documentation page; "" until it is mounted
	GuardDocs        func(path string, of http.Handler) http.Handler // limits the documentation to authorized callers; nil until it is mounted
	DocsRule         *authz.Rule                                     // the rule that GuardDocs checks; nil for everyone
	Catalog          string                                          // path of the API catalog; "" for none
	Home             http.Handler                                    // the page for people at the prefix; nil for none

	links     []Link
	described map[*Operation]format.Operation // set by DescribeAPI
}

// Internals is embedded by the public type of an API. Only [Of] calls its method, so that packages of Trove reach the model
// and no public signature mentions it. The zero value is empty.
type Internals struct{ model *API }

// InternalsOf returns an Internals with the model.
func InternalsOf(model *API) Internals { return Internals{model} }

func (i Internals) internals() *API { return i.model }

// Holder is a type that embeds Internals.
type Holder interface{ internals() *API }

// Of returns the model of an API.
func Of(api Holder) *API { return api.internals() }

// RecordReason stores the reason of the last rejected or failed request in a string and disables the API's log, until the
// returned function is called. It is for tests without concurrent requests.
func (a *API) RecordReason(reason *string) (end func()) {
	logger := a.Logger
	a.Logger = slog.New(&reasonRecorder{reason: reason})
	return func() { a.Logger = logger }
}

// reasonRecorder is a log handler that stores reasons.
type reasonRecorder struct {
	mu     sync.Mutex
	reason *string
}

// Enabled returns true, because each level can have a reason.
func (*reasonRecorder) Enabled(context.Context, slog.Level) bool { return true }

// Handle stores the reason in an entry.
func (o *reasonRecorder) Handle(_ context.Context, entry slog.Record) error {
	entry.Attrs(func(attr slog.Attr) bool {
		if slices.Contains([]string{"because", "error", "panic"}, attr.Key) {
			o.mu.Lock()
			defer o.mu.Unlock()
			*o.reason = attr.Value.String()
		}
		return true
	})
	return nil
}

// WithAttrs and WithGroup return the handler unchanged.
func (o *reasonRecorder) WithAttrs([]slog.Attr) slog.Handler { return o }
func (o *reasonRecorder) WithGroup(string) slog.Handler      { return o }
