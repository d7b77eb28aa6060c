package format_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// change is a request that is not a GET, or that fails.
type change struct {
	request, body string
	status        int
	fields        []string
}

// changes are all sorts of them, of a museum.
var changes = []change{
	{"POST /api/keepers", `{"@context":"/api/contexts/Keeper","@type":"Keeper","Name":"Cy","Since":"2026-01-02T03:04:05Z"}`, 201, nil},
	{"PUT /api/keepers/1", `{"@id":"/api/keepers/1","Name":"Anne"}`, 200, nil},
	{"PATCH /api/exhibits/1", `{"@type":"Exhibit","keeper":"/api/keepers/1"}`, 200, nil},
	{"PUT /api/honours/medals/tin", `{"metal":"Sn"}`, 201, nil},
	{"POST /api/visits", `{"when":"2026-01-02T03:04:05Z"}`, 201, nil},
	{"POST /api/tickets", `{"price":2}`, 201, nil},
	{"POST /api/exhibits/1/reviews", `{"stars":5}`, 201, nil},
	{"POST /api/choose", "", 200, nil},
	{"DELETE /api/exhibits/5", "", 204, nil},

	{"GET /api/exhibits/99", "", 404, nil},
	{"DELETE /api/exhibits/99", "", 404, nil},
	{"GET /api/exhibits?colour=red&page=0&worth[gt]=x", "", 400, nil},
	{"GET /api/exhibits?fields=colour&expand=x", "", 400, nil},
	{"POST /api/exhibits", `{"title":"","pieces":-1,"colour":"red","keeper":"/api/keepers/99","halls":["x"],"body":{"parts":[{"name":1}]}}`, 400, nil},
	{"POST /api/exhibits", `{"title":`, 400, nil},
	{"POST /api/exhibits", `{"title":"a","title":"b"}`, 400, nil},
	{"POST /api/exhibits", `[]`, 400, nil},
	{"POST /api/exhibits", strings.Repeat(`{"x":`, 99), 413, nil},
	{"PUT /api/keepers/1", `{"@id":"/api/keepers/2"}`, 400, nil},
	{"PUT /api/keepers/1", `{"@type":"Hall"}`, 400, nil},
	{"POST /api/exhibits", `x`, 415, []string{"Content-Type", "text/plain"}},
	{"POST /api/halls", `{"name":"a/b.json"}`, 409, nil},
	{"DELETE /api/keepers/1", "", 409, nil},
	{"PUT /api/keepers/1", `{}`, 412, []string{"If-Match", `"x"`}},
	{"GET /api/keepers/1", "", 400, []string{"If-None-Match", "x"}},
}

// errorsOfArchive are kinds of errors that the museum cannot return.
var errorsOfArchive = []change{
	{"GET /api/secrets/1", "", 401, nil},
	{"POST /api/secrets", `{"text":"x"}`, 403, []string{"Authorization", "Bearer guest"}},
	{"POST /api/secrets", `{"text":"x","level":1}`, 403, []string{"Authorization", "Bearer clerk"}},
	{"POST /api/secrets", `{"text":" "}`, 422, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{` + unknown(200) + `}`, 422, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{"text":"x"}`, 201, []string{"Authorization", "Bearer chief"}},
	{"POST /api/shelves", `{"room":"a","place":1}`, 201, []string{"Authorization", "Bearer chief"}},
	{"PATCH /api/shelves/a;1", `{"under":"a;1"}`, 200, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{"text":"x","shelf":"a;1","shelves":["a;1"],"like":[1]}`, 201, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets/2?expand=shelf.under,shelves,like", "", 200, []string{"Authorization", "Bearer clerk"}},
	{"GET /api/secrets?expand=shelf,shelves,like", "", 200, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets?pagination=false", "", 200, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets/2?expand=x", "", 400, []string{"Authorization", "Bearer clerk"}},
	{"DELETE /api/secrets/1", "", 428, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets/fail", "", 500, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets/refuse", "", 402, []string{"Authorization", "Bearer chief"}},
}

// unknown returns a number of unknown fields.
func unknown(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"x%d":1`, i)
	}
	return strings.Join(names, ",")
}

type Secret struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank"`
	Level int    `json:"level"`

	Shelf   *ShelfKey  `json:"shelf" api:"ref=Shelf,expand"`
	Shelves []ShelfKey `json:"shelves" validate:"max=3" api:"ref=Shelf,expand"`
	Like    []int64    `json:"like" validate:"max=3" api:"ref=Secret,expand"`
}

// Shelf is identified by two fields, and referred to by an object with them.
type Shelf struct {
	Room  string    `json:"room" api:"id"`
	Place int64     `json:"place" api:"id"`
	Under *ShelfKey `json:"under" api:"ref=Shelf,expand"`
}

type ShelfKey struct {
	Room  string `json:"room"`
	Place int64  `json:"place"`
}

type caller struct{ role string }

// newArchive returns an API that rejects most requests, and has identifiers instead of paths.
func newArchive(t *testing.T, f format.Format) formattest.Client {
	t.Helper()
	is := func(role string) access.Rule {
		return access.If(role, func(c *caller) bool { return c.role == role })
	}
	staff := access.Any(is("clerk"), is("chief"))
	fail := func(context.Context, *Secret, struct{}) (struct{}, error) { return struct{}{}, errors.New("lost") }
	refuse := func(context.Context, *Secret, struct{}) (struct{}, error) {
		return struct{}{}, operation.Error{Status: 402, Type: "https://example.com/problems/unpaid", Title: "Unpaid", Detail: "There is a fee."}
	}
	api, err := resource.New(resource.Config{
		Formats: append(format.Standard(), f), Errors: validation.Problem, Logger: slog.New(slog.DiscardHandler),
		Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (*caller, access.Scopes, error) {
			return &caller{token}, access.Unlimited, nil
		})},
		References: resource.Identifiers,
	}, resource.Of[Shelf]{Access: access.Rules{Read: is("chief"), Create: staff, Update: staff, Delete: staff}}, resource.Of[Secret]{
		RequirePrecondition: true,
		Pagination:          operation.Pagination{ClientEnabled: new(true)},
		Access:              access.Rules{Read: staff, Create: staff, Update: staff, Delete: staff, Fields: map[string]access.Field{"level": {Write: is("chief")}}},
		Operations: append(operation.Standard(),
			operation.Post{Name: "fail", URITemplate: "/secrets/fail", Handler: operation.Handle(fail)},
			operation.Post{Name: "refuse", URITemplate: "/secrets/refuse", Handler: operation.Handle(refuse)}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return formattest.Client{T: t, API: api, MediaType: f.MediaType}
}

// change sends changes, and follows the links in the responses.
func (w *walk) change(changes []change) {
	w.c.T.Helper()
	for i, of := range changes {
		answer := w.c.Send(of.request, of.body, append([]string{"Accept", w.mediaType, "Content-Type", w.mediaType}, of.fields...)...)
		if answer.Status != of.status || answer.Body != "" && answer.Header.Get("Content-Type") != w.mediaType {
			w.c.T.Errorf("%s %s is %d %s, want %d: %s", of.request, of.body, answer.Status, answer.Header.Get("Content-Type"), of.status, answer.Body)
			continue
		}
		if answer.Body == "" {
			continue
		}
		value, err := decodeStrictly(json.NewDecoder(strings.NewReader(answer.Body)))
		if err != nil {
			w.c.T.Errorf("%s: %v: %s", of.request, err, answer.Body)
			continue
		}
		w.answers[fmt.Sprintf("%s %d", of.request, i)] = value
		w.follow(value, of.request)
	}
}
