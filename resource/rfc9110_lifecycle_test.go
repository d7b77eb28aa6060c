package resource_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestEveryAnswerOfADeprecatedOperationSaysSo(t *testing.T) {
	t.Parallel()
	since, end := time.Unix(1688169599, 999), time.Date(2027, 6, 30, 23, 59, 59, 0, time.FixedZone("east", 3600))
	api := func(t testing.TB) client {
		t.Helper()
		fail := func(context.Context, *Goblet, struct{}) (string, error) { return "", errors.New("secret") }
		explode := func(context.Context, *Goblet, struct{}) (string, error) { panic("secret") }
		wait := func(ctx context.Context, _ *Goblet, _ struct{}) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		return newClient(
			t, resource.Config{},
			resource.Of[Goblet]{
				Store: memory.New(Goblet{Title: "a"}), Deprecated: since, Sunset: end, DeprecationLink: "https://example.com/goblets?x=1",
				Operations: append(
					operation.Standard(),
					operation.Get{Name: "fail", URITemplate: "/fail", Handler: operation.Handle(fail)},
					operation.Get{Name: "explode", URITemplate: "/explode", Handler: operation.Handle(explode)},
					operation.Get{Name: "wait", URITemplate: "/wait", Handler: operation.Handle(wait), Timeout: time.Millisecond},
				),
			},
			resource.Of[Keeper]{},
		)
	}
	for _, test := range []edge{
		{"", "GET /api/goblets/1", "", nil, 200, nil, nil},
		{"", "HEAD /api/goblets/1", "", nil, 200, nil, nil},
		{"", "GET /api/goblets/1", "", header("If-None-Match", "*"), 304, nil, nil},
		{"", "GET /api/goblets/9", "", nil, 404, nil, nil},
		{"", "GET /api/goblets/1", "", header("If-Match", `"x"`), 412, nil, nil},
		{"", "GET /api/goblets/1", "", header("Accept", "text/csv"), 406, nil, nil},
		{"", "GET /api/goblets?x=1", "", nil, 400, nil, nil},
		{"", "GET /api/goblets.ndjson", "", nil, 200, nil, nil},
		{"", "POST /api/goblets", `{"title":"x"}`, nil, 201, nil, nil},
		{"", "POST /api/goblets", `{"title":""}`, nil, 400, nil, nil},
		{"", "POST /api/goblets", `{`, nil, 400, nil, nil},
		{"", "POST /api/goblets", `x`, header("Content-Type", "text/plain"), 415, nil, nil},
		{"", "PATCH /api/goblets/1", `{"title":"x"}`, nil, 200, nil, nil},
		{"", "GET /api/fail", "", nil, 500, nil, nil},
		{"", "GET /api/explode", "", nil, 500, nil, nil},
		{"", "GET /api/wait", "", nil, 503, nil, nil},
		{"", "DELETE /api/goblets/1", "", nil, 204, nil, nil},
	} {
		t.Run(test.request+" "+http.StatusText(test.status), func(t *testing.T) {
			t.Parallel()
			overTheWire(t, api, func(w wire) {
				w.send(test.request, test.body, test.header...).hasStatus(test.status).
					has("Deprecation", "@1688169599").has("Sunset", "Wed, 30 Jun 2027 22:59:59 GMT").
					has("Link", `<https://example.com/goblets?x=1>; rel="deprecation"`)
			})
		})
	}
	overTheWire(t, api, func(w wire) {
		for _, request := range []string{"GET /api/keepers/x", "GET /nowhere", "GET /api"} {
			w.send(request, "").has("Deprecation", "").has("Sunset", "").has("Link", "")
		}
	})
}
