package admin

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/guest"
)

//go:embed ui
var ui embed.FS

// page is the template of the HTML page, which loads all other files.
const page = "page.html"

// mediaTypes are the media types of files by their extensions.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// assets are the files of the admin. They do not change.
type assets struct {
	page   http.Handler
	byName map[string]http.Handler
}

// newAssets returns the files. Nothing in them depends on the caller.
func newAssets(api *guest.API, config Config) (*assets, error) {
	door := api.Door(config.path())
	made := &assets{byName: map[string]http.Handler{"theme.css": newAsset(door, mediaTypes[".css"], theme(config.Color))}}
	if len(config.Logo) > 0 {
		logo := newAsset(door, logoType(config.Logo), config.Logo)
		// An SVG that is opened by its URL could otherwise run scripts in the origin of the service.
		logo.header["Content-Security-Policy"] = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
		made.byName["logo"] = logo
	}
	err := fs.WalkDir(ui, "ui", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := ui.ReadFile(name)
		if err != nil {
			return err //nolint:wrapcheck // it names the file
		}
		switch name = strings.TrimPrefix(name, "ui/"); {
		case name == page:
			made.page, err = newPage(api, door, config, body)
		case mediaTypes[path.Ext(name)] != "":
			made.byName[name] = newAsset(door, mediaTypes[path.Ext(name)], body)
		default: // a licence
			made.byName[name] = newAsset(door, "text/plain; charset=utf-8", body)
		}
		return err
	})
	return made, err
}

// asset is a file. Clients cache it and revalidate it each time.
type asset struct {
	door   *guest.Door
	body   []byte
	zipped func() []byte // runs once, for the first client that accepts gzip; nil if it is not shorter
	tag    string
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
			"Vary":                         {"Accept-Encoding"},
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
	for name, values := range a.header {
		header[name] = append(header[name], values...)
	}
	body, tag := a.body, a.tag
	if acceptsGzip(r) {
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

// acceptsGzip reports whether a client accepts gzip (RFC 9110, section 12.5.3).
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

// newPage returns the HTML page, whose policy allows no scripts and styles but the files of the admin.
func newPage(api *guest.API, door *guest.Door, config Config, text []byte) (http.Handler, error) {
	made, err := template.New(page).Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("the template of the page: %w", err)
	}
	// The first request renders it, because its title may be that of a document that is mounted later.
	rendered := sync.OnceValue(func() *asset {
		var b bytes.Buffer
		_ = made.Execute(&b, map[string]string{ // a buffer takes everything
			"Lang": config.lang(), "Title": config.title(api), "Path": config.path(),
		})
		served := newAsset(door, "text/html; charset=utf-8", b.Bytes())
		served.header["Content-Security-Policy"] = []string{policy(api, config)}
		served.header["Cross-Origin-Opener-Policy"] = []string{"same-origin"}
		return served
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { rendered().ServeHTTP(w, r) }), nil
}

// policy returns the content security policy of the page.
func policy(api *guest.API, config Config) string {
	connect := strings.Join(append([]string{"'self'"}, providers(api, config)...), " ")
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src " + connect +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
