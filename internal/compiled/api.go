// Package compiled is the model of an API that resource.New makes from the declarations. Routes, requests and the document
// use it.
package compiled

import (
	"cmp"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"
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
	MaxFilterNodes   int           // conditions, any, all and not in a tree; 0 for no trees
	MaxNested        int           // records in a nested list of a body
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
	SignInPage       string                                          // the path of a page on which people sign in; "" for none
	Logo             string                                          // the path of an image for the head of each page; "" for none
	Accent           string                                          // a style sheet with the color of all pages; "" for the usual one

	links     []Link
	described map[*Operation]format.Operation // set by DescribeAPI
}

// Operations iterates over all operations, in the order of declaration.
func (a *API) Operations() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		for _, r := range a.Resources {
			for _, op := range r.Operations {
				if !yield(op) {
					return
				}
			}
		}
	}
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
	var mu sync.Mutex
	logger := a.Logger
	a.Logger = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{ //nolint:sloglint // DiscardHandler reads no attributes
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
			mu.Lock()
			defer mu.Unlock()
			if slices.Contains([]string{"because", "error", "panic"}, attr.Key) {
				*reason = attr.Value.String()
			}
			return attr
		},
	}))
	return func() { a.Logger = logger }
}

// Whole returns the path that clients see for a path of the program: with Base.
func (a *API) Whole(own string) string {
	if own == "/" && a.Base != "" {
		return a.Base
	}
	return a.Base + own
}

// Own returns the path of the program for one that clients see: without Base. Other paths remain as they are.
func (a *API) Own(path string) string {
	own, cut := strings.CutPrefix(path, a.Base)
	if !cut || own != "" && own[0] != '/' {
		return path
	}
	return cmp.Or(own, "/")
}

// Hosts returns the host that clients see, nil if that is the one of each request.
func (a *API) Hosts() []string {
	if a.Origin == "" {
		return nil
	}
	_, host, _ := strings.Cut(a.Origin, "://")
	return []string{host}
}

// Link leads to something that a program serves next to the operations of its API, such as the documentation.
type Link struct {
	Rel   string // how its target relates to the API (RFC 8288), such as "service-doc"; "" for pages only people use
	Title string // for people
	Path  string // as clients see it
	Type  string // the media type of the target; "" if it has several or none
}

// AddLink adds a link to those that [API.Links] returns. Call it when the target is mounted, before the API serves.
func (a *API) AddLink(link Link) {
	at := len(a.links)
	if link.Rel == "service-doc" {
		at = 0
	}
	a.links = slices.Insert(a.links, at, link)
}

// Links returns the links in the order in which they were added, but for the documentation, which is the first.
func (a *API) Links() []Link { return slices.Clip(a.links) }

// HomePath returns the path of the list of collections, at which browsers see the home page.
func (a *API) HomePath() string { return cmp.Or(a.Prefix, "/") }

// SignIn returns the operations that begin and end a session in a browser, nil for none. They are recognized by their
// declaration: a Post with a Handler that ignores credentials and documents the response header Set-Cookie. With a body
// it signs in, without one it signs out. The first of each counts.
func (a *API) SignIn() (in, out *Operation) {
	for op := range a.Operations() {
		_, setsCookie := op.ResponseHeader["Set-Cookie"]
		if !op.Custom || op.Method != http.MethodPost || op.Item || op.Hidden || !op.Anonymous || !setsCookie {
			continue
		}
		switch {
		case op.TakesBody() && in == nil:
			in = op
		case !op.TakesBody() && out == nil:
			out = op
		}
	}
	return in, out
}

// ShowsDocs reports whether a caller may read the documentation. Everything that repeats its texts decides by it.
func (a *API) ShowsDocs(c *authz.Caller) bool { return a.DocsRule.Decide(c) != authz.Denied }

// Shows reports whether a caller may see what a path of fields of a resource names, in some record and as far as rules
// decide without one. "owner.salary" needs the field owner, a record that it refers to, and the field salary of that
// record; "owner." needs the first two. Everything that names fields to callers decides by it: messages, links, and
// descriptions of the API.
func (a *API) Shows(c *authz.Caller, r *Resource, path string) bool {
	return a.eachRule(r, path, func(rule *authz.Rule) bool { return rule.Decide(c) != authz.Denied })
}

// Guards reports whether rules may hide from some callers what a path of fields of a resource names.
func (a *API) Guards(r *Resource, path string) bool {
	return !a.eachRule(r, path, func(rule *authz.Rule) bool { return rule == nil })
}

// eachRule reports whether all read rules on a path of fields pass: those of the fields, and of the records behind them.
func (a *API) eachRule(r *Resource, path string, passes func(rule *authz.Rule) bool) bool {
	for {
		name, rest, isLonger := strings.Cut(path, ".")
		if !passes(r.Gate.Rules(name).Read) {
			return false
		}
		f := r.Struct.Field(name)
		if !isLonger || f == nil || f.Reference == nil { // the rest is in the value of the field
			return true
		}
		target := a.ByStruct[f.Reference.Target]
		if target == nil {
			return true
		}
		if !passes(target.Read) {
			return false
		}
		r, path = target, rest
	}
}
