// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"encoding/base64"
	"flag"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

var _ = flag.Bool("update", false, "write golden files")

// service returns an API with two users and two treasures of Ann's, and the credentials of both users.
func service(t *testing.T) (api *resource.API, ann, bob http.Header) {
	t.Helper()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err = newAPI(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	ann = http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:correct horse"))}}
	bob = http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("bob:battery staple"))}}
	send(t, api, nil, "POST /api/users", `{"username":"ann","password":"correct horse"}`, 201)
	send(t, api, nil, "POST /api/users", `{"username":"bob","password":"battery staple"}`, 201)
	send(t, api, ann, "POST /api/dragon_treasures", `{"name":"Crown","value":90,"isPublished":true}`, 201)
	send(t, api, ann, "POST /api/dragon_treasures", `{"name":"Ring","value":50}`, 201)
	send(t, api, ann, "PATCH /api/dragon_treasures/1", `{"value":100}`, 200)
	return api, ann, bob
}

// send sends a request, checks the status of the response and returns its body.
func send(t *testing.T, api http.Handler, header http.Header, request, body string, status int) string {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if w.Code != status {
		t.Errorf("%s returned %d, want %d: %s", request, w.Code, status, w.Body)
	}
	return w.Body.String()
}

func TestResponsesMatchTheDocument(t *testing.T) {
	api, ann, bob := service(t)
	openapitest.Golden(t, api, "testdata/openapi.json")
	openapitest.Conform(t, api, openapitest.Requests(10),
		openapitest.As("anonymous", nil), openapitest.As("ann", ann), openapitest.As("bob", bob))
}

func TestWhoCanDoWhat(t *testing.T) {
	api, ann, bob := service(t)
	accesstest.Matrix(t, api, "testdata/access.golden",
		accesstest.Callers{{Name: "anonymous"}, {Name: "ann", Header: ann}, {Name: "bob", Header: bob}},
		accesstest.Records{
			"User": {"ann": "1"}, "DragonTreasure": {"published": "1", "draft": "2"}, "ValueChange": {"crown's": "1"},
		})
}
