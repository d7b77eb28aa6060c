package openapi

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
)

// page is Swagger UI: the page and the files that it loads, by their names.
type page struct {
	index  *content
	assets map[string]*asset
}

// settings are those of Swagger UI, as JavaScript.
var settings = map[string]string{
	"docExpansion":             `"list"`,
	"tryItOutEnabled":          "true",
	"displayRequestDuration":   "true",
	"defaultModelsExpandDepth": "0",
}

// newPage makes the page at the path docs.
func newPage(config Config, docs string) (page, error) {
	html := renderPage(swgui.Config{
		Title:       cmp.Or(config.Title, defaultTitle),
		SwaggerJSON: docs + ".json",
		BasePath:    docs,
		SettingsUI:  settings,
	})
	index := newContent("text/html; charset=utf-8", html)
	index.header.Set("Content-Security-Policy", contentSecurityPolicy(html, config.Servers))
	index.header.Set("Referrer-Policy", "no-referrer")
	index.header.Set("X-Frame-Options", "DENY")
	assets, err := assetsOf(html, docs)
	return page{index, assets}, err
}

// renderPage renders Swagger UI's page, which is the same for every request.
func renderPage(config swgui.Config) []byte {
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: config.BasePath}}
	var rendered capture
	v5emb.NewHandlerWithConfig(config).ServeHTTP(&rendered, r)
	return bytes.TrimSpace(rendered.Bytes())
}

// capture is a response that keeps its body.
type capture struct {
	bytes.Buffer

	header http.Header
}

// Header returns a header that nobody reads.
func (c *capture) Header() http.Header {
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}

// WriteHeader does nothing: the page has no other status than 200.
func (*capture) WriteHeader(int) {}

var (
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	inlineStyle  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
)

// contentSecurityPolicy lets the page run what it came with, and call the API alone.
func contentSecurityPolicy(html []byte, servers openapi3.Servers) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'" + hashes(inlineScript, html),
		"style-src 'self'" + hashes(inlineStyle, html),
		"img-src 'self' data:",
		"connect-src 'self'" + origins(servers),
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
}

// hashes lists the hashes of the page's inline blocks.
func hashes(block *regexp.Regexp, html []byte) string {
	var b strings.Builder
	for _, match := range block.FindAllSubmatch(html, -1) {
		sum := sha256.Sum256(match[1])
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}

// origins lists the origins of servers that are not where the page is.
func origins(servers openapi3.Servers) string {
	var b strings.Builder
	for _, server := range servers {
		if server == nil {
			continue
		}
		if u, err := url.Parse(server.URL); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			b.WriteString(" " + u.Scheme + "://" + u.Host)
		}
	}
	return b.String()
}
