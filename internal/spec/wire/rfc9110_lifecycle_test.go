package wire_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestEveryResponseOfADeprecatedOperationSaysSo(t *testing.T) {
	t.Parallel()
	since, end := time.Unix(1688169599, 999), time.Date(2027, 6, 30, 23, 59, 59, 0, time.FixedZone("east", 3600))
	api := func(t testing.TB) spec.Client {
		t.Helper()
		fail := func(context.Context, *spec.Goblet, struct{}) (string, error) { return "", errors.New("secret") }
		explode := func(context.Context, *spec.Goblet, struct{}) (string, error) { panic("secret") }
		wait := func(ctx context.Context, _ *spec.Goblet, _ struct{}) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		return spec.NewClient(
			t, resource.Config{},
			resource.Of[spec.Goblet]{
				Store: memory.New(spec.Goblet{Title: "a"}), Deprecated: since, Sunset: end, DeprecationLink: "https://example.com/goblets?x=1",
				Operations: append(
					operation.Standard(),
					operation.Get{Name: "fail", URITemplate: "/fail", Handler: operation.Handle(fail)},
					operation.Get{Name: "explode", URITemplate: "/explode", Handler: operation.Handle(explode)},
					operation.Get{Name: "wait", URITemplate: "/wait", Handler: operation.Handle(wait), Timeout: time.Millisecond},
				),
			},
			resource.Of[spec.Keeper]{},
		)
	}
	for _, test := range []spec.Edge{
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "HEAD /api/goblets/1", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("If-None-Match", "*"), Status: 304, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/9", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("If-Match", `"x"`), Status: 412, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets?x=1", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets.ndjson", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{"title":"x"}`, Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{"title":""}`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `x`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "", Request: "PATCH /api/goblets/1", Body: `{"title":"x"}`, Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/fail", Body: "", Header: nil, Status: 500, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/explode", Body: "", Header: nil, Status: 500, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/wait", Body: "", Header: nil, Status: 503, Fields: nil, Mentions: nil},
		{Rule: "", Request: "DELETE /api/goblets/1", Body: "", Header: nil, Status: 204, Fields: nil, Mentions: nil},
	} {
		t.Run(test.Request+" "+http.StatusText(test.Status), func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, api, func(w spec.Wire) {
				w.Send(test.Request, test.Body, test.Header...).HasStatus(test.Status).
					Has("Deprecation", "@1688169599").Has("Sunset", "Wed, 30 Jun 2027 22:59:59 GMT").
					Has("Link", `<https://example.com/goblets?x=1>; rel="deprecation"`)
			})
		})
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		for _, request := range []string{"GET /api/keepers/x", "GET /nowhere", "GET /api"} {
			w.Send(request, "").Has("Deprecation", "").Has("Sunset", "").Has("Link", "")
		}
	})
}
