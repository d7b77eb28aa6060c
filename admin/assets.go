package admin

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/guest"
)

//go:embed ui
var ui embed.FS

// mediaTypes are the media types of files by their extensions.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// assets are the files of the admin. They do not change.
type assets struct {
	dir     string // the path of the files, which changes with any of them
	byName  map[string]*asset
	modules []string // the names of the scripts that app.js imports, in order
	page    http.Handler
}

// newAssets returns the files. Nothing in them depends on the caller.
func newAssets(api *guest.API, config Config) (*assets, error) {
	door := api.Door(config.path())
	made := &assets{byName: map[string]*asset{"theme.css": newAsset(door, mediaTypes[".css"], theme(config.Color))}}
	if len(config.Logo) > 0 {
		logo := newAsset(door, logoType(config.Logo), config.Logo)
		// An SVG that is opened by its URL could otherwise run scripts in the origin of the service.
		logo.header["Content-Security-Policy"] = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
		made.byName["logo"] = logo
	}
	var template []byte
	err := fs.WalkDir(ui, "ui", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := ui.ReadFile(name)
		switch name = strings.TrimPrefix(name, "ui/"); {
		case name == page:
			template = body
		case mediaTypes[path.Ext(name)] != "":
			made.byName[name] = newAsset(door, mediaTypes[path.Ext(name)], body)
		default: // a licence
			made.byName[name] = newAsset(door, "text/plain; charset=utf-8", body)
		}
		return err //nolint:wrapcheck // it names the file
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(made.byName)) {
		_, _ = io.WriteString(all, name+" "+made.byName[name].tag+"\n") // a hash takes everything
		if path.Ext(name) == ".js" && name != "app.js" {                // which the page loads itself
			made.modules = append(made.modules, name)
		}
	}
	made.dir = config.path() + "/files/" + base64.RawURLEncoding.EncodeToString(all.Sum(nil)[:12])
	for _, file := range made.byName {
		file.dir = made.dir
	}
	made.page, err = newPage(api, door, config, made, template)
	return made, err
}

// asset is a file. Clients cache it forever, because its path changes with it. The page itself has one path, and is
// revalidated each time.
type asset struct {
	door   *guest.Door
	body   []byte
	zipped func() []byte // runs once, for the first client that accepts gzip; nil if it is not shorter
	tag    string
	dir    string // the path at which clients cache it; "" for the page
	header http.Header
}

func newAsset(door *guest.Door, mediaType string, body []byte) *asset {
	hash := sha256.Sum256(body)
	return &asset{
		door: door, body: body, zipped: sync.OnceValue(func() []byte { return compress(body, gzip.BestCompression) }),
		tag: base64.RawURLEncoding.EncodeToString(hash[:16]),
		header: http.Header{
			"Cache-Control":                {"no-cache"},
			"Content-Type":                 {mediaType},
			"Cross-Origin-Resource-Policy": {"same-origin"},
			"Referrer-Policy":              {"same-origin"},
			"X-Content-Type-Options":       {"nosniff"},
		},
	}
}

// compress returns a body compressed by gzip, nil if that is not shorter.
func compress(body []byte, level int) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level) // it is valid
	_, _ = w.Write(body)
	_ = w.Close() // a buffer takes everything
	if b.Len() >= len(body) {
		return nil
	}
	return bytes.Clone(b.Bytes())
}

// ServeHTTP sends the file, or a 304 if the client has it.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !a.door.TakesGet(w, r) {
		return
	}
	header := w.Header()
	maps.Copy(header, a.header)
	if a.dir != "" && strings.HasPrefix(r.URL.Path, a.dir+"/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Add("Vary", "Accept-Encoding")
	body, tag := a.body, a.tag
	if guest.AcceptsGzip(r) {
		if zipped := a.zipped(); zipped != nil {
			body, tag = zipped, a.tag+"-gzip"
			header.Set("Content-Encoding", "gzip")
		}
	}
	header.Set("ETag", `"`+tag+`"`)
	r = r.Clone(r.Context())
	r.Header.Del("Range") // the files are short
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
