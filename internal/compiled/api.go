// Package compiled is the model of an API after resource.New: all that routes, the
// request path and the document need, and nothing of how it was declared.
package compiled

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
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
	MaxBodyValues    int
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

// Held is embedded by the public type of an API. Its method can be called by [Of] alone, so
// that packages of Trove reach the model, and no public signature names it. The zero value
// holds none.
type Held struct{ model *API }

// Hold returns what embeds the model.
func Hold(model *API) Held { return Held{model} }

func (h Held) held() *API { return h.model }

// Holder is a type that embeds what Hold returns.
type Holder interface{ held() *API }

// Of returns the model that the type of an API embeds.
func Of(api Holder) *API { return api.held() }

// Overhear keeps the reason of the last rejected or failed request in a string, and writes nothing to the
// API's log until the function that it returns is called. It is for tests, while nobody else uses the API.
func (a *API) Overhear(reason *string) (end func()) {
	logger := a.Logger
	a.Logger = slog.New(&overheard{reason: reason})
	return func() { a.Logger = logger }
}

// overheard is a log that keeps reasons.
type overheard struct {
	mu     sync.Mutex
	reason *string
}

// Enabled reports true: each level can have a reason.
func (*overheard) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps the reason of an entry.
func (o *overheard) Handle(_ context.Context, entry slog.Record) error {
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

// WithAttrs and WithGroup change nothing of what is kept.
func (o *overheard) WithAttrs([]slog.Attr) slog.Handler { return o }
func (o *overheard) WithGroup(string) slog.Handler      { return o }
