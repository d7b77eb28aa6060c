package page

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/naming"
)

// directives are those of the policy with their sources. A page runs only its own scripts, and calls only the API.
var directives = [][2]string{
	{"default-src", "'none'"},
	{"script-src", "'self'"},
	{"style-src", "'self'"},
	{"img-src", "'self' data:"},
	{"font-src", ""},
	{"worker-src", ""},
	{"connect-src", "'self'"},
	{"base-uri", "'none'"},
	{"form-action", "'none'"},
	{"frame-ancestors", "'none'"},
}

// wider are the directives to which a UI can add sources.
var wider = []string{"connect-src", "font-src", "img-src", "script-src", "style-src", "worker-src"}

// checkPolicy checks the sources that a UI adds.
func checkPolicy(added map[string]string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if !slices.Contains(wider, name) {
			errs = append(errs, fmt.Errorf("Policy: directive %q cannot be changed; allowed: %s%s", name, strings.Join(wider, ", "), naming.DidYouMean(name, wider)))
		}
		if strings.ContainsAny(added[name], ";,\r\n") {
			errs = append(errs, fmt.Errorf("Policy: the sources of %s contain %q; separate them by spaces", name, added[name]))
		}
	}
	return errors.Join(errs...)
}

// contentSecurityPolicy returns the policy of a page that calls some origins.
func contentSecurityPolicy(added map[string]string, origins []string) string {
	var policy []string
	for _, directive := range directives {
		name := directive[0]
		sources := strings.Fields(directive[1] + " " + added[name])
		if name == "connect-src" {
			sources = append(sources, origins...)
		}
		if len(sources) > 0 {
			policy = append(policy, name+" "+strings.Join(sources, " "))
		}
	}
	return strings.Join(policy, "; ")
}

// Origins lists the origins of servers with a host.
func Origins(servers openapi3.Servers) (origins []string) {
	for _, server := range servers {
		if server == nil {
			continue
		}
		if u, err := url.Parse(server.URL); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			origins = append(origins, u.Scheme+"://"+u.Host)
		}
	}
	return origins
}
