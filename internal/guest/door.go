package guest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/problem"
)

// Door is a path at which the messages of a protocol arrive. It is safe for concurrent use.
type Door struct {
	api       *API
	reception *httpserve.Reception
	limit     int64
	patience  time.Duration // for a message; 0 for none
}

// envelope is how many bytes a message may have around the body of an operation.
const envelope = 64 << 10

// Door makes the door at a path, which logs show, to some operations: messages may be as long as the longest body of
// them, and take as long as the slowest of them.
func (a *API) Door(path string, operations ...*Operation) *Door {
	d := &Door{api: a, reception: httpserve.NewReception(a.model, path), limit: a.model.MaxBodyBytes + envelope}
	isLimited := true
	for _, o := range operations {
		d.limit = max(d.limit, o.op.MaxBodyBytes+envelope)
		d.patience = max(d.patience, o.Timeout)
		isLimited = isLimited && o.Timeout > 0
	}
	if !isLimited {
		d.patience = 0
	}
	return d
}

// MaxBytes returns how long a message may be.
func (d *Door) MaxBytes() int64 { return d.limit }

// TakesPost reports whether a request is a POST. OPTIONS and other methods have got their response else.
func (d *Door) TakesPost(w http.ResponseWriter, r *http.Request) bool {
	const methods = "POST, OPTIONS"
	switch r.Method {
	case http.MethodPost:
		return true
	case http.MethodOptions:
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
	default:
		refused := problem.New(failure.NoMethod.Status(), failure.NoMethod.Detail(methods))
		refused.Header = []string{"Allow", methods}
		d.reception.Refuse(w, r, refused)
	}
	return false
}

// Enter returns the caller that sends a request. It is nil if the credentials are invalid or cannot be checked: the
// request has got its response then.
func (d *Door) Enter(w http.ResponseWriter, r *http.Request) *Caller {
	client := d.reception.Identify(w, r)
	if client == nil {
		return nil
	}
	return &Caller{door: d, request: r, client: client}
}

// Receive reads a message whole, within the limits of the door. Send its error by Refuse.
func (d *Door) Receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	if d.patience > 0 {
		_ = control.SetReadDeadline(time.Now().Add(d.patience)) // a writer that has no deadlines reads on
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, d.limit))
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return nil, problem.New(failure.TooLarge.Status(), failure.TooLarge.Detail(d.limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// The deadline stays, or the server would wait for the rest before it responds.
		late := problem.New(failure.Timeout.Status(), failure.Timeout.Detail())
		late.Header = []string{"Connection", "close"}
		return nil, late
	}
	if err != nil {
		return nil, Invalid("The request body is incomplete.", nil)
	}
	if d.patience > 0 {
		_ = control.SetReadDeadline(time.Time{})
	}
	return body, nil
}

// Refuse sends an error as the API does, as a problem, and logs one that is a failure.
func (d *Door) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	d.reception.Refuse(w, r, err)
}

// Challenge sends 401 with the ways to sign in.
func (d *Door) Challenge(w http.ResponseWriter, r *http.Request) { d.reception.Challenge(w, r) }

// Invalid returns the error of a message that is not valid, with the parameters that are wrong, nil for none.
func Invalid(detail string, parameters any) error {
	if parameters == nil {
		return problem.New(failure.BadRequest.Status(), detail)
	}
	return problem.New(failure.BadRequest.Status(), detail, problem.Member{Name: "parameters", Value: parameters})
}

// Forbidden returns the error of a message that is not for its sender.
func Forbidden(detail string) error { return problem.New(http.StatusForbidden, detail) }

// Caller is who sends a request. It is for the goroutine that serves it.
type Caller struct {
	door    *Door
	request *http.Request
	client  *httpserve.Client
}

// IsAnonymous reports whether nothing says who the caller is.
func (c *Caller) IsAnonymous() bool { return c.client.IsAnonymous(c.request.Context()) }

// May reports whether the caller may call an operation, as far as rules tell without a record. Rules call functions of
// the user's: an operation whose function panics is for nobody.
func (c *Caller) May(o *Operation) (may bool) {
	defer func() {
		if cause := recover(); cause != nil {
			c.Fail(cause)
			may = false
		}
	}()
	return o.server.MayServe(c.request.Context(), c.client)
}

// Refuse returns an error as the API sends it.
func (c *Caller) Refuse(err error) *Response {
	a := &Response{}
	c.door.reception.Refuse(a, c.request, err)
	return a
}

// Fail logs a panic, and returns what the API sends for it: 500, with the incident.
func (c *Caller) Fail(cause any) *Response {
	a := &Response{}
	c.door.reception.Fail(a, c.request, c.client, cause)
	return a
}

// Call is what a caller calls an operation with.
type Call struct {
	Variables map[string]string // of the path
	Path      string            // in place of Variables, percent-encoded
	Query     string            // as in a URL
	Header    http.Header
	Body      []byte // JSON; nil for none
}

// Call runs an operation as if its own request had come with the caller's: with the same credentials, rules, limits,
// hooks and observers. It is a call on its own: a protocol that calls several has several transactions.
func (c *Caller) Call(o *Operation, call Call) *Response {
	path, address := o.withoutSuffix(call.Path), call.Path
	if call.Path == "" {
		path = o.op.Template.Expand(func(name string) string { return call.Variables[name] })
		address = path + o.op.DoubledSuffix(path)
	}
	a := &Response{}
	r := c.inner(o.Method, address, call)
	if limit := o.op.API.MaxURLBytes; len(path)+len(r.URL.RawQuery) > limit {
		c.door.reception.Refuse(a, r, problem.New(failure.URITooLong.Status(), failure.URITooLong.Detail(limit)))
		return a
	}
	written := c.door.api.item
	if o.Pages {
		written = c.door.api.pages
	}
	o.server.ServeInner(a, r, &httpserve.Inner{Client: c.client, Path: path, Body: call.Body, Format: written})
	return a
}

// notPassed are fields of the header that are about the messages, or that a call has a place for.
var notPassed = [...]string{
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding",
	"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range", "Last-Event-Id", "Idempotency-Key", "Trailer", "Te",
}

// inner makes the request of an operation that hooks and observers see: it has the context of the caller's request and
// its fields, credentials among them.
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

// Response is a response, kept until the protocol sends it. It is an http.ResponseWriter.
type Response struct {
	Status int // 0 for none yet
	Body   bytes.Buffer
	header http.Header
}

// Header returns the fields of the response.
func (a *Response) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader sets the status.
func (a *Response) WriteHeader(status int) {
	if a.Status == 0 {
		a.Status = status
	}
}

// Write keeps a part of the body.
func (a *Response) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.Body.Write(b)
}

// IsError reports whether the response is an error, with a problem or violations as its body.
func (a *Response) IsError() bool { return a.Status >= http.StatusBadRequest }
