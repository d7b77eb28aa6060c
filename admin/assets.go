package admin

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/invoke"
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
	modules []string // the names of the scripts that app.js imports, in order
	page    http.Handler
}

// newAssets returns the files. Nothing in them depends on the caller.
func newAssets(api *invoke.API, config Config) (*assets, error) {
	endpoint := api.Endpoint(config.path())
	made := &assets{byName: map[string]*asset{"theme.css": newAsset(endpoint, mediaTypes[".css"], theme(config.Color))}}
	if len(config.Logo) > 0 {
		logo := newAsset(endpoint, logoType(config.Logo), config.Logo)
		// An SVG that is opened by its URL could otherwise run scripts in the origin of the service.
		logo.Header["Content-Security-Policy"] = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
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
			made.byName[name] = newAsset(endpoint, mediaTypes[path.Ext(name)], body)
		default: // a licence
			made.byName[name] = newAsset(endpoint, "text/plain; charset=utf-8", body)
		}
		return err //nolint:wrapcheck // it names the file
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(made.byName)) {
		_, _ = io.WriteString(all, name+" "+content.Tag(made.byName[name].Body)+"\n") // a hash takes everything
		if path.Ext(name) == ".js" && name != "app.js" {                              // which the page loads itself
			made.modules = append(made.modules, name)
		}
	}
	made.dir = config.path() + "/files/" + base64.RawURLEncoding.EncodeToString(all.Sum(nil)[:12])
	for _, file := range made.byName {
		file.dir = made.dir
	}
	made.page, err = newPage(api, endpoint, config, made, template)
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

// rgb is a color with components from 0 to 1.
type rgb [3]float64

// usual is the color without a Config.Color.
var usual = rgb{0x25 / 255.0, 0x63 / 255.0, 0xeb / 255.0} //nolint:gochecknoglobals // never changes

// readable is the least contrast of text that WCAG 2.2 requires (1.4.3).
const readable = 4.5

var (
	white = rgb{1, 1, 1}          //nolint:gochecknoglobals // never changes
	dark  = rgb{0.09, 0.10, 0.12} //nolint:gochecknoglobals // never changes; the lightest background in dark mode
	black = rgb{}                 //nolint:gochecknoglobals // never changes
)

// theme returns the colors of the page as a style sheet: --accent for areas, --on-accent for text in them, and
// --accent-ink for text and lines on the background.
func theme(color string) []byte {
	accent := parseColor(color)
	on := white
	if contrast(accent, black) > contrast(accent, white) {
		on = black
	}
	colors := func(ink rgb) string {
		return fmt.Sprintf("--accent: %s; --on-accent: %s; --accent-ink: %s;", accent, on, ink)
	}
	return fmt.Appendf(nil, ":root { %s }\n@media (prefers-color-scheme: dark) { :root { %s } }\n",
		colors(accent.against(rgb{0.95, 0.95, 0.96}, black)), colors(accent.against(dark, white)))
}

// parseColor reads a color in hexadecimal, which has been checked.
func parseColor(text string) rgb {
	if text == "" {
		return usual
	}
	digits := text[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	var c rgb
	for i := range c {
		n, _ := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		c[i] = float64(n) / 255
	}
	return c
}

// against mixes the color with another one until text in it is readable on a background.
func (c rgb) against(background, with rgb) rgb {
	mixed := c
	for part := 0.0; part <= 1 && contrast(mixed, background) < readable; part += 0.02 {
		for i := range mixed {
			mixed[i] = c[i]*(1-part) + with[i]*part
		}
	}
	return mixed
}

// String returns the color in hexadecimal.
func (c rgb) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0]*255)), int(math.Round(c[1]*255)), int(math.Round(c[2]*255)))
}

// contrast returns the contrast ratio of two colors (WCAG 2.2).
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns the relative luminance of a color (WCAG 2.2).
func (c rgb) luminance() float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// page is the template of the HTML page, which loads all other files.
const page = "page.html"

// newPage returns the HTML page, whose policy allows no scripts and styles but the files of the admin.
func newPage(api *invoke.API, endpoint *invoke.Endpoint, config Config, files *assets, text []byte) (http.Handler, error) {
	made, err := template.New(page).Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("the template of the page: %w", err)
	}
	// The first request renders it, because its title may be that of a document that is mounted later.
	rendered := sync.OnceValue(func() *asset {
		var b bytes.Buffer
		_ = made.Execute(&b, map[string]any{ // a buffer takes everything
			"Lang": config.lang(), "Title": config.title(api), "Path": api.Whole(config.path()), "Files": api.Whole(files.dir), "Modules": files.modules,
		})
		served := newAsset(endpoint, "text/html; charset=utf-8", b.Bytes())
		served.Header["Content-Security-Policy"] = []string{policy(api, config)}
		served.Header["Cross-Origin-Opener-Policy"] = []string{"same-origin"}
		return served
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { rendered().ServeHTTP(w, r) }), nil
}

// policy returns the content security policy of the page.
func policy(api *invoke.API, config Config) string {
	connect := strings.Join(append([]string{"'self'"}, providers(api, config)...), " ")
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src " + connect +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
