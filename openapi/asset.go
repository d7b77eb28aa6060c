package openapi

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/swaggest/swgui/v5/static"
)

// asset is a file that the page loads. It is sent as the program holds it, most often
// compressed, and uncompressed to those who do not take that.
type asset struct {
	file       string // its name in the program
	compressed bool
	mediaType  string
	tag        string // its entity tag, without quotes
}

// mediaTypes are those of the page's files.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".png": "image/png",
}

// assetsOf returns the files that a page refers to below its own path.
func assetsOf(html []byte, docs string) (map[string]*asset, error) {
	reference := regexp.MustCompile(`(?:src|href)="` + regexp.QuoteMeta(docs) + `/([^"]+)"`)
	assets := map[string]*asset{}
	for _, match := range reference.FindAllSubmatch(html, -1) {
		name := string(match[1])
		found, err := newAsset(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		assets[name] = found
	}
	return assets, nil
}

func newAsset(name string) (*asset, error) {
	a := &asset{file: name, mediaType: mediaTypes[path.Ext(name)]}
	if _, err := fs.Stat(static.FS, name); err != nil {
		a.file, a.compressed = name+".gz", true
	}
	body, err := static.FS.ReadFile(a.file)
	if err != nil {
		return nil, err
	}
	a.tag = strings.Trim(entityTag(body), `"`)
	return a, nil
}

// ServeHTTP sends the file. Clients keep it for a day.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, err := static.FS.Open(a.file)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	defer file.Close() //nolint:errcheck // it is memory
	header := w.Header()
	header.Set("Content-Type", a.mediaType)
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("ETag", `"`+a.tag+`"`)
	if a.compressed {
		header.Set("Vary", "Accept-Encoding")
		if !takesGzip(r) {
			a.serveUncompressed(w, r, file)
			return
		}
		header.Set("Content-Encoding", "gzip")
	}
	if seeker, ok := file.(io.ReadSeeker); ok {
		http.ServeContent(w, r, "", time.Time{}, seeker)
	}
}

// serveUncompressed sends what is in a compressed file.
func (a *asset) serveUncompressed(w http.ResponseWriter, r *http.Request, file io.Reader) {
	w.Header().Set("ETag", `"`+a.tag+`-identity"`)
	reader, err := gzip.NewReader(file)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether the client takes bodies compressed by gzip.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		quality, err := strconv.ParseFloat(weight, 64)
		if strings.EqualFold(name, "gzip") && (err != nil || quality > 0) {
			return true
		}
	}
	return false
}
