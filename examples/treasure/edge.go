package main

import (
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/cors"
	"github.com/go-chi/httprate"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// edge is what stands between clients and the operations.
type edge struct {
	rate    int      // requests that an address may make in a minute; 0 for no limit
	origins []string // of web pages that may use the service; nil for its own alone
}

// middleware lists it, the outermost first.
func (e edge) middleware() []func(http.Handler) http.Handler {
	list := []func(http.Handler) http.Handler{middleware.RequestID}
	if len(e.origins) > 0 {
		list = append(list, e.shareWithOrigins())
	}
	if e.rate > 0 {
		list = append(list, e.limitRate())
	}
	return append(list, authenticate)
}

// shareWithOrigins lets pages of other origins send what the service takes, and read the
// fields of answers that it gives (CORS).
func (e edge) shareWithOrigins() func(http.Handler) http.Handler {
	return cors.Handler(cors.Options{
		AllowedOrigins: e.origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"},
		ExposedHeaders: []string{"Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location", "Retry-After", "Sunset", "X-Total-Count"},
		MaxAge:         600,
	})
}

// limitRate refuses the requests of an address that makes too many, as a problem. What
// watches over the service may ask as often as it likes.
func (e edge) limitRate() func(http.Handler) http.Handler {
	refuse := func(w http.ResponseWriter, r *http.Request) {
		resource.WriteError(w, r, operation.Error{
			Status: http.StatusTooManyRequests,
			Detail: "At most " + strconv.Itoa(e.rate) + " requests a minute are served to one address.",
		})
	}
	limit := httprate.LimitBy(e.rate, time.Minute, addressOf, httprate.WithLimitHandler(refuse))
	return func(next http.Handler) http.Handler {
		limited := limit(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
				next.ServeHTTP(w, r)
				return
			}
			limited.ServeHTTP(w, r)
		})
	}
}

// addressOf tells clients apart. Behind a proxy it is the proxy's address: read the field
// of the header then that the proxy sets, and no other.
func addressOf(r *http.Request) (string, error) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return httprate.CanonicalizeIP(host), err
}

// document adds what the edge answers to the document.
func (e edge) document(doc *openapi3.T) {
	if e.rate <= 0 {
		return
	}
	const name = "TooManyRequests"
	problem := openapi3.NewSchemaRef("#/components/schemas/Problem", nil)
	seconds := openapi3.NewIntegerSchema()
	doc.Components.Responses[name] = &openapi3.ResponseRef{Value: &openapi3.Response{
		Description: new("The address makes more than " + strconv.Itoa(e.rate) + " requests a minute."),
		Content:     openapi3.Content{"application/problem+json": {Schema: problem}},
		Headers: openapi3.Headers{"Retry-After": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: "After how many seconds to try again.", Schema: openapi3.NewSchemaRef("", seconds),
		}}}},
	}}
	for _, path := range doc.Paths.Map() {
		for _, operation := range path.Operations() {
			operation.Responses.Set("429", &openapi3.ResponseRef{Ref: "#/components/responses/" + name})
		}
	}
}
