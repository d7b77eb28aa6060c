package admin

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/invoke"
)

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
