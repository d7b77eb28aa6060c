package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
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

// Config holds the settings that all resources of an API share. The zero value of each field is the default named
// there.
type Config struct {
	// Prefix is the path before every template, as clients see it, with a leading slash and no trailing one. Default:
	// "/api"; "/" for none.
	Prefix string
	// PublicURL is the URL at which clients see the root of the program, without a trailing slash: "https://example.com",
	// or "https://example.com/shop" behind a proxy that removes /shop from the paths of requests. Its scheme and host are
	// those of all absolute URLs. Its path comes before Prefix, and before the paths of package mcp, package admin and your
	// own routes, in all that clients see. The path of an arriving request may have it or not. Middleware and hooks see it
	// in requests to operations. Requests to your own routes never have it, so register these without it. Default: the
	// scheme and Host of each request, and no path is removed.
	PublicURL string
	// Middleware runs around every request, including unknown routes and the documentation. The first one is outermost.
	// Default: none.
	Middleware []func(http.Handler) http.Handler
	// Around is middleware around single operations, such as rate limits of the sign-in. It also runs for calls that do
	// not come through the operation's path, such as those of agents, which Middleware sees at /mcp. It runs after
	// Middleware, and before callers are authenticated. The first one is outermost. Default: none.
	Around []Around
	// Authentication lists the schemes by which callers authenticate. The first scheme whose credentials a request has
	// is used. With a scheme, or an access rule anywhere, every operation needs a rule: see [Of.Access]. Default: none;
	// middleware can still set the principal with operation.WithPrincipal.
	Authentication []access.Scheme
	// Errors is the format of the response to an invalid body, unless a resource sets its own. Default:
	// [validation.Map], a 400.
	Errors validation.Shape
	// References is how clients see references to records of other resources. Default: [Paths].
	References References
	// Rules are additional validation rules. Default: only those of validator, and notblank.
	Rules []validation.Rule
	// Formats are the formats of responses and bodies, the default one first, unless a resource or an operation sets
	// its own. Default: [format.Standard], JSON and NDJSON.
	Formats []format.Format
	// IgnoreParameters lists names of query parameters to ignore, as globs of package path ("utm_*"). Other unknown
	// parameters return 400. Default: none.
	IgnoreParameters []string
	// MaxBodyBytes is the maximum size of a body in bytes, at most 1 TiB; a larger body returns 413. A negative value
	// of this or another Max field, except MaxFilterNodes, is an error of [New]. Default: 1 MiB.
	MaxBodyBytes int64
	// MaxBodyDepth is the maximum nesting of objects and arrays in a body, at most 10,000 levels; a deeper one returns
	// 413. Default: 64.
	MaxBodyDepth int
	// MaxBodyValues is the maximum number of fields and elements in all objects and arrays of a body; one with more
	// returns 413. Default: 10,000.
	MaxBodyValues int
	// MaxURLBytes is the maximum length of the path and query of a request together, in bytes; a longer one returns
	// 414. Default: 8 KiB.
	MaxURLBytes int
	// MaxFilterNodes is the maximum number of conditions on fields, and of any, all and not, in a tree of conditions: the
	// parameter filter of collections, and the body of the method QUERY. A larger tree returns 400. At most 1,000; a
	// negative number means no trees: collections have neither. Default: 50.
	MaxFilterNodes int
	// MaxNested is the maximum number of records in each list that operation.Metadata.Nested allows in a body, and of
	// records that the list may omit, at most 10,000; more are a validation error. Responses embed no longer list.
	// Default: 100.
	MaxNested int
	// MaxEmbedded is the maximum number of records that one response embeds by expansions and views. A record counts
	// once for each reference to it. A response with more is a 400. A stream may embed as many for each batch of at
	// most 256 records. An operation whose default page can exceed the limit is an error of [New]. Default: 20,000.
	MaxEmbedded int
	// MaxEmbeddedBytes is the maximum size of the records that one response embeds, in bytes; a response with more is a
	// 400. A stream may embed as many for each batch. It is aborted if records were already sent. Default: 16 MiB.
	MaxEmbeddedBytes int64
	// MaxConcurrent is the maximum number of operations that run at once; further requests return 503 with Retry-After.
	// Default: 0, no limit.
	MaxConcurrent int
	// Timeout limits how long an operation may take, unless it or its resource sets its own: see
	// operation.Metadata.Timeout. Default: 0, no limit; a negative value means no limit too.
	Timeout time.Duration
	// Observers are called for every request that operations serve, for those with an unknown path or method, and for
	// your own routes that [API.Guard] guards.
	// Default: none.
	Observers []observe.Observer
	// RequestID is a function that returns the id of a request from its context, for the log and for observers; "" for
	// none. Use GetReqID of chi's package middleware after its middleware RequestID, or your own function. Default: the
	// header X-Request-Id, if it has at most 128 bytes.
	RequestID func(ctx context.Context) string
	// Pagination sets how collections are paged, unless a resource or an operation sets its own. Default: pages of 30
	// records, at most 100, with a total up to 10,000.
	Pagination operation.Pagination
	// CursorKey is a secret of at least 16 bytes that makes cursors tamper-evident. All instances of a service must use
	// the same key, also after a restart. Default: a key derived from the declarations, which detects wrong cursors,
	// but not those forged by someone who knows the program.
	//
	// It also keys the entity tags of records with hidden values, so that a tag does not reveal them. Such values are
	// fields left out by an access rule or the resource's view. In a struct without a version, writeonly fields are
	// hidden too. And it encrypts the cursors of histories, which do not reveal how many changes others can see. The
	// default for these tags and cursors is a random key: they differ between instances and after a restart.
	CursorKey []byte
	// MapError translates errors of hooks, handlers and stores into those that Trove knows: operation.Error,
	// validation.Fail, store.ErrNotFound, store.ErrConflict. A nil result leaves the error as it is. Default: none.
	MapError func(error) error
	// Committed is called with the changes after each commit that changed records of the API's stores. It does not
	// matter whether an operation, a hook or a job made them. The changes include records that a delete cascades to.
	// See [store.Listener] for the context and the order. It is called once for each commit of a database, and not at
	// all if nothing changed. A panic in it is logged, and the response is still sent. Calls are not durable: if the
	// process ends before Committed returns, it is not called again.
	//
	// Every store must be a [store.Reporter], as those of store/memory and store/sqlstore are. Default: nil, and stores
	// do not record changes.
	Committed func(ctx context.Context, changes []store.Change)
	// Logger gets the cause of every server error (5xx), with the id of the incident that the response has. Default:
	// slog.Default.
	Logger *slog.Logger
}

// Around is middleware around some operations: see [Config.Around].
type Around struct {
	// Operations are the ids of the operations, such as "createUser": see [API.Routes]. At least one is required.
	Operations []string
	// Middleware wraps these operations. It is called once, so they share its state, such as the counters of a rate
	// limit. The handler that it returns must pass on the context of the request, and be safe for concurrent use.
	// Required.
	Middleware func(http.Handler) http.Handler
}

const (
	defaultPrefix = "/api"
	minCursorKey  = 16
)

// compile returns the API without resources, and the errors in the config.
func (c Config) compile() (*compiled.API, error) {
	api := &compiled.API{
		Prefix:         c.Prefix,
		Identifiers:    c.References == Identifiers,
		Authentication: c.Authentication,
		Rules:          c.Rules,
		Ignored:        c.ignored,
		Observers:      c.Observers,
		TagKey:         c.secret("entity tags"),
		RequestID:      c.requestID,
		MapError:       c.MapError,
		Logger:         c.Logger,
	}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c.checkPrefix(api, fail)
	c.checkPublicURL(api, fail)
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
		fail("CursorKey has %d bytes; use at least %d, or none", n, minCursorKey)
	}
	checkPagination(fail, &c.Pagination)
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
		fail("Prefix is %q; it cannot have variables or percent-encoded characters", c.Prefix)
	}
}

// maxRequestID is the maximum length of a request id from a client, in bytes.
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

// ignored reports whether to ignore a query parameter.
func (c Config) ignored(name string) bool {
	return slices.ContainsFunc(c.IgnoreParameters, func(glob string) bool {
		match, err := path.Match(glob, name)
		return match && err == nil
	})
}

func (c Config) checkLists(fail func(string, ...any)) {
	for i, middleware := range c.Middleware {
		if middleware == nil {
			fail("Middleware[%d] must not be nil", i)
		}
	}
	for i, observer := range c.Observers {
		if isNil(observer) {
			fail("Observers[%d] must not be nil", i)
		}
	}
	for i, glob := range c.IgnoreParameters {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			fail("IgnoreParameters[%d] is %q, which is not a glob; use one such as \"utm_*\"", i, glob)
		}
	}
}

func isShape(s validation.Shape) bool { return s >= 0 && s <= validation.Problem }

const (
	mostBytes       = 1 << 40       // more than any memory, and no overflow
	mostRecords     = 1_000_000_000 // also of operations at once
	mostFilterNodes = 1000          // SQLite nests expressions as deep
)

// limits compiles the limits of requests.
func (c Config) limits(api *compiled.API, fail func(string, ...any)) {
	api.MaxBodyBytes = limit(fail, "MaxBodyBytes", c.MaxBodyBytes, span[int64]{1 << 20, mostBytes}, "bytes up to 1 TiB, or 0 for 1 MiB")
	api.MaxBodyDepth = limit(fail, "MaxBodyDepth", c.MaxBodyDepth, span[int]{64, 10_000}, "levels up to 10,000, or 0 for 64") // decoders are recursive
	api.MaxBodyValues = limit(fail, "MaxBodyValues", c.MaxBodyValues, span[int]{10_000, math.MaxInt}, "fields and elements, or 0 for 10,000")
	api.MaxURLBytes = limit(fail, "MaxURLBytes", c.MaxURLBytes, span[int]{8 << 10, math.MaxInt}, "bytes, or 0 for 8 KiB")
	api.MaxEmbedded = limit(fail, "MaxEmbedded", c.MaxEmbedded, span[int]{20_000, mostRecords}, "records up to 1,000,000,000, or 0 for 20,000")
	api.MaxEmbeddedBytes = limit(fail, "MaxEmbeddedBytes", c.MaxEmbeddedBytes, span[int64]{16 << 20, mostBytes}, "bytes up to 1 TiB, or 0 for 16 MiB")
	api.MaxNested = limit(fail, "MaxNested", c.MaxNested, span[int]{100, 10_000}, "records up to 10,000, or 0 for 100")
	most := limit(fail, "MaxConcurrent", c.MaxConcurrent, span[int]{0, mostRecords}, "operations up to 1,000,000,000, or 0 for no limit")
	if 0 < most && most <= mostRecords {
		api.Slots = make(chan struct{}, most)
	}
	if c.MaxFilterNodes > mostFilterNodes {
		fail("MaxFilterNodes is %d; allowed: up to 1,000, 0 for 50, or a negative number for no trees of conditions", c.MaxFilterNodes)
	}
	api.MaxFilterNodes = max(cmp.Or(c.MaxFilterNodes, 50), 0)
}

// span is the default of a limit, and its maximum.
type span[N int | int64] struct{ byDefault, most N }

// limit returns a limit of the config, or its default for 0. It reports one that is not allowed.
func limit[N int | int64](fail func(string, ...any), name string, value N, in span[N], allowed string) N {
	if value < 0 || value > in.most {
		fail("%s is %d; allowed: a positive number of %s", name, value, allowed)
	}
	return cmp.Or(value, in.byDefault)
}

// limits compiles the maximum size of an operation's bodies and its timeout.
func (o *operationCompiler) limits() {
	if o.metadata.MaxBodyBytes < 0 || o.metadata.MaxBodyBytes > mostBytes {
		o.fail("MaxBodyBytes is %d; allowed: a positive number of bytes up to 1 TiB, or 0 for the API's limit", o.metadata.MaxBodyBytes)
	}
	o.MaxBodyBytes = cmp.Or(o.metadata.MaxBodyBytes, o.c.model.MaxBodyBytes)
	o.Timeout = max(cmp.Or(o.metadata.Timeout, o.definition.defaults.Timeout, o.c.config.Timeout), 0)
}
