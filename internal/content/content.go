// Package content serves bodies that do not change, such as documents and the files of pages.
package content

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

	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
)

// Content is a body that never changes. Clients cache it and revalidate it each time (RFC 9110, section 13.1.2). Clients
// that accept gzip get it compressed.
type Content struct {
	Body   []byte
	Header http.Header   // of each response; add to it before the first one
	zipped func() []byte // runs once, for the first client that accepts gzip; nil if it is not shorter
	tags   [2]string     // of the plain and the compressed body
}

// New returns a body of a media type as content.
func New(mediaType string, body []byte) *Content {
	tag := Tag(body)
	return &Content{
		Body: body, tags: [2]string{tag, strings.TrimSuffix(tag, `"`) + `-gzip"`},
		zipped: sync.OnceValue(func() []byte { return Compress(body, gzip.BestCompression) }),
		Header: http.Header{
			"Content-Type":           {mediaType},
			"Cache-Control":          {"no-cache"},
			"Vary":                   {"Accept-Encoding"},
			"X-Content-Type-Options": {"nosniff"},
		},
	}
}

// Compress returns a body compressed by gzip with a level of compress/gzip, nil if that is not shorter.
func Compress(body []byte, level int) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil { // no such level
		return nil
	}
	_, err = w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil || b.Len() >= len(body) {
		return nil
	}
	return bytes.Clone(b.Bytes())
}

// Tag returns a strong entity tag of a body.
func Tag(body []byte) string {
	return string(append(httpfield.AppendHash([]byte{'"'}, body), '"'))
}

// ServeHTTP sends the body, or a 304 if the client has it. Cache-Control and Vary that are set already stay.
func (c *Content) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	guarded, vary := header["Cache-Control"], header["Vary"]
	maps.Copy(header, c.Header)
	if guarded != nil {
		header["Cache-Control"] = guarded
	}
	if vary != nil {
		header["Vary"] = append(slices.Clip(vary), c.Header["Vary"]...)
	}
	body, tag := c.Body, c.tags[0]
	if httpfield.AcceptsGzip(r.Header["Accept-Encoding"]) {
		if zipped := c.zipped(); zipped != nil {
			body, tag = zipped, c.tags[1]
			header["Content-Encoding"] = []string{"gzip"}
		}
	}
	header["Etag"] = []string{tag}
	if r.Method == http.MethodGet && r.Header["Range"] == nil && r.Header["If-None-Match"] == nil && r.Header["If-Match"] == nil {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
		header["Accept-Ranges"] = []string{"bytes"}
		_, _ = w.Write(body) // an error means that the client is gone
		return
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
}
