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
	"github.com/trove-api/trove/internal/problem"
)

// Content is a body that never changes. Clients keep it, and ask each time whether it is
// still the one (RFC 9110, section 13.1.2). Clients that accept gzip get it compressed, once it is made so.
type Content struct {
	Body   []byte
	header http.Header
	zipped func() []byte // made once, for the first client that accepts it; nil if it is not shorter
	tags   [2]string     // of the body as it is, and compressed
}

// NewContent returns the content that a body of a media type is.
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

// ServeHTTP sends the body, or 304 to a client that has it.
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
	if takesGzip(r) {
		if zipped := c.zipped(); zipped != nil {
			body, tag = zipped, c.tags[1]
			header["Content-Encoding"] = []string{"gzip"}
		}
	}
	header["Etag"] = []string{tag}
	if r.Method == http.MethodGet && !asksFor(r, "Range", "If-None-Match", "If-Match") {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
		header["Accept-Ranges"] = []string{"bytes"}
		_, _ = w.Write(body) // in one piece; who does not read it needs no word of it
		return
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
}

// asksFor reports whether a request has one of some header fields.
func asksFor(r *http.Request, fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return r.Header[name] != nil })
}
