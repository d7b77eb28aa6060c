package admin

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/look"
)

//go:embed ui
var ui embed.FS

// mediaTypes are the media types of files by their extensions.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// assets are the files of the admin. They do not change.
type assets struct {
	dir     string // the path of the files' routes, which changes with any of them
	byName  map[string]*asset
	modules []string // the names of the scripts that app.js imports at once, in order
	page    http.Handler
}

// newAssets returns the files. Nothing in them depends on the caller.
func newAssets(api *invoke.API, config Config) (*assets, error) {
	endpoint := api.Endpoint(config.path())
	made := &assets{byName: map[string]*asset{}}
	for _, name := range []string{look.Script, look.Icon} {
		made.byName[name] = newAsset(endpoint, mediaTypes[path.Ext(name)], []byte(look.Text(name)))
	}
	styles := look.Text(look.Style)
	if len(config.Logo) > 0 {
		logo := newAsset(endpoint, content.ImageType(config.Logo), config.Logo)
		// An SVG that is opened by its URL could otherwise run scripts in the origin of the service.
		logo.Header["Content-Security-Policy"] = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
		made.byName["logo"] = logo
	}
	err := fs.WalkDir(ui, "ui", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := ui.ReadFile(name)
		switch name = strings.TrimPrefix(name, "ui/"); {
		case path.Ext(name) == ".css":
			styles += string(body)
		case name != page:
			made.byName[name] = newAsset(endpoint, cmp.Or(mediaTypes[path.Ext(name)], "text/plain; charset=utf-8"), body) // else a licence
		}
		return err //nolint:wrapcheck // it names the file
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	made.byName[style] = newAsset(endpoint, mediaTypes[".css"], []byte(styles+look.Accent(config.Color)))
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(made.byName)) {
		_, _ = io.WriteString(all, name+" "+content.Tag(made.byName[name].Body)+"\n") // a hash takes everything
		if path.Ext(name) == ".js" && name != "app.js" && name != look.Script && !strings.HasPrefix(name, "later/") {
			made.modules = append(made.modules, name)
		}
	}
	made.dir = config.path() + "/files/" + base64.RawURLEncoding.EncodeToString(all.Sum(nil)[:12])
	for _, file := range made.byName {
		file.dir = made.dir
	}
	made.page, err = newPage(api, endpoint, config, made)
	return made, err
}

// asset is a file. Clients cache it forever, because its path changes with it. The page itself has one path, and is
// revalidated each time.
type asset struct {
	*content.Content

	endpoint *invoke.Endpoint
	dir      string // the path at which clients cache it; "" for the page
}

func newAsset(endpoint *invoke.Endpoint, mediaType string, body []byte) *asset {
	made := &asset{Content: content.New(mediaType, body), endpoint: endpoint}
	made.Header["Cross-Origin-Resource-Policy"] = []string{"same-origin"}
	made.Header["Referrer-Policy"] = []string{"same-origin"}
	return made
}

// ServeHTTP sends the file, or a 304 if the client has it.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !a.endpoint.Takes(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	cache := "no-cache"
	if a.dir != "" && strings.HasPrefix(r.URL.Path, a.dir+"/") {
		cache = "public, max-age=31536000, immutable"
	}
	w.Header().Set("Cache-Control", cache)
	a.Content.ServeHTTP(w, r)
}

const (
	page  = "page.html" // the template of the HTML page, which loads all other files
	style = "admin.css" // all style sheets in one file, so that the page loads fewer
)

// newPage returns the HTML page, whose policy allows no scripts and styles but the files of the admin.
func newPage(api *invoke.API, endpoint *invoke.Endpoint, config Config, files *assets) (http.Handler, error) {
	made, err := template.ParseFS(ui, "ui/"+page)
	if err != nil {
		return nil, fmt.Errorf("the template of the page: %w", err)
	}
	// The first request renders it, because its title may be that of a document that is mounted later.
	rendered := sync.OnceValue(func() *asset {
		var b bytes.Buffer
		_ = made.Execute(&b, map[string]any{ // a buffer takes everything
			"Lang": cmp.Or(config.Texts["lang"], "en"), "Title": config.title(api),
			"Path": api.Whole(config.path()), "Files": api.Whole(files.dir), "Modules": files.modules,
		})
		served := newAsset(endpoint, "text/html; charset=utf-8", b.Bytes())
		connect := strings.Join(append([]string{"'self'"}, providers(ways(api, config), config)...), " ")
		served.Header["Content-Security-Policy"] = []string{"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src " +
			connect + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"}
		served.Header["Cross-Origin-Opener-Policy"] = []string{"same-origin"}
		return served
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { rendered().ServeHTTP(w, r) }), nil
}
