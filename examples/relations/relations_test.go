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

// Address is where somebody lives.
type Address struct {
	City string `json:"city" api:"filter,sort"`
}

// through declares treasures that are found and ordered by their owners.
func through() (*resource.API, error) {
	type User struct {
		ID      int64   `json:"id"`
		Name    string  `json:"name" api:"filter=partial,sort"`
		Address Address `json:"address"`
	}
	type Treasure struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" api:"ref=User,expand,filter,through=name|address.city"`
	}
	return resource.New(resource.Config{}, resource.Of[User]{}, resource.Of[Treasure]{})
}

// answers compares what an API answers: a status, a space and the body.
func answers(t *testing.T, api http.Handler, request, body, want string) {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if got := w.Result().Status[:4] + strings.TrimSpace(w.Body.String()); got != want {
		t.Errorf("%s (%s) answers\n%s, want\n%s", request, body, got, want)
	}
}

func TestTheGuidesServiceWorks(t *testing.T) {
	t.Parallel()
	api, err := newAPI()
	if err != nil {
		t.Fatal(err)
	}
	const ring = `{"id":1,"name":"Ring","owner":"/api/users/1","heir":null,"tags":["/api/tags/old"]}`
	answers(t, api, "POST /api/users", `{"name":"Ann"}`, `201 {"id":1,"name":"Ann","treasures":"/api/users/1/treasures"}`)
	answers(t, api, "POST /api/tags", `{"id":"old"}`, `201 {"id":"old"}`)
	answers(t, api, "POST /api/users/1/treasures", `{"name":"Ring","tags":["/api/tags/old"]}`, "201 "+ring)
	answers(t, api, "GET /api/treasures?owner=/api/users/1", "", "200 ["+ring+"]")
	answers(t, api, "GET /api/users/1/treasures/1?expand=owner,tags", "", "200 "+ring[:len(ring)-1]+
		`,"_embedded":{"owner":{"id":1,"name":"Ann","treasures":"/api/users/1/treasures"},"tags":[{"id":"old"}]}}`)
	answers(t, api, "GET /api/statuses/paid", "", `200 {"id":"paid","position":2,"description":"Waits for a parcel service."}`)
	answers(t, api, "POST /api/orders", `{"status":"/api/statuses/paid"}`, `201 {"id":1,"status":"/api/statuses/paid"}`)
	answers(t, api, "POST /api/orders/1/lines", `{"line":2,"product":"Rope"}`, `201 {"order":"/api/orders/1","line":2,"product":"Rope"}`)
	answers(t, api, "GET /api/order_lines/1;2", "", `200 {"order":"/api/orders/1","line":2,"product":"Rope"}`)
	answers(t, api, "GET /api/quests", "", `200 [{"id":1,"name":"Grail"}]`)
}

func TestTheGuidesFiltersThroughReferencesWork(t *testing.T) {
	t.Parallel()
	api, err := through()
	if err != nil {
		t.Fatal(err)
	}
	answers(t, api, "POST /api/users", `{"name":"ann","address":{"city":"Rye"}}`, `201 {"id":1,"name":"ann","address":{"city":"Rye"}}`)
	answers(t, api, "POST /api/treasures", `{"owner":"/api/users/1"}`, `201 {"id":1,"owner":"/api/users/1"}`)
	answers(t, api, "GET /api/treasures?owner.name=ann&owner.address.city=Rye&owner.address.city=Ems&sort=-owner.name", "", `200 [{"id":1,"owner":"/api/users/1"}]`)
	answers(t, api, "GET /api/treasures?owner.address.city=Ems", "", `200 []`)
}

// Bookmark is of the guide: the caller's own, by name.
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
	answers(t, api, "POST /api/bookmarks", `{"name":"home"}`, `201 {"owner":7,"name":"home"}`)
}

func TestTheGuidesServiceConforms(t *testing.T) {
	t.Parallel()
	api, err := newAPI()
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(200))
}
