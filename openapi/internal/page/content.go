package page

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/swaggest/swgui/v5/static"

	"github.com/trove-api/trove/internal/conditional"
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
	if acceptsGzip(r) {
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

// asset is a file that the page loads. Most are embedded compressed, and sent uncompressed to clients that do not accept
// gzip.
type asset struct {
	file       string // its embedded name
	compressed bool
	mediaType  string
	tag        func() (string, error) // its entity tag, without quotes
}

// Assets returns the files that the page loads, by name. They are read on first use.
func Assets() map[string]http.Handler {
	return map[string]http.Handler{
		"swagger-ui.css":       newAsset("swagger-ui.css.gz", "text/css; charset=utf-8"),
		"swagger-ui-bundle.js": newAsset("swagger-ui-bundle.js.gz", "text/javascript; charset=utf-8"),
		"favicon-16x16.png":    newAsset("favicon-16x16.png", "image/png"),
		"favicon-32x32.png":    newAsset("favicon-32x32.png", "image/png"),
	}
}

func newAsset(file, mediaType string) *asset {
	return &asset{
		file: file, compressed: strings.HasSuffix(file, ".gz"), mediaType: mediaType,
		tag: sync.OnceValues(func() (string, error) {
			body, err := static.FS.ReadFile(file)
			return strings.Trim(entityTag(body), `"`), err
		}),
	}
}

// ServeHTTP sends the file, which clients cache for a day.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tag, err := a.tag()
	file, fileErr := static.FS.Open(a.file)
	if err = errors.Join(err, fileErr); err != nil {
		problem.New(http.StatusInternalServerError, "").Write(w, r)
		return
	}
	defer file.Close() //nolint:errcheck // it is in memory
	header := w.Header()
	header.Set("Content-Type", a.mediaType)
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("ETag", `"`+tag+`"`)
	if a.compressed {
		header.Set("Vary", "Accept-Encoding")
		if !acceptsGzip(r) {
			header.Set("ETag", `"`+tag+`-identity"`)
			serveUncompressed(w, r, file)
			return
		}
		header.Set("Content-Encoding", "gzip")
	}
	if seeker, ok := file.(io.ReadSeeker); ok {
		http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, seeker)
	}
}

// serveUncompressed sends the content of a compressed file.
func serveUncompressed(w http.ResponseWriter, r *http.Request, file io.Reader) {
	reader, err := gzip.NewReader(file)
	if err != nil {
		problem.New(http.StatusInternalServerError, "").Write(w, r)
		return
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		problem.New(http.StatusInternalServerError, "").Write(w, r)
		return
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
}

// acceptsGzip reports whether the client accepts gzip.
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(strings.Join(r.Header["Accept-Encoding"], ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		quality, err := strconv.ParseFloat(weight, 64)
		if strings.EqualFold(name, "gzip") && (err != nil || quality > 0) {
			return true
		}
	}
	return false
}
