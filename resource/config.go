package resource

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Config is what all resources of an API share. The zero value of every field is the
// default named at the field.
type Config struct {
	// Prefix is the path before every template, as clients see it: "/api" by default,
	// "/" for none. It has a leading slash and no trailing one.
	Prefix string
	// Middleware runs around every request, the first one outermost, unknown routes
	// and the documentation included. Default: none.
	Middleware []func(http.Handler) http.Handler
	// Authentication are the ways in which requests say who makes them, the first of which a
	// request has the credentials of being the one that counts. With one, or with an access rule
	// anywhere, every operation needs a rule: see [Of.Access]. Default: none; a middleware may still name the principal by
	// operation.WithPrincipal.
	Authentication []access.Scheme
	// Errors is the shape of the answer to a body that is not valid, for resources that
	// choose none. Default: [validation.Map], a 400.
	Errors validation.Shape
	// References is how clients see references to records of other resources. Default:
	// [Paths].
	References References
	// Rules are validation rules of your own. Default: those of validator, and notblank.
	Rules []validation.Rule
	// Formats are the formats of answers and bodies, the usual one first, for resources and
	// operations that name none. Default: [format.Standard], JSON and NDJSON.
	Formats []format.Format
	// IgnoreParameters are names of query parameters, as globs of package path
	// ("utm_*"), that pass unread where others that are unknown are refused. Default:
	// none.
	IgnoreParameters []string
	// MaxBodyBytes is the size in bytes up to which a body is read; a larger one is
	// answered 413. Default: 1 MiB.
	MaxBodyBytes int64
	// MaxBodyDepth is how deeply objects and arrays of a body may be nested, 10,000 levels
	// at most; a deeper one is answered 413. Default: 64.
	MaxBodyDepth int
	// MaxBodyValues is how many members and elements a body may have in all its objects
	// and arrays; one with more is answered 413. Default: 10,000.
	MaxBodyValues int
	// MaxURLBytes is how long the path and the query of a request may be together; a
	// longer one is answered 414. Default: 8 KiB.
	MaxURLBytes int
	// MaxEmbedded is how many records one response may embed by expansions and views, a record that
	// several records refer to counted once for each of them; a response with more is a 400. A stream
	// may embed as many for each batch of at most 256 records. [New] rejects an operation that always
	// embeds more than its default page has room for. Default: 20,000.
	MaxEmbedded int
	// MaxEmbeddedBytes is how many bytes the records that one response embeds may have together; a
	// response with more is a 400. A stream may embed as many for each batch, and breaks off if it has sent
	// records already. Default: 16 MiB.
	MaxEmbeddedBytes int64
	// MaxConcurrent is how many operations run at once; the next one is answered 503 with
	// Retry-After. Default: 0, no limit.
	MaxConcurrent int
	// Timeout is how long an operation may take, unless it or its resource says
	// otherwise: see operation.Metadata.Timeout. Default: 0, no limit; nor is a negative one.
	Timeout time.Duration
	// Observers are told of every request that operations serve, and of those to paths
	// and methods that there are not. Default: none.
	Observers []observe.Observer
	// RequestID finds the id of a request in its context, for the log and for observers:
	// middleware.GetReqID of chi, behind its middleware RequestID, or a function of your
	// own; "" is none. Default: the field X-Request-Id of the request, if it has no more
	// than 128 bytes.
	RequestID func(ctx context.Context) string
	// Pagination is how collections are cut into pages, where a resource or an operation
	// does not say otherwise. Default: pages of 30 records, of 100 at most, with a total.
	Pagination operation.Pagination
	// CursorKey is the secret that makes cursors tamper-evident, of at least 16 bytes: the
	// same for all instances of a service, and across restarts. Default: a key that is
	// derived from the declarations, which keeps cursors from being mistaken but not
	// from being made by those who know the program.
	//
	// It also keys the entity tags of records with members that a rule of access or the
	// resource's view leaves out, or that are tagged writeonly where there is no version, so
	// that a tag does not tell them. Default for these: a random key,
	// so that such tags differ between instances, and after a restart.
	CursorKey []byte
	// MapError translates the errors of hooks, handlers and stores, before Trove looks
	// at them, into what it knows: operation.Error, validation.Fail, store.ErrNotFound,
	// store.ErrConflict. Nil, or a result of nil, leaves an error as it is.
	MapError func(error) error
	// Committed is called after each commit that changed records of the API's stores, with what changed: by whoever made
	// the change, operations, hooks and jobs alike, and including records that a delete deletes or changes with it.
	// See [store.Listener] for the context and the order. It is called once for each commit of a database, and not at
	// all if nothing changed. A panic in it is logged; the response is sent regardless. The commit waits for no queue:
	// if the process ends before Committed returns, nothing calls it again.
	//
	// Every store must be a [store.Reporter], as those of store/memory and store/sqlstore are. Default: nil, and stores
	// note no changes.
	Committed func(ctx context.Context, changes []store.Change)
	// Logger is told the cause of every answer that is the service's fault, with the
	// incident that the answer names. Default: slog.Default.
	Logger *slog.Logger
}

const (
	defaultPrefix = "/api"
	minCursorKey  = 16
)

// compile returns the API that the config describes, without resources, and every
// mistake in it.
func (c Config) compile() (*compiled.API, error) {
	api := &compiled.API{
		Prefix:         c.Prefix,
		Identifiers:    c.References == Identifiers,
		Authentication: c.Authentication,
		Rules:          c.Rules,
		Ignored:        c.ignored,
		Observers:      c.Observers,
		TagKey:         c.tagKey(),
		RequestID:      c.requestID,
		MapError:       c.MapError,
		Logger:         c.Logger,
	}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c.checkPrefix(api, fail)
	c.checkLists(fail)
	if !isShape(c.Errors) {
		fail("Errors is %d; allowed: validation.Map, validation.Problem", c.Errors)
	}
	c.schemes(api, fail)
	if c.References < Paths || c.References > Identifiers {
		fail("References is %d; allowed: resource.Paths, resource.Identifiers", c.References)
	}
	c.limits(api, fail)
	errs = append(errs, checkFormats(c.Formats)...)
	if n := len(c.CursorKey); 0 < n && n < minCursorKey {
		fail("CursorKey has %d bytes; allowed: at least %d, or none", n, minCursorKey)
	}
	for _, mistake := range mistakesIn(&c.Pagination) {
		fail("%s", mistake)
	}
	if c.Logger == nil {
		api.Logger = slog.Default()
	}
	return api, errors.Join(errs...)
}

func (c Config) checkPrefix(api *compiled.API, fail func(string, ...any)) {
	switch {
	case c.Prefix == "":
		api.Prefix = defaultPrefix
	case c.Prefix == "/":
		api.Prefix = ""
	case !strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/") || path.Clean(c.Prefix) != c.Prefix:
		fail("Prefix is %q; write it as %q", c.Prefix, path.Clean("/"+c.Prefix))
	case strings.ContainsAny(c.Prefix, "{}*?#% "):
		fail("Prefix is %q; it has no variables and needs no percent-encoding", c.Prefix)
	}
}

// maxRequestID is how long an id of a client may be in bytes.
const maxRequestID = 128

// requestID returns the id of a request, "" for none.
func (c Config) requestID(r *http.Request) string {
	if c.RequestID != nil {
		return c.RequestID(r.Context())
	}
	if id := r.Header.Get("X-Request-ID"); len(id) <= maxRequestID {
		return id
	}
	return ""
}

// ignored reports whether a parameter passes unread.
func (c Config) ignored(name string) bool {
	return slices.ContainsFunc(c.IgnoreParameters, func(glob string) bool {
		match, err := path.Match(glob, name)
		return match && err == nil
	})
}

func (c Config) checkLists(fail func(string, ...any)) {
	for i, middleware := range c.Middleware {
		if middleware == nil {
			fail("Middleware[%d] is nil", i)
		}
	}
	for i, observer := range c.Observers {
		if isNil(observer) {
			fail("Observers[%d] is nil", i)
		}
	}
	for i, glob := range c.IgnoreParameters {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			fail("IgnoreParameters[%d] is %q, which is not a glob; write one such as \"utm_*\"", i, glob)
		}
	}
}

func isShape(s validation.Shape) bool { return s >= 0 && s <= validation.Problem }
