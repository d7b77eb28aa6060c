package page

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/problem"
)

// Content is a body that never changes. Clients keep it, and ask each time whether it is
// still the one (RFC 9110, section 13.1.2).
type Content struct {
	Body   []byte
	header http.Header
}

// NewContent returns the content that a body of a media type is.
func NewContent(mediaType string, body []byte) *Content {
	return &Content{Body: body, header: http.Header{
		"Content-Type":           {mediaType},
		"Etag":                   {entityTag(body)},
		"Cache-Control":          {"no-cache"},
		"X-Content-Type-Options": {"nosniff"},
	}}
}

// entityTag returns a strong entity tag of a body.
func entityTag(body []byte) string {
	return string(append(conditional.AppendHash([]byte{'"'}, body), '"'))
}

// ServeHTTP sends the body, or 304 to a client that has it.
func (c *Content) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guarded := w.Header()["Cache-Control"]
	maps.Copy(w.Header(), c.header)
	if guarded != nil {
		w.Header()["Cache-Control"] = guarded
	}
	if r.Method == http.MethodGet && !asksFor(r, "Range", "If-None-Match", "If-Match") {
		w.Header()["Content-Length"] = []string{strconv.Itoa(len(c.Body))}
		w.Header()["Accept-Ranges"] = []string{"bytes"}
		_, _ = w.Write(c.Body) // in one piece; who does not read it needs no word of it
		return
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(c.Body))
}

// asksFor reports whether a request has one of some header fields.
func asksFor(r *http.Request, fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return r.Header[name] != nil })
}
