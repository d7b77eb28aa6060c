package views_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestResponsesToPostPutAndPatchHaveAContentLocation(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Programmer]{
		Operations: append(operation.Standard(),
			operation.Put{Name: "make", URITemplate: "/makers/{nickname}", AllowCreate: true},
			operation.Patch{Name: "quiet", URITemplate: "/quiet/{nickname}", Status: 204},
			operation.Post{Name: "touch", URITemplate: "/programmers/{nickname}/touch", Handler: operation.Handle(
				func(_ context.Context, p *spec.Programmer, _ struct{}) (*spec.Programmer, error) { return p, nil },
			)},
		),
	}
	// With a middleware requests go through the router, without one most do not.
	through := func(next http.Handler) http.Handler { return next }
	for _, middleware := range [][]func(http.Handler) http.Handler{nil, {through}} {
		of.Store = memory.New(spec.Programmer{Nickname: "ann"}, spec.Programmer{Nickname: "a b/ü.json"})
		c := spec.NewClient(t, resource.Config{Middleware: middleware}, of)
		for _, test := range []struct {
			rule, request, body string
			status              int
			place               string
		}{
			{"a patch", "PATCH /api/programmers/ann", `{"avatarNumber":1}`, 200, "/api/programmers/ann"},
			{"a put", "PUT /api/programmers/ann", `{"avatarNumber":2}`, 200, "/api/programmers/ann"},
			{"a format suffix is no part of it", "PATCH /api/programmers/ann.json", `{}`, 200, "/api/programmers/ann"},
			{"what must be encoded", "PATCH /api/programmers/a%20b%2F%C3%BC%2Ejson", `{}`, 200, "/api/programmers/a%20b%2F%C3%BC%2Ejson"},
			{"a put at an address of its own", "PUT /api/makers/ann", `{"avatarNumber":3}`, 200, "/api/programmers/ann"},
			{"a put that creates", "PUT /api/makers/bob", `{}`, 201, "/api/programmers/bob"},
			{"a patch without an answer", "PATCH /api/quiet/ann", `{}`, 204, ""},
			{"a refusal", "PATCH /api/programmers/ann", `{"colour":1}`, 400, ""},
			{"a handler", "POST /api/programmers/ann/touch", "", 200, ""},
			{"a creation", "POST /api/programmers", `{"nickname":"eve"}`, 201, "/api/programmers/eve"},
			{"a Get", "GET /api/programmers/ann", "", 200, ""},
		} {
			got := c.Send(test.request, test.body).HasStatus(test.status)
			if place := got.Header.Get("Content-Location"); place != test.place {
				t.Errorf("%s: Content-Location is %q, want %q", test.rule, place, test.place)
			}
			if test.place != "" {
				c.Send("GET "+test.place, "").Is(200, got.Body).Has("ETag", got.Header.Get("ETag"))
			}
		}
	}
}
