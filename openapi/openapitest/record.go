package openapitest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/resource"
)

// Record returns a handler that passes requests on to the API, and fails the test where
// one of them, or its answer, is not as the document says: an operation, a status or a
// media type that is not documented, a body that breaks its schema or has a field that is not documented, a wrong
// body that the API takes. Requests outside of the document, such as those to the documentation itself,
// pass unjudged. It is safe for use by many goroutines as far as t is.
func Record(t testing.TB, api *resource.API) http.Handler {
	t.Helper()
	d := documentOf(t, api)
	return &record{t: t, api: api, document: d}
}

// record is the handler of Record.
type record struct {
	t   testing.TB
	api http.Handler

	mu       sync.Mutex // judging compiles schemas
	document *document
}

// ServeHTTP passes a request on, and judges what comes of it.
func (rec *record) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec.t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		rec.t.Errorf("openapitest: reading the body: %v", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	rec.api.ServeHTTP(answer, r)
	rec.judge(r, string(body), answer)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

func (rec *record) judge(r *http.Request, body string, answer *httptest.ResponseRecorder) {
	rec.t.Helper()
	rec.mu.Lock()
	defer rec.mu.Unlock()
	d := rec.document
	op, ok := d.find(r.Method, r.URL.EscapedPath())
	if !ok || r.Method == http.MethodHead {
		return
	}
	sent := request{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.Query(), body: body, mediaType: r.Header.Get("Content-Type"), valid: true}
	if mediaType, _, _ := strings.Cut(sent.mediaType, ";"); body != "" && op.body() != "" {
		valid, err := d.valid(op.bodySchema(mediaType), []byte(body))
		sent.valid = valid || err != nil // a media type that is not documented is answered 415
	}
	c := newConformity(rec.t, d, settings{})
	c.judge(op, sent, answer)
	c.report()
}

// find returns the operation at a path: the one with the fewest variables.
func (d *document) find(method, path string) (operation, bool) {
	var found []operation
	for _, op := range d.operations() {
		if strings.EqualFold(op.method, method) && op.matches(path) {
			found = append(found, op)
		}
	}
	if len(found) == 0 {
		return operation{}, false
	}
	variables := func(op operation) int { return strings.Count(op.path, "{") }
	return slices.MinFunc(found, func(a, b operation) int { return variables(a) - variables(b) }), true
}

// matches reports whether a path is one of the operation's, a format suffix aside.
func (o operation) matches(path string) bool {
	have, want := strings.Split(path, "/"), strings.Split(o.path, "/")
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		last := i == len(want)-1
		same := have[i] == want[i] || last && strings.HasPrefix(have[i], want[i]+".")
		if !same && (!strings.HasPrefix(want[i], "{") || have[i] == "") {
			return false
		}
	}
	return true
}
