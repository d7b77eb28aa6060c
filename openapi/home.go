package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
)

var (
	//go:embed home.html
	homeTemplate string
	//go:embed home.css
	homeStyle string
)

// home is the page that a browser sees at the prefix of an API: its resources with what the caller may do, how to sign in,
// and links to everything else. It is safe for concurrent use.
type home struct {
	Title, Description string
	Icon               string // the path of the icon; "" for none
	API                *compiled.API

	page    *template.Template
	prepare func() (*invoke.API, *invoke.Endpoint) // once, when everything is mounted
}

// homeView is what the template shows.
type homeView struct {
	*home

	Origin              string
	IsExpired, SignedIn bool
	SignIn              *invoke.Operation // nil if none begins a session
	ReadsDocs           bool
	Resources           []homeResource
}

// homeResource is a resource of which the caller may do something.
type homeResource struct {
	Title, Description string
	Path               string // of its collection; "" if the caller may not list it
	Actions            []string
}

// newHome returns the page of an API.
func newHome(api *compiled.API, title, description, icon string) (*home, error) {
	made, err := template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(homeStyle) }, //nolint:gosec // our own
	}).Parse(homeTemplate)
	return &home{title, description, icon, api, made, sync.OnceValues(func() (*invoke.API, *invoke.Endpoint) {
		offered := invoke.Of(compiled.InternalsOf(api))
		return offered, offered.Endpoint(api.HomePath())
	})}, err
}

// ServeHTTP sends the page as the caller may see it. With invalid credentials, such as the cookie of a session that has
// ended, it is the page of an anonymous caller with the status 401. No shared cache may store it, because it depends on
// what the caller may do now, and shows the Host of the request.
func (h *home) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	offered, endpoint := h.prepare()
	header, status, caching := w.Header(), http.StatusOK, "private, no-cache"
	caller, denied := endpoint.Identify(r)
	if denied != nil {
		if status, caching = denied.Status, "no-store"; status != problem.Unauthorized.Status() {
			maps.Copy(header, denied.Header())
			sendHome(w, r, status, denied.Body.Bytes())
			return
		}
		header["Www-Authenticate"] = denied.Header()["Www-Authenticate"]
	}
	v := &homeView{home: h, Origin: serve.Origin(h.API, r), IsExpired: denied != nil, SignedIn: !caller.IsAnonymous(), ReadsDocs: caller.MayReadDocs()}
	v.SignIn, _ = offered.SignIn()
	v.Resources = h.resources(offered, caller, v.ReadsDocs)
	var body bytes.Buffer
	if err := h.page.Execute(&body, v); err != nil {
		h.API.Logger.LogAttrs(r.Context(), slog.LevelError, "home page failed", slog.String("error", err.Error()))
		problem.New(problem.Internal.Status(), "").Write(w, r)
		return
	}
	sum := sha256.Sum256([]byte(homeStyle))
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
		"Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Content-Type": "text/html; charset=utf-8", "Content-Length": strconv.Itoa(body.Len()), "Cache-Control": caching,
	} {
		header.Set(name, value)
	}
	header.Add("Vary", strings.TrimPrefix(h.API.Vary[0], "Accept, ")) // Accept is there already
	sendHome(w, r, status, body.Bytes())
}

func sendHome(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // escaped, or a problem, which no browser takes for a page; the client may be gone
	}
}

// resources returns the resources of which the caller may do something, with texts of the documentation only if they may
// read it.
func (h *home) resources(offered *invoke.API, caller *invoke.Caller, readsDocs bool) (list []homeResource) {
	signIn, signOut := offered.SignIn()
	for _, r := range offered.Resources {
		shown := homeResource{Title: r.Plural()}
		if readsDocs {
			shown.Description = r.Description
		}
		for _, o := range r.Operations {
			if o.Hidden || o == signIn || o == signOut || !caller.May(o) {
				continue
			}
			if o.Operation == r.Collection {
				shown.Path = o.Path()
			}
			action := o.ID
			if readsDocs {
				action = strings.TrimSuffix(o.Summary, ".")
			}
			shown.Actions = append(shown.Actions, action)
		}
		if shown.Actions != nil {
			list = append(list, shown)
		}
	}
	return list
}

// Links returns the links for people, or those for programs and their developers.
func (v *homeView) Links(forPeople bool) []compiled.Link {
	return slices.DeleteFunc(slices.Clone(v.API.Links()), func(l compiled.Link) bool {
		isDocs, isPage := strings.HasPrefix(l.Rel, "service-d"), l.Rel == "" || l.Rel == "service-doc"
		return isPage != forPeople || isDocs && !v.ReadsDocs
	})
}
