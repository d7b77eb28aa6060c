package wire_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
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
func tomes(t testing.TB) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{}, resource.Of[Tome]{
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
	for _, test := range []spec.Edge{
		{Rule: "an unknown route is a problem", Request: "GET /nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "an unknown route below the prefix is a problem", Request: "GET /api/nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "an unknown route with an unknown method is 404", Request: "BREW /api/nowhere", Body: "", Header: nil, Status: 404, Fields: spec.Header("Allow", ""), Mentions: nil},
		{Rule: "DELETE of a collection is 405 with one Allow", Request: "DELETE " + list, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofList), Mentions: []string{ofList}},
		{Rule: "a removed operation is 405 with one Allow", Request: "DELETE " + item, Body: "", Header: nil, Status: 405, Fields: spec.Header("Allow", ofItem), Mentions: nil},
		{Rule: "PUT of a collection is 405 with one Allow", Request: "PUT " + list, Body: "{}", Header: nil, Status: 405, Fields: spec.Header("Allow", ofList), Mentions: nil},
		{Rule: "HEAD goes with every GET", Request: "HEAD " + item, Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "HEAD of what is not there has no body", Request: "HEAD /api/tomes/9", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "OPTIONS of a record says what it takes", Request: "OPTIONS " + item, Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", ofItem, "Accept-Patch", "application/merge-patch+json, application/json", "Accept-Post", "", "Content-Type", ""), Mentions: nil},
		{Rule: "OPTIONS of a collection says what it takes", Request: "OPTIONS " + list, Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", ofList, "Accept-Post", "application/json", "Accept-Patch", ""), Mentions: nil},
		{Rule: "OPTIONS of the index", Request: "OPTIONS /api", Body: "", Header: nil, Status: 204, Fields: spec.Header("Allow", "GET, HEAD, OPTIONS", "Accept-Post", ""), Mentions: nil},
		{Rule: "OPTIONS of what is not there is 404", Request: "OPTIONS /api/nowhere", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "a text is 415 with what is supported", Request: "POST " + list, Body: `{"title":"x"}`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: spec.Header("Accept-Post", "application/json"), Mentions: []string{"application/json"}},
		{Rule: "a patch in a text is 415 with what is supported", Request: "PATCH " + item, Body: `{"title":"x"}`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: spec.Header("Accept-Patch", "application/merge-patch+json, application/json"), Mentions: []string{"merge-patch"}},
		{Rule: "Accept: text/csv is 406 with what is supported", Request: "GET " + list, Body: "", Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: []string{`"supported":["application/json","application/x-ndjson"]`}},
		{Rule: "Accept: text/csv is 406 before anything is saved", Request: "POST " + list, Body: `{"title":"x"}`, Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: spec.Header("Vary", "Accept"), Mentions: []string{`"supported":["application/json"]`}},
		{Rule: "2 MiB are too much", Request: "POST " + list, Body: `{"title":"` + strings.Repeat("x", 2<<20) + `"}`, Header: nil, Status: 413, Fields: nil, Mentions: []string{"1048576"}},
		{Rule: "a second JSON value behind the first", Request: "POST " + list, Body: `{"title":"x"}{"x":1}`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "a field twice", Request: "POST " + list, Body: `{"title":"x","title":"y"}`, Header: nil, Status: 400, Fields: nil, Mentions: []string{"title"}},
		{Rule: "a field that nobody knows", Request: "POST " + list, Body: `{"title":"x","isbn":"y"}`, Header: nil, Status: 400, Fields: nil, Mentions: []string{"isbn"}},
		{Rule: "an unknown parameter lists the known ones", Request: "GET " + list + "?titel=x", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{`did you mean \"title\"?`, `"allowed":[`}},
		{Rule: "a parameter of the wrong type is reported by name", Request: "GET " + list + "?itemsPerPage=abc", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{`"name":"itemsPerPage"`}},
		{Rule: "a default is no reason to drop false and 0", Request: "POST " + list, Body: `{"title":"x","stars":0,"lent":false}`, Header: nil, Status: 201, Fields: spec.Header("Content-Type", "application/json"), Mentions: []string{`"stars":0`, `"lent":false`}},
		{Rule: "a field that is left out has its default", Request: "POST " + list, Body: `{"title":"x"}`, Header: nil, Status: 201, Fields: spec.Header("Content-Type", "application/json", "Location", "/api/tomes/3"), Mentions: []string{`"stars":3`, `"lent":true`}},
	} {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, tomes, func(w spec.Wire) { test.Play(w, list) })
		})
	}
}
