package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// shop is an API with the callers ann and root.
func shop(t *testing.T) *resource.API {
	t.Helper()
	api, err := newAPI(users{"ann": {Name: "ann"}, "root": {Name: "root", Admin: true}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// send sends a request as a caller and compares the response: the status, a space and the body.
func send(t *testing.T, api http.Handler, caller, request, body, want string) {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if caller != "" {
		r.Header.Set("Authorization", "Bearer "+caller)
	}
	if r.Header.Set("Content-Type", "application/json"); method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	if body != "" && !strings.ContainsAny(body[:1], "{[") {
		r.Header.Set("Content-Type", "text/csv")
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if got := w.Result().Status[:4] + strings.TrimSpace(w.Body.String()); got != want {
		t.Errorf("%s %s (%s) returns\n%s, want\n%s", caller, request, body, got, want)
	}
}

func TestTheGuidesServiceWorks(t *testing.T) {
	t.Parallel()
	api := shop(t)
	send(t, api, "root", "POST /api/products/import", `[{"name":"Pen","cents":120,"cost":80,"owner":"ann"},{"name":"Desk","cents":9900}]`, `200 {"count":2}`)
	send(t, api, "root", "POST /api/products/import", "name,cents\r\nCup,400\r\n", `200 {"count":1}`)
	send(t, api, "root", "GET /api/products/export", "", "200 id,name,cents,cost\r\n1,Pen,120,80\r\n2,Desk,9900,0\r\n3,Cup,400,0")
	send(t, api, "root", "GET /api/products/1", "", `200 {"id":1,"name":"Pen","cents":120,"cost":80,"owner":"ann","isMine":false}`)
	send(t, api, "ann", "GET /api/products/1", "", `200 {"id":1,"name":"Pen","cents":120,"owner":"ann","isMine":true}`)
	send(t, api, "root", "PATCH /api/products", `[{"id":2,"cents":9000},{"id":3,"owner":"bob"}]`, `200 [{"id":2,"name":"Desk","cents":9000,"cost":0,"owner":"","isMine":false},`+
		`{"id":3,"name":"Cup","cents":400,"cost":0,"owner":"bob","isMine":false}]`)
	send(t, api, "root", "PATCH /api/products", `[{"id":2,"cents":9900},{"id":3,"owner":""},{"id":4}]`,
		`400 {"type":"validation_error","title":"There was a validation error","errors":{"[2].id":"id must be the identifier of an existing Product"}}`)
	send(t, api, "root", "PATCH /api/products", `[{"id":2,"cents":9900},{"id":3,"owner":""}]`, `200 [{"id":2,"name":"Desk","cents":9900,"cost":0,"owner":"","isMine":false},`+
		`{"id":3,"name":"Cup","cents":400,"cost":0,"owner":"","isMine":false}]`)
	send(t, api, "", "GET /api/products/cards", "", `200 [{"id":1,"name":"Pen"},{"id":2,"name":"Desk"},{"id":3,"name":"Cup"}]`)
	send(t, api, "", "GET /api/products/cheap.csv?sort=-cents", "", "200 id,name,cents,cost,owner,isMine\r\n3,Cup,400,,,false\r\n1,Pen,120,,ann,false")
	send(t, api, "", "POST /api/items", `{"name":"Mug","euros":7}`, `201 {"name":"Mug","euros":7}`)
	send(t, api, "", "PATCH /api/items/1", `{"euros":8}`, `200 {"name":"Mug","euros":8}`)
	send(t, api, "", "POST /api/deeds", `{"serial":"a"}`, `201 {"id":1,"serial":"a"}`)
	send(t, api, "", "PATCH /api/deeds/1", `{"serial":"a"}`, `200 {"id":1,"serial":"a"}`)
}

func TestTheGuidesServiceConforms(t *testing.T) {
	t.Parallel()
	header := func(who string) http.Header { return http.Header{"Authorization": {"Bearer " + who}} }
	openapitest.Conform(t, shop(t), openapitest.As("root", header("root")), openapitest.As("ann", header("ann")), openapitest.Requests(300))
}
