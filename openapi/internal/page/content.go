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

// asset is a file that the page loads. It is sent as the program holds it, most often
// compressed, and uncompressed to those who do not take that.
type asset struct {
	file       string // its name in the program
	compressed bool
	mediaType  string
	tag        func() (string, error) // its entity tag, without quotes
}

// Assets returns the files that the page loads, by their names there. They are read when somebody first asks for them.
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

// ServeHTTP sends the file. Clients keep it for a day.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tag, err := a.tag()
	file, fileErr := static.FS.Open(a.file)
	if err = errors.Join(err, fileErr); err != nil {
		problem.New(http.StatusInternalServerError, "").Write(w, r)
		return
	}
	defer file.Close() //nolint:errcheck // it is memory
	header := w.Header()
	header.Set("Content-Type", a.mediaType)
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("ETag", `"`+tag+`"`)
	if a.compressed {
		header.Set("Vary", "Accept-Encoding")
		if !takesGzip(r) {
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

// serveUncompressed sends what is in a compressed file.
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

// takesGzip reports whether the client takes bodies compressed by gzip.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(strings.Join(r.Header["Accept-Encoding"], ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		quality, err := strconv.ParseFloat(weight, 64)
		if strings.EqualFold(name, "gzip") && (err != nil || quality > 0) {
			return true
		}
	}
	return false
}
