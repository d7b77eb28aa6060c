package html_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/html"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/resource"
)

// browser is the header field Accept of browsers.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// client sends requests as a browser does.
type client struct {
	t      testing.TB
	api    http.Handler
	fields []string // of each request: name, value
}

// newClient returns a client of an API with pages.
func newClient(t testing.TB, config resource.Config, declarations ...resource.Declaration) client {
	t.Helper()
	if config.Formats == nil {
		config.Formats = append(format.Standard(), html.Format)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return client{t: t, api: api}
}

// with returns a client that sends another header field.
func (c client) with(name, value string) client {
	c.fields = append(slices.Clip(c.fields), name, value)
	return c
}

// send sends a request such as "GET /api/books", with a body.
func (c client) send(request, body string, fields ...string) formattest.Response {
	c.t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.t.Context(), method, target, strings.NewReader(body))
	fields = append(slices.Clip(c.fields), fields...)
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	c.api.ServeHTTP(w, r)
	return formattest.Response{T: c.t, Status: w.Code, Header: w.Header(), Body: style.ReplaceAllString(w.Body.String(), "")}
}

// style is the stylesheet in a page.
var style = regexp.MustCompile(`(?s)<style>.*?</style>`)

// get gets a page.
func (c client) get(path string) formattest.Response {
	c.t.Helper()
	return c.send("GET "+path, "", "Accept", browser)
}

// json sends JSON as a program does.
func (c client) json(request, body string) formattest.Response {
	c.t.Helper()
	return c.send(request, body, "Content-Type", "application/json")
}

// post sends a form: name, value, name, value.
func (c client) post(target string, pairs ...string) formattest.Response {
	c.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return c.send("POST "+target, form.Encode(), "Accept", browser, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}
