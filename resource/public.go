package resource

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
)

// plainPath matches paths that are the same in URLs, templates and routes.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*$`)

// checkPublicURL sets the origin and the base, which also comes before the prefix.
func (c Config) checkPublicURL(api *compiled.API, fail func(string, ...any)) {
	if c.PublicURL == "" {
		return
	}
	const example = "https://example.com/shop"
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		fail("PublicURL is not a URL; allowed: a URL such as %q", example)
		return
	}
	origin, base := u.Scheme+"://"+hostIn(u), strings.TrimSuffix(path.Clean("/"+u.EscapedPath()), "/")
	found := c.PublicURL
	if u.User != nil {
		found = u.Redacted()
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", !serve.IsPlainHost(u.Host),
		u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		fail("PublicURL is %q; allowed: http or https, a host and a path, such as %q", found, example)
	case !plainPath.MatchString(base):
		fail("PublicURL is %q; its path may have only letters, digits, -, _, . and ~, such as %q", found, example)
	case c.PublicURL != origin+base:
		fail("PublicURL is %q; write it as %q", found, origin+base)
	case base != "" && strings.HasPrefix(api.Prefix+"/", base+"/"): // else a stripped path could look whole
		fail("Prefix is %q, but the path of PublicURL, %q, is added to it; write it as %q", api.Prefix, base,
			cmp.Or(strings.TrimPrefix(api.Prefix, base), "/"))
	default:
		api.Origin, api.Base, api.Prefix = origin, base, base+api.Prefix
		if err := api.CrossOrigin.AddTrustedOrigin(origin); err != nil {
			fail("PublicURL is %q; allowed: a URL such as %q", found, example)
		}
	}
}

// hostIn returns the host of a URL as browsers write it in Origin: in lower case, and without the usual port.
func hostIn(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":")
	if usual := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return host
}

// rebase is the first middleware of an API whose clients see a base before its paths, which a proxy may have removed. It
// gives a request to an operation the path that clients see, and a request to any other route the path of the route.
func (a *API) rebase(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method, moved := serve.RoutingOf(r).Overrides() // by a router around the API
		own := a.model.Own(cmp.Or(moved, r.URL.EscapedPath()))
		// A path of a route that begins with the base itself keeps the base, so that it is not removed twice.
		isWhole := a.leadsToOperation(cmp.Or(method, r.Method), a.model.Whole(own)) || a.model.Own(own) != own
		seen := func(path string) string {
			if path = a.model.Own(path); isWhole {
				return a.model.Whole(path)
			}
			return path
		}
		at := *r.URL
		if at.Path = seen(at.Path); at.RawPath != "" {
			at.RawPath = seen(at.RawPath)
		}
		if moved != "" {
			chi.RouteContext(r.Context()).RoutePath = seen(moved)
		}
		r = r.WithContext(r.Context())
		r.URL = &at
		next.ServeHTTP(w, r)
	})
}

// leadsToOperation reports whether a request with a path that clients see is for an operation, or has a method that the
// operations at the path do not have.
func (a *API) leadsToOperation(method, escaped string) bool {
	path, _, _ := a.path(method, escaped)
	if found, _ := a.routes().match(method, path); found != nil && method != http.MethodOptions {
		_, isOperation := found.handler.(*serve.Operation)
		return isOperation
	}
	_, ours := a.suffixes[a.pattern(path)]
	return ours
}
