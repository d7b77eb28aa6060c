package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// returns compares a response: the status, a space and the body.
func returns(t *testing.T, api http.Handler, request, body, want string) {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if got := w.Result().Status[:4] + strings.TrimSpace(w.Body.String()); got != want {
		t.Errorf("%s (%s) returns\n%s, want\n%s", request, body, got, want)
	}
}

// Bookmark belongs to a caller and has a name.
type Bookmark struct {
	Owner int64  `json:"owner" api:"id,readonly"` // Prepare sets it
	Name  string `json:"name" api:"id"`
}

func TestTheServiceSetsAPartOfTheGuidesIdentifier(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Bookmark]{
		Prepare: func(_ context.Context, _ *operation.Request, b *Bookmark) error {
			b.Owner = 7
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	returns(t, api, "POST /api/bookmarks", `{"name":"home"}`, `201 {"owner":7,"name":"home"}`)
}

func TestTheGuidesServiceConforms(t *testing.T) {
	t.Parallel()
	api, err := newAPI()
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(200))
}
