package openapi

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/look"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
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
	Icon               string // the path of the icon
	API                *compiled.API

	page    *template.Template
	prepare func() (*invoke.API, *invoke.Endpoint) // once, when everything is mounted; it sets the next ones
	style   string
	policy  string
}

// homeView is what the template shows.
type homeView struct {
	*home

	Origin              string
	IsExpired, SignedIn bool
	SignIn              *invoke.Operation // nil if none begins a session
	ReadsDocs           bool
	Resources           []homeResource
	Account             string // the path of the page on which the caller registers; "" for none
}

// homeResource is a resource of which the caller may do something.
type homeResource struct {
	Title, Description string
	Page               string // where people find its records or read about it; "" for none
	Path               string // of its collection; "" if the caller may not list it
	Actions            []string
}

// newHome returns the page of an API. It contains its style and its script, so that it is there at once.
func newHome(api *compiled.API, title, description string) (h *home, err error) {
	script := look.Text(look.Script)
	h = &home{Title: title, Description: description, Icon: api.Docs + "/" + look.Icon, API: api}
	h.page, err = template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(h.style) }, //nolint:gosec // our own
		"script": func() template.JS { return template.JS(script) },    //nolint:gosec // our own
	}).Parse(homeTemplate)
	h.prepare = sync.OnceValues(func() (*invoke.API, *invoke.Endpoint) {
		h.style = look.Text(look.Style) + homeStyle + api.Accent
		h.policy = "default-src 'none'; script-src " + source(script) + "; style-src " + source(h.style) +
			"; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
		offered := invoke.Of(compiled.InternalsOf(api))
		return offered, offered.Endpoint(api.HomePath())
	})
	return h, err
}

// source returns the source that allows a text in a Content-Security-Policy.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
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
	v.addResources(offered, caller)
	var body bytes.Buffer
	if err := h.page.Execute(&body, v); err != nil {
		h.API.Logger.LogAttrs(r.Context(), slog.LevelError, "home page failed", slog.String("error", err.Error()))
		problem.New(problem.Internal.Status(), "").Write(w, r)
		return
	}
	for name, value := range map[string]string{
		"Content-Security-Policy": h.policy, "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
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

// addResources adds the resources of which the caller may do something, with texts of the documentation only if they may
// read it.
func (v *homeView) addResources(offered *invoke.API, caller *invoke.Caller) {
	signIn, signOut := offered.SignIn()
	for _, r := range offered.Resources {
		may := slices.DeleteFunc(slices.Clone(r.Operations), func(o *invoke.Operation) bool {
			return o.Hidden || o == signIn || o == signOut || !caller.May(o)
		})
		if len(may) > 0 {
			v.Resources = append(v.Resources, v.resource(r, may))
		}
	}
}

// resource returns what the page shows of a resource and the operations that the caller may call.
func (v *homeView) resource(r *invoke.Resource, may []*invoke.Operation) homeResource {
	shown := homeResource{Title: r.Plural()}
	if v.ReadsDocs {
		shown.Description = r.Description
	}
	for _, o := range may {
		if o.Operation == r.Collection {
			shown.Path = o.Path()
		}
		if !v.SignedIn && v.Account == "" && registers(o) {
			v.Account = v.accountPage(o)
		}
		action := o.ID
		if v.ReadsDocs {
			action = strings.TrimSuffix(o.Summary, ".")
		}
		shown.Actions = append(shown.Actions, action)
	}
	switch {
	case shown.Path != "" && r.Page != "":
		shown.Page = r.Page
	case v.ReadsDocs:
		shown.Page = v.documented(r)
	default:
		shown.Page = shown.Path
	}
	return shown
}

// registers reports whether an operation creates an account, for which people choose a password.
func registers(o *invoke.Operation) bool {
	return o.Kind == operation.KindPost && !o.Custom && slices.ContainsFunc(o.Resource.Fields, func(f *invoke.Field) bool {
		takes, _ := o.Takes(f)
		return takes && f.Password
	})
}

// accountPage returns the path of the page on which people call an operation that creates an account, "" for none.
func (v *homeView) accountPage(o *invoke.Operation) string {
	switch {
	case o.Resource.Page != "":
		return o.Resource.Page + "/new"
	case v.ReadsDocs:
		return v.documented(o.Resource) + "/" + url.PathEscape(o.ID)
	}
	return ""
}

// documented returns the path of the documentation of a resource.
func (v *homeView) documented(r *invoke.Resource) string {
	return v.API.Docs + "#/" + url.PathEscape(r.ShortName)
}

// homeStep is something that people can do next.
type homeStep struct{ Title, Text, Path string }

// Steps returns what the caller can do next in a browser.
func (v *homeView) Steps() (list []homeStep) {
	if v.Account != "" {
		list = append(list, homeStep{"Create an account", "Choose a name and a password, then sign in.", v.Account})
	}
	if v.API.SignInPage != "" && !v.SignedIn && v.API.Authentication != nil {
		list = append(list, homeStep{"Sign in", "See everything that you may do.", v.API.SignInPage})
	}
	for _, link := range v.Links(true) {
		if link.Rel == "service-doc" {
			list = append(list, homeStep{"Read the documentation", "Every operation, with requests to try.", link.Path})
		} else {
			list = append(list, homeStep{"Open the " + strings.ToLower(link.Title), "Find, create and change records.", link.Path})
		}
	}
	return list
}

// SignInPath returns where people sign in.
func (v *homeView) SignInPath() string { return cmp.Or(v.API.SignInPage, "#sign-in") }

// Initial returns the letter of the mark.
func (v *homeView) Initial() string { return look.Initial(v.Title) }

// Links returns the links for people, or those for programs and their developers.
func (v *homeView) Links(forPeople bool) []compiled.Link {
	return slices.DeleteFunc(slices.Clone(v.API.Links()), func(l compiled.Link) bool {
		isDocs, isPage := strings.HasPrefix(l.Rel, "service-d"), l.Rel == "" || l.Rel == "service-doc"
		return isPage != forPeople || isDocs && !v.ReadsDocs
	})
}
