package page

import (
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// Content is a body that never changes. Clients cache it and revalidate it each time (RFC 9110, section 13.1.2). Clients
// that accept gzip get it compressed.
type Content struct {
	Body   []byte
	header http.Header
	zipped func() []byte // runs once, for the first client that accepts gzip; nil if it is not shorter
	tags   [2]string     // of the plain and the compressed body
}

// NewContent returns a body of a media type as content.
func NewContent(mediaType string, body []byte) *Content {
	tag := entityTag(body)
	return &Content{
		Body: body, zipped: sync.OnceValue(func() []byte { return compress(body) }), tags: [2]string{tag, strings.TrimSuffix(tag, `"`) + `-gzip"`},
		header: http.Header{
			"Content-Type":           {mediaType},
			"Cache-Control":          {"no-cache"},
			"Vary":                   {"Accept-Encoding"},
			"X-Content-Type-Options": {"nosniff"},
		},
	}
}

// compress returns a body compressed by gzip, nil if that is not shorter.
func compress(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil || b.Len() >= len(body) {
		return nil
	}
	return bytes.Clone(b.Bytes())
}

// entityTag returns a strong entity tag of a body.
func entityTag(body []byte) string {
	return string(append(conditional.AppendHash([]byte{'"'}, body), '"'))
}

// ServeHTTP sends the body, or a 304 if the client has it.
func (c *Content) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	guarded, vary := header["Cache-Control"], header["Vary"]
	maps.Copy(header, c.header)
	if guarded != nil {
		header["Cache-Control"] = guarded
	}
	if vary != nil {
		header["Vary"] = append(slices.Clip(vary), c.header["Vary"]...)
	}
	body, tag := c.Body, c.tags[0]
	if negotiate.AcceptsGzip(r.Header["Accept-Encoding"]) {
		if zipped := c.zipped(); zipped != nil {
			body, tag = zipped, c.tags[1]
			header["Content-Encoding"] = []string{"gzip"}
		}
	}
	header["Etag"] = []string{tag}
	if r.Method == http.MethodGet && !hasHeader(r, "Range", "If-None-Match", "If-Match") {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
		header["Accept-Ranges"] = []string{"bytes"}
		_, _ = w.Write(body) // an error means that the client is gone
		return
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
}

// hasHeader reports whether a request has one of some header fields.
func hasHeader(r *http.Request, fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return r.Header[name] != nil })
}
