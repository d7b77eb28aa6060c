package resource_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Tome is a record as other libraries are tried with.
type Tome struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank" api:"filter"`
	Stars int    `json:"stars" default:"3"`
	Lent  bool   `json:"lent" default:"true"`
}

// tomes serves two records, without a Delete of the collection or of the records.
func tomes(t testing.TB) client {
	t.Helper()
	return newClient(t, resource.Config{}, resource.Of[Tome]{
		Store: memory.New(Tome{Title: "Dune"}, Tome{Title: "Emma"}),
		Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{}, operation.Patch{},
		},
	})
}

// What other libraries for Go were seen to get wrong.
func TestEdgesAtWhichOthersFail(t *testing.T) {
	t.Parallel()
	const list, item = "/api/tomes", "/api/tomes/1"
	const ofList, ofItem = "GET, HEAD, POST, OPTIONS", "GET, HEAD, PUT, PATCH, OPTIONS"
	for _, test := range []edge{
		{"an unknown route is a problem", "GET /nowhere", "", nil, 404, header("Allow", ""), nil},
		{"an unknown route below the prefix is a problem", "GET /api/nowhere", "", nil, 404, header("Allow", ""), nil},
		{"an unknown route with an unknown method is 404", "BREW /api/nowhere", "", nil, 404, header("Allow", ""), nil},
		{"DELETE of a collection is 405 with one Allow", "DELETE " + list, "", nil, 405, header("Allow", ofList), []string{ofList}},
		{"a removed operation is 405 with one Allow", "DELETE " + item, "", nil, 405, header("Allow", ofItem), nil},
		{"PUT of a collection is 405 with one Allow", "PUT " + list, "{}", nil, 405, header("Allow", ofList), nil},
		{"HEAD goes with every GET", "HEAD " + item, "", nil, 200, nil, nil},
		{"HEAD of what is not there has no body", "HEAD /api/tomes/9", "", nil, 404, nil, nil},
		{"OPTIONS of a record says what it takes", "OPTIONS " + item, "", nil, 204, header("Allow", ofItem, "Accept-Patch", "application/merge-patch+json, application/json", "Accept-Post", "", "Content-Type", ""), nil},
		{"OPTIONS of a collection says what it takes", "OPTIONS " + list, "", nil, 204, header("Allow", ofList, "Accept-Post", "application/json", "Accept-Patch", ""), nil},
		{"OPTIONS of the index", "OPTIONS /api", "", nil, 204, header("Allow", "GET, HEAD, OPTIONS", "Accept-Post", ""), nil},
		{"OPTIONS of what is not there is 404", "OPTIONS /api/nowhere", "", nil, 404, nil, nil},
		{"a text is 415 with what is supported", "POST " + list, `{"title":"x"}`, header("Content-Type", "text/plain"), 415, header("Accept-Post", "application/json"), []string{"application/json"}},
		{"a patch in a text is 415 with what is supported", "PATCH " + item, `{"title":"x"}`, header("Content-Type", "text/plain"), 415, header("Accept-Patch", "application/merge-patch+json, application/json"), []string{"merge-patch"}},
		{"Accept: text/csv is 406 with what is supported", "GET " + list, "", header("Accept", "text/csv"), 406, header("Vary", "Accept"), []string{`"supported":["application/json","application/x-ndjson"]`}},
		{"Accept: text/csv is 406 before anything is saved", "POST " + list, `{"title":"x"}`, header("Accept", "text/csv"), 406, header("Vary", "Accept"), []string{`"supported":["application/json"]`}},
		{"2 MiB are too much", "POST " + list, `{"title":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, nil, []string{"1048576"}},
		{"a second JSON value behind the first", "POST " + list, `{"title":"x"}{"x":1}`, nil, 400, nil, nil},
		{"a member twice", "POST " + list, `{"title":"x","title":"y"}`, nil, 400, nil, []string{"title"}},
		{"a member that nobody knows", "POST " + list, `{"title":"x","isbn":"y"}`, nil, 400, nil, []string{"isbn"}},
		{"an unknown parameter is told with the ones that there are", "GET " + list + "?titel=x", "", nil, 400, nil, []string{`did you mean \"title\"?`, `"allowed":[`}},
		{"a parameter of the wrong type is told by name", "GET " + list + "?itemsPerPage=abc", "", nil, 400, nil, []string{`"name":"itemsPerPage"`}},
		{"a default is no reason to drop false and 0", "POST " + list, `{"title":"x","stars":0,"lent":false}`, nil, 201, header("Content-Type", "application/json"), []string{`"stars":0`, `"lent":false`}},
		{"a member that is left out has its default", "POST " + list, `{"title":"x"}`, nil, 201, header("Content-Type", "application/json", "Location", "/api/tomes/3"), []string{`"stars":3`, `"lent":true`}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, tomes, func(w wire) { test.play(w, list) })
		})
	}
}
