// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// cheap is a hasher for tests: it takes almost no time.
var cheap = &password.Hasher{Memory: 8, Passes: 1}

// service is the service with a treasure of Ann's that is published, a draft, and how she and Bob, who follows her, sign in.
func service(t *testing.T) (api *resource.API, ann, bob http.Header) {
	t.Helper()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err = newAPI(t.Context(), db, cheap)
	if err != nil {
		t.Fatal(err)
	}
	ann = http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:correct horse"))}}
	bob = http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("bob:battery staple"))}}
	send(t, api, nil, "POST /api/users", `{"email":"ann@example.com","username":"ann","password":"correct horse"}`, 201)
	send(t, api, nil, "POST /api/users", `{"email":"bob@example.com","username":"bob","password":"battery staple"}`, 201)
	send(t, api, bob, "PUT /api/users/2/follows/1", "", 204)
	send(t, api, ann, "POST /api/dragon_treasures", `{"name":"Crown","isPublished":true}`, 201)
	send(t, api, ann, "POST /api/dragon_treasures/1/reviews", `{"rating":5}`, 201)
	send(t, api, ann, "POST /api/dragon_treasures", `{"name":"Ring"}`, 201)
	return api, ann, bob
}

// send sends a request, and returns the body of an answer that has the status.
func send(t *testing.T, api http.Handler, header http.Header, request, body string, status int) string {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if w.Code != status {
		t.Errorf("%s answers %d, want %d: %s", request, w.Code, status, w.Body)
	}
	return w.Body.String()
}

func TestDraftsAreTheirOwners(t *testing.T) {
	t.Parallel()
	api, ann, _ := service(t)
	send(t, api, nil, "GET /api/dragon_treasures/2", "", 404)
	send(t, api, ann, "PATCH /api/dragon_treasures/2", `{"isPublished":true}`, 200)
	send(t, api, nil, "GET /api/dragon_treasures/2", "", 200)
}

func TestAnswersAreAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	api, ann, bob := service(t)
	openapitest.Conform(t, api, openapitest.Requests(10),
		openapitest.As("nobody", nil), openapitest.As("ann", ann), openapitest.As("bob", bob),
		openapitest.NeverSucceeds("deleteUser")) // nobody here is an admin
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	api, ann, bob := service(t)
	accesstest.Matrix(t, api, "testdata/access.golden",
		accesstest.Callers{{Name: "anonymous"}, {Name: "ann", Header: ann}, {Name: "bob", Header: bob}},
		accesstest.Records{
			"User": {"ann": "1"}, "DragonTreasure": {"published": "1", "draft": "2"},
			"Review": {"ann's": "1"}, "Notification": {"bob's": "1"},
		})
}
