package openapitest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/resource"
)

// Record returns a handler that passes requests to the API and compares each response with the API's OpenAPI document.
// Use it instead of the API in your own tests. It fails the test if
//
//   - the status is a 5xx,
//   - the status, the media type or a field of the response is not documented,
//   - the response body does not match its schema, or a required response header is missing,
//   - the API accepts a body that its schema calls invalid.
//
// It does not check paths that the document does not describe, such as those of the documentation, or HEAD requests.
// Record does not detect that the API rejects a valid request: [Conform] does. The handler is safe for concurrent use.
func Record(t testing.TB, api *resource.API) http.Handler {
	t.Helper()
	return &recorder{t: t, api: api, document: documentOf(t, api)}
}

// recorder is the handler of Record.
type recorder struct {
	t   testing.TB
	api http.Handler

	mu       sync.Mutex // guards document, which compiles schemas when they are first needed
	document *document
}

// ServeHTTP passes a request to the API, and compares the response with the document.
func (rec *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec.t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		rec.t.Errorf("openapitest: %s %s: cannot read the request body: %v", r.Method, r.URL.Path, err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	response := httptest.NewRecorder()
	rec.api.ServeHTTP(response, r)
	rec.verify(r, string(body), response)
	maps.Copy(w.Header(), response.Header())
	w.WriteHeader(response.Code)
	_, _ = w.Write(response.Body.Bytes())
}

func (rec *recorder) verify(r *http.Request, body string, response *httptest.ResponseRecorder) {
	rec.t.Helper()
	rec.mu.Lock()
	defer rec.mu.Unlock()
	c := newConformity(rec.t, rec.document, settings{})
	op := c.document.find(r.Method, r.URL.EscapedPath())
	if op == nil || r.Method == http.MethodHead {
		return
	}
	sent := request{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.Query(), body: body, mediaType: r.Header.Get("Content-Type"), valid: true}
	if mediaType, _, _ := strings.Cut(sent.mediaType, ";"); body != "" && op.body() != "" {
		sent.valid = op.schemaOf(mediaType) == nil || c.isValid(op.schemaOf(mediaType), []byte(body)) // 415 is for an unknown media type
	}
	c.verify(op, sent, response)
	c.report()
}

// find returns the operation that a path matches, nil for none. If several do, it returns the one with the fewest
// variables.
func (d *document) find(method, path string) (found *operation) {
	for _, op := range d.operations {
		if strings.EqualFold(op.method, method) && op.matches(path) && (found == nil || strings.Count(op.path, "{") < strings.Count(found.path, "{")) {
			found = op
		}
	}
	return found
}

// matches reports whether a path is one of the operation's. It ignores a format suffix such as .json.
func (o *operation) matches(path string) bool {
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
