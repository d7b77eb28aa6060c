// Package page serves Swagger UI from embedded files, with a content security policy that allows no others. [Content] is
// a body that never changes.
package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// New returns a function that makes the page of Swagger UI once. The page shows the document at the path docs, and may send
// requests to the servers, which New copies because the caller may change them.
func New(title, docs string, servers openapi3.Servers) func() *Content {
	origins := origins(servers)
	return sync.OnceValue(func() *Content {
		page := NewContent("text/html; charset=utf-8", renderPage(title, docs))
		page.header.Set("Content-Security-Policy", contentSecurityPolicy(page.Body, origins))
		page.header.Set("Referrer-Policy", "no-referrer")
		page.header.Set("X-Frame-Options", "DENY")
		return page
	})
}

// layout is the page, with the placeholders {title}, {docs} and {document}.
const layout = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{docs}/swagger-ui.css">
<link rel="icon" type="image/png" sizes="32x32" href="{docs}/favicon-32x32.png">
<link rel="icon" type="image/png" sizes="16x16" href="{docs}/favicon-16x16.png">
<style>body { margin: 0; background: #fafafa; }</style>
</head>
<body>
<div id="swagger-ui"></div>
<script src="{docs}/swagger-ui-bundle.js"></script>
<script>
// Pages cannot set the Cookie header, so a cookie for authentication becomes one of this page.
function cookies() {
	function set(scheme, value) {
		if (scheme && scheme.get("type") === "apiKey" && scheme.get("in") === "cookie") {
			document.cookie = scheme.get("name") + "=" + value + "; path=/; SameSite=Strict" + (location.protocol === "https:" ? "; Secure" : "");
		}
	}
	return {statePlugins: {auth: {wrapActions: {
		authorize: function (next) {
			return function (given) {
				Object.values(given).forEach(function (one) { set(one.schema, one.value); });
				return next(given);
			};
		},
		logout: function (next, system) {
			return function (names) {
				names.forEach(function (name) { set(system.authSelectors.authorized().getIn([name, "schema"]), "; max-age=0"); });
				return next(names);
			};
		}
	}}}};
}
window.onload = function () {
	window.ui = SwaggerUIBundle({
		url: {document},
		dom_id: "#swagger-ui",
		deepLinking: true,
		defaultModelsExpandDepth: 0,
		displayRequestDuration: true,
		docExpansion: "list",
		plugins: [cookies],
		showCommonExtensions: true,
		showExtensions: true,
		tryItOutEnabled: true,
		validatorUrl: null
	});
};
</script>
</body>
</html>`

// renderPage renders the page, which is the same for all requests.
func renderPage(title, docs string) []byte {
	document, _ := json.Marshal(docs+".json", jsontext.EscapeForHTML(true), jsontext.AllowInvalidUTF8(true)) // any string can be encoded
	return []byte(strings.NewReplacer(
		"{title}", html.EscapeString(title), "{docs}", html.EscapeString(docs), "{document}", string(document),
	).Replace(layout))
}

// contentSecurityPolicy allows the page to run only its own scripts, and to call only the API.
func contentSecurityPolicy(page []byte, origins string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'" + hashes("script", page),
		"style-src 'self'" + hashes("style", page),
		"img-src 'self' data:",
		"connect-src 'self'" + origins,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
}

// hashes lists the hashes of the page's inline blocks of an element.
func hashes(element string, page []byte) string {
	var b strings.Builder
	block := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`)
	for _, match := range block.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(match[1])
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}

// origins lists the origins of servers with a host.
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
