package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
)

// asset is a file that the page loads. Files that are embedded compressed are sent uncompressed to clients that do not
// accept gzip. Clients keep a file forever if the URL contains its entity tag, and revalidate it each time otherwise.
type asset struct {
	in         fs.FS
	file       string // its name there
	compressed bool
	mediaType  string
	tag        func() (string, error) // its entity tag, without quotes
}

// mediaTypes are the media types of files by extension, which must not depend on the machine.
var mediaTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2",
}

// newAsset returns the file of a file system as an asset, and its name for clients, which does not have the extension gz.
func newAsset(in fs.FS, file string) (name string, made *asset) {
	name, compressed := strings.CutSuffix(file, ".gz")
	return name, &asset{
		in: in, file: file, compressed: compressed, mediaType: cmp.Or(mediaTypes[path.Ext(name)], "application/octet-stream"),
		tag: sync.OnceValues(func() (string, error) {
			body, err := fs.ReadFile(in, file)
			return strings.Trim(content.Tag(body), `"`), err
		}),
	}
}

// newAssets returns all files of a file system, by name.
func newAssets(in fs.FS) (map[string]*asset, error) {
	assets := map[string]*asset{}
	if in == nil {
		return assets, nil
	}
	err := fs.WalkDir(in, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, made := newAsset(in, file)
			assets[name] = made
		}
		return err
	})
	return assets, err
}

// ServeHTTP sends the file.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tag, err := a.tag()
	current := tag != "" && r.URL.Query().Get("v") == tag
	body, bodyErr := fs.ReadFile(a.in, a.file)
	zipped := a.compressed && httpfield.AcceptsGzip(r.Header["Accept-Encoding"])
	if err = cmp.Or(err, bodyErr); err == nil && a.compressed && !zipped {
		tag += "-identity"
		body, err = uncompressed(body)
	}
	if err != nil {
		problem.New(http.StatusInternalServerError, "").Write(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", a.mediaType)
	header.Set("Cache-Control", "no-cache")
	if current {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("ETag", `"`+tag+`"`)
	if a.compressed {
		header.Set("Vary", "Accept-Encoding")
	}
	if zipped {
		header.Set("Content-Encoding", "gzip")
	}
	http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
}

func uncompressed(body []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(reader)
	return text, errors.Join(err, reader.Close())
}
