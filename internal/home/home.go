// Package home is the page that a browser sees at the prefix of an API: its resources with what the caller may do, how to
// sign in, and links to everything else. Programs that do not mount it do not link html/template.
package home

import (
	"bytes"
	"embed"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/page"
	"github.com/trove-api/trove/internal/problem"
)

//go:embed home.html
var files embed.FS

// Home is the page. It is an http.Handler that is safe for concurrent use.
type Home struct {
	api     *compiled.API
	config  Config
	prepare func() (*prepared, error)
}

// Config has what the model does not know.
type Config struct {
	Title       string
	Description string // Markdown, of which the page shows paragraphs and code
	Icon        string // the path of the icon; "" for none
	Guarded     bool   // some callers may not read the documentation
}

// prepared is what does not depend on a request.
type prepared struct {
	guest  *guest.API
	door   *guest.Door
	pages  *template.Template
	header map[string]string

	description []paragraph            // of the API
	about       map[string][]paragraph // descriptions of resources, by short name
}

// New returns the page of an API. The first request prepares it, after everything is mounted.
func New(api *compiled.API, config Config) *Home {
	h := &Home{api: api, config: config}
	h.prepare = sync.OnceValues(h.prepared)
	return h
}

func (h *Home) prepared() (*prepared, error) {
	pages, err := page.Parse(files, "home.html")
	if err != nil {
		return nil, err
	}
	api := guest.Of(compiled.Hold(h.api))
	about := make(map[string][]paragraph, len(h.api.Resources))
	for _, r := range h.api.Resources {
		about[r.ShortName] = paragraphs(describe.Texts(nil).Tag(r))
	}
	return &prepared{
		guest: api, door: api.Door(h.api.HomePath()), pages: pages, header: page.Header(),
		description: paragraphs(h.config.Description), about: about,
	}, nil
}

// ServeHTTP sends the page as the caller may see it. With invalid credentials, such as the cookie of a session that has
// ended, it is the page of an anonymous caller with the status 401. No shared cache may store it, because it depends on
// what the caller may do now, and shows the Host of the request.
func (h *Home) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	made, err := h.prepare()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	caller, refused := made.door.Greet(r)
	status := http.StatusOK
	if refused != nil {
		if status = refused.Status; status != failure.Unauthorized.Status() {
			maps.Copy(w.Header(), refused.Header())
			w.WriteHeader(status)
			if r.Method != http.MethodHead {
				_, _ = w.Write(refused.Body.Bytes()) //nolint:gosec // a problem, which no browser takes for a page; the client may be gone
			}
			return
		}
		w.Header()["Www-Authenticate"] = refused.Header()["Www-Authenticate"]
	}
	var body bytes.Buffer
	if err := made.pages.ExecuteTemplate(&body, "page", h.view(made, caller, r, refused != nil)); err != nil {
		h.fail(w, r, err)
		return
	}
	header := w.Header()
	for name, value := range made.header {
		header.Set(name, value)
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(body.Len()))
	header.Set("Cache-Control", "private, no-cache")
	if refused != nil {
		header.Set("Cache-Control", "no-store")
	}
	header.Add("Vary", strings.TrimPrefix(h.api.Vary[0], "Accept, ")) // Accept is there already
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.Bytes()) // the client may be gone
	}
}

// fail logs why the page cannot be made.
func (h *Home) fail(w http.ResponseWriter, r *http.Request, err error) {
	h.api.Logger.LogAttrs(r.Context(), slog.LevelError, "home page failed", slog.String("error", err.Error()))
	problem.New(failure.Internal.Status(), "").Write(w, r)
}
