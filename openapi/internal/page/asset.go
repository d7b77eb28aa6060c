package page

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/swaggest/swgui/v5/static"

	"github.com/trove-api/trove/internal/problem"
)

// asset is a file that the page loads. It is sent as the program holds it, most often
// compressed, and uncompressed to those who do not take that.
type asset struct {
	file       string // its name in the program
	compressed bool
	mediaType  string
	tag        func() (string, error) // its entity tag, without quotes
}

// Assets returns the files that the page loads, by their names there. They are read when
// somebody first asks for them.
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
