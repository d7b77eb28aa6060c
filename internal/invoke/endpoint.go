package invoke

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/internal/serve"
)

// Endpoint is a path at which the messages of a protocol arrive. It is safe for concurrent use.
type Endpoint struct {
	*serve.Reception // Receive reads a message; Reject and Challenge send errors

	api *API
}

// envelope is how many bytes a message may have around the body of an operation.
const envelope = 64 << 10

// Endpoint returns the endpoint at a path, which logs show. Its limits of size and time are the largest of the operations.
func (a *API) Endpoint(path string, operations ...*Operation) *Endpoint {
	limit, timeout, isLimited := a.MaxBodyBytes, time.Duration(0), true
	for _, o := range operations {
		limit, timeout = max(limit, o.MaxBodyBytes), max(timeout, o.Timeout)
		isLimited = isLimited && o.Timeout > 0
	}
	if !isLimited {
		timeout = 0
	}
	e := &Endpoint{serve.NewReception(a.API, path), a}
	e.Limit(limit+envelope, timeout)
	return e
}

// Metadata returns the metadata of the endpoint as a protected resource (RFC 9728), and the path of its route; nil if callers
// do not use bearer tokens. Challenges of the endpoint lead there. Call it before serving.
func (e *Endpoint) Metadata(path string) (at string, served http.Handler) {
	metadata := serve.NewMetadata(e.api.API, e.api.Whole(path))
	if metadata == nil {
		return "", nil
	}
	e.LeadTo(metadata)
	return metadata.Path(), metadata
}

// Takes reports whether a request has one of the methods of the endpoint. It sends the response to all other requests.
func (e *Endpoint) Takes(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	allowed := strings.Join(append(slices.Clip(methods), http.MethodOptions), ", ")
	switch {
	case slices.Contains(methods, r.Method):
		return true
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)
	default:
		refused := problem.New(problem.NoMethod.Status(), problem.NoMethod.Detail(allowed))
		refused.Header = []string{"Allow", allowed}
		e.Reject(w, r, refused)
	}
	return false
}

// Authenticate returns the caller of a request. It returns nil if it has sent an error response, because the credentials are invalid
// or cannot be checked.
func (e *Endpoint) Authenticate(w http.ResponseWriter, r *http.Request) *Caller {
	client := e.Reception.Identify(w, r)
	if client == nil {
		return nil
	}
	return &Caller{endpoint: e, request: r, client: client}
}

// Handler returns a handler for requests with some methods that authenticates callers as operations do, and marks them.
func (e *Endpoint) Handler(serve func(w http.ResponseWriter, r *http.Request, caller *Caller), methods ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !e.Takes(w, r, methods...) {
			return
		}
		if caller := e.Authenticate(w, r); caller != nil {
			caller.Mark(w)
			serve(w, r, caller)
		}
	})
}

// Identify returns the caller of a request. If their credentials are invalid or cannot be checked, it returns an anonymous
// caller and the error response, which is not sent.
func (e *Endpoint) Identify(r *http.Request) (*Caller, *Response) {
	refused := &Response{}
	if client := e.Reception.Identify(refused, r); client != nil {
		return &Caller{endpoint: e, request: r, client: client}, nil
	}
	return &Caller{endpoint: e, request: r, client: &serve.Client{}}, refused
}

// Invalid returns the error of an invalid message, with its invalid parameters, nil for none.
func Invalid(detail string, parameters any) error {
	if parameters == nil {
		return problem.New(problem.BadRequest.Status(), detail)
	}
	return problem.New(problem.BadRequest.Status(), detail, problem.Field{Name: "parameters", Value: parameters})
}

// Caller is the caller of a request. It is not safe for concurrent use.
type Caller struct {
	endpoint *Endpoint
	request  *http.Request
	client   *serve.Client
	gate     *authz.Caller // made with the first rule of a field
	docs     *bool         // whether the caller may read the documentation; nil until that is known
	shown    map[*schema.Definition]*schema.Definition
	trial    bool // nothing is saved of its calls
}

// IsAnonymous reports whether the caller is anonymous.
func (c *Caller) IsAnonymous() bool { return c.client.IsAnonymous(c.request.Context()) }

// May reports whether the caller may call an operation, as far as rules decide without a record. It returns false if a rule
// panics.
func (c *Caller) May(o *Operation) bool {
	return c.holds(func() bool { return o.server.MayServe(c.request.Context(), c.client) })
}

// MayReadDocs reports whether the caller may read the documentation, if it is mounted. It returns false if its rule
// panics.
func (c *Caller) MayReadDocs() bool {
	if c.docs == nil {
		c.docs = new(c.holds(func() bool { return c.endpoint.api.ShowsDocs(c.asRules()) }))
	}
	return *c.docs
}

// holds checks a rule. It returns false if the rule panics, and logs that.
func (c *Caller) holds(rule func() bool) (holds bool) {
	defer func() {
		if cause := recover(); cause != nil {
			c.Fail(cause)
			holds = false
		}
	}()
	return rule()
}

// Reject returns the response for an error.
func (c *Caller) Reject(err error) *Response {
	a := &Response{}
	c.endpoint.Reject(a, c.request, err)
	return a
}

// Fail logs a panic, and returns a 500 with the incident.
func (c *Caller) Fail(cause any) *Response {
	a := &Response{}
	c.endpoint.Fail(a, c.request, c.client, cause)
	return a
}

// Send sends JSON that depends on the caller, so nothing stores it.
func (c *Caller) Send(w http.ResponseWriter, body []byte) {
	header := w.Header()
	header.Set("Content-Type", format.JSON)
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept-Encoding")
	if httpfield.AcceptsGzip(c.request.Header["Accept-Encoding"]) {
		if zipped := content.Compress(body, gzip.BestSpeed); zipped != nil {
			header.Set("Content-Encoding", "gzip")
			body = zipped
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}

// Call has the arguments of an operation.
type Call struct {
	Variables map[string]string // of the path
	Path      string            // instead of Variables, percent-encoded
	Query     string            // as in a URL
	Header    http.Header
	Body      []byte  // JSON; nil for none
	Writer    *Writer // of the response; nil for that of the API
}

// Call runs an operation like a separate request of the caller, with the same credentials, rules, limits, hooks and observers.
// Each call has its own transaction.
func (c *Caller) Call(o *Operation, call Call) *Response {
	path, address := o.withoutSuffix(call.Path), call.Path
	if call.Path == "" {
		path = o.PathWith(func(name string) string { return call.Variables[name] })
		address = path
	}
	a := &Response{}
	r := c.inner(o.Method, address, call)
	if limit := o.API.MaxURLBytes; len(path)+len(r.URL.RawQuery) > limit {
		c.endpoint.Reject(a, r, problem.New(problem.URITooLong.Status(), problem.URITooLong.Detail(limit)))
		return a
	}
	written := c.endpoint.api.item
	if o.Pages {
		written = c.endpoint.api.Pages
	}
	o.server.ServeInner(a, r, &serve.Inner{Client: c.client, Path: path, Body: call.Body, Format: cmp.Or(call.Writer, written), Trial: c.trial})
	return a
}

// notPassed are header fields that belong to the message, or that Call sets.
var notPassed = [...]string{
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding",
	"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range", "Last-Event-Id", "Idempotency-Key", "Trailer", "Te",
}

// inner returns the request of an operation for hooks and observers. It has the context and the header fields of the caller's
// request, including credentials.
func (c *Caller) inner(method, path string, call Call) *http.Request {
	r := c.request.WithContext(c.request.Context())
	r.Header = c.request.Header.Clone()
	for name := range r.Header {
		if strings.HasPrefix(name, "Mcp-") {
			r.Header.Del(name)
		}
	}
	for _, name := range notPassed {
		r.Header.Del(name)
	}
	r.Header.Set("Accept", format.JSON)
	if call.Body != nil {
		r.Header.Set("Content-Type", format.JSON)
	}
	decoded, err := url.PathUnescape(path)
	if err != nil {
		decoded = path
	}
	r.URL = &url.URL{Path: decoded, RawPath: path, RawQuery: call.Query}
	r.Method, r.RequestURI = method, r.URL.RequestURI()
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(call.Body)), int64(len(call.Body)), nil
	maps.Copy(r.Header, call.Header)
	return r
}

// Response is a response in memory. It is an http.ResponseWriter.
type Response struct {
	Status int // 0 for none yet
	Body   bytes.Buffer
	header http.Header
}

// Header returns the fields of the response.
func (r *Response) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

// WriteHeader sets the status.
func (r *Response) WriteHeader(status int) {
	if r.Status == 0 {
		r.Status = status
	}
}

// Write appends to the body.
func (r *Response) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.Body.Write(b)
}

// IsError reports whether the response is an error, with a problem or violations as its body.
func (r *Response) IsError() bool { return r.Status >= http.StatusBadRequest }

// Send sends the response.
func (r *Response) Send(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.Header())
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body.Bytes()) // the client may be gone
}
