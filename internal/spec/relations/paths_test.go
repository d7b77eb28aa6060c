package relations_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Mooring is below coves alone.
type Mooring struct {
	Code string  `json:"code" api:"id"`
	Cove string  `json:"cove" api:"ref=Cove"`
	Next *string `json:"next" api:"ref=Cove"`
}

func TestTheOnlyPathOfARecordCanBeBelowAnotherRecord(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)
	api, err := resource.New(resource.Config{Formats: formats}, resource.Of[Mooring]{Path: "/coves/{cove}/moorings"}, resource.Of[Cove]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("POST /api/coves", `{"name":"Bree/East"}`).HasStatus(201)
	const at = "/api/coves/Bree%2FEast/moorings"
	c.Send("POST "+at, `{"code":"a;b"}`).HasStatus(201).Has("Location", at+"/a%3Bb").Has("Content-Location", at+"/a%3Bb")
	c.Send("GET "+at+"/a%3Bb", "").HasStatus(200)
	c.Send("PATCH "+at+"/a%3Bb", `{}`).HasStatus(200).Has("Content-Location", at+"/a%3Bb")
	c.Send("PUT "+at+"/a%3Bb.json", `{}`).HasStatus(200).Has("Content-Location", at+"/a%3Bb")
	c.Send("POST "+at, `{"code":"x.json"}`).HasStatus(201).Has("Location", at+"/x%2Ejson")
	c.Send("GET "+at+"/x%2Ejson", "").HasStatus(200)
	for suffix, want := range map[string]string{
		".jsonld": `"@id":"` + at + `/a%3Bb"`, ".jsonhal": `"self":{"href":"` + at + `/a%3Bb"}`, ".jsonapi": `"self":"` + at + `/a%3Bb"`,
	} {
		c.Send("GET "+at+"/a%3Bb"+suffix, "").HasStatus(200).Mentions(want)
		c.Send("GET "+at+suffix, "").HasStatus(200).Mentions(want)
	}
	c.Send("PATCH "+at+"/a%3Bb", `{"@id":"`+at+`/a%3Bb","next":"/api/coves/Bree%2FEast"}`, "Content-Type", "application/merge-patch+json").HasStatus(400)
	document := c.Send("GET /api/docs.json", "").HasStatus(200).Body
	if !strings.Contains(document, `"Location"`) || strings.Contains(document, "/moorings/{code}/") {
		t.Errorf("the document says nothing of Location: %s", document)
	}
}

func TestInvalidNestedPaths(t *testing.T) {
	t.Parallel()
	hidden := spec.OpenBut(map[string]access.Field{"cove": {Read: access.Not(access.Public)}})
	for name, declared := range map[string]resource.Of[Mooring]{
		"a reference that may be null": {Access: spec.Open(), Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{next}/moorings/{code}"},
		}},
		"a reference that not everybody sees": {Access: hidden, Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{cove}/moorings/{code}"},
		}},
	} {
		c := spec.NewClient(t, resource.Config{}, declared, resource.Of[Cove]{Access: spec.Open()})
		c.Send("POST /api/coves", `{"name":"Bree"}`).HasStatus(201)
		made := c.Send("POST /api/moorings", `{"code":"a","cove":"/api/coves/Bree","next":"/api/coves/Bree"}`)
		if made.HasStatus(201).Header.Get("Location") != "" {
			t.Errorf("%s: Location is %s", name, made.Header.Get("Location"))
		}
	}
}

func TestAnInverseIsThePathOfTheRecordsThatReferToARecord(t *testing.T) {
	t.Parallel()
	coves := resource.Of[Cove]{Inverse: map[string]string{"yawls": "Yawl.cove"}, SparseFields: true}
	c := spec.NewClient(t, resource.Config{}, coves, yawls, cargoes)
	const bree = `{"name":"Bree Bay","yawls":"/api/coves/Bree%20Bay/yawls"}`
	c.Send("POST /api/coves", `{"name":"Bree Bay"}`).Is(http.StatusCreated, bree)
	c.Send("GET /api/coves/Bree%20Bay", "").Is(http.StatusOK, bree)
	c.Send("PUT /api/coves/Bree%20Bay", bree).Is(http.StatusOK, bree)
	c.Send("PATCH /api/coves/Bree%20Bay", `{"yawls":1}`).Is(http.StatusOK, bree)
	c.Send("GET /api/coves?fields=yawls", "").Is(http.StatusOK, "["+bree+"]")
	c.Send("GET /api/coves?fields=name", "").Is(http.StatusOK, `[{"name":"Bree Bay"}]`)
	c.Send("GET /api/coves/Bree%20Bay/yawls", "").Is(http.StatusOK, `[]`)
}

func TestMistakesInInverses(t *testing.T) {
	t.Parallel()
	alone := resource.Of[Yawl]{Operations: []operation.Operation{operation.Get{}}}
	coves := resource.Of[Cove]{Inverse: map[string]string{
		"name": "Yawl.cove", "a.b": "Yawl.cove", "b": "Yawl", "c": "Yaw.cove", "d": "Yawl.cov", "e": "Yawl.cove", "f": "Yawl.name",
	}}
	_, err := resource.New(resource.Config{}, coves, alone)
	for _, want := range []string{
		`Cove: Inverse: the record already has a field "name"`,
		`Cove: Inverse: the name "a.b" is not allowed; names cannot be empty or contain dots, brackets, quotes or backslashes`,
		`Cove: Inverse: "Yawl" of "b" is not a reference; write a resource and its reference, such as "DragonTreasure.owner"`,
		`Cove: Inverse: references resource "Yaw", which does not exist; did you mean "Yawl"?`,
		`Cove: Inverse: "Yawl.cov" of "d" is not a reference to Cove; did you mean "cove"?`,
		`Cove: Inverse: "Yawl.name" of "f" is not a reference to Cove; allowed: cove, owner`,
		`Cove: Inverse: Yawl.cove needs a collection of Yawl below that reference; add operation.GetCollection{URITemplate: "/coves/{cove}/yawls"} to its Operations`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant one with\n\t%s", err, want)
		}
	}
}

func TestAResourceHasAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Path: "/dragon-plunder",
		Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"}, operation.Post{
			Name: "count", URITemplate: "/count", Handler: operation.Handle(
				func(context.Context, *spec.DragonTreasure, struct{}) (struct{}, error) { return struct{}{}, nil }),
		}),
	})
	c.Send("POST /api/dragon-plunder", `{"name":"Cup"}`).HasStatus(201).Has("Location", "/api/dragon-plunder/1")
	c.Send("GET /api/dragon-plunder.json", "").HasStatus(200).Has("X-Total-Count", "1")
	c.Send("PATCH /api/dragon-plunder/1", `{"value":7}`).HasStatus(200).Mentions(`"value":7`)
	c.Send("GET /api/peek/1", "").HasStatus(200)
	c.Send("POST /api/count", "").Is(204, "")
	c.Send("DELETE /api/dragon-plunder/1.json", "").Is(204, "")
	c.Send("GET /api/dragon_treasures", "").IsProblem(404)
	c.Send("GET /api", "").Is(200, `{"DragonTreasure":"/api/dragon-plunder"}`)
}

func TestAResourceIsBelowAnotherOneAsAWhole(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Yawl]{Path: "/coves/{cove}/yawls"}, resource.Of[Cove]{})
	c.Send("POST /api/coves", `{"name":"Bree"}`).HasStatus(201)
	c.Send("POST /api/coves", `{"name":"Cair"}`).HasStatus(201)
	c.Send("POST /api/coves/Bree/yawls", `{"name":"Argo"}`).HasStatus(201).Mentions(`"cove":"/api/coves/Bree"`)
	c.Send("POST /api/coves/Camelot/yawls", `{"name":"Argo"}`).IsProblem(404)
	c.Send("GET /api/coves/Bree/yawls.json", "").HasStatus(200).Has("X-Total-Count", "1")
	c.Send("GET /api/coves/Cair/yawls", "").Is(200, "[]")
	c.Send("PUT /api/coves/Bree/yawls/1", `{"name":"Argos"}`).HasStatus(200)
	c.Send("GET /api/coves/Bree/yawls/1", "").HasStatus(200).Mentions("Argos")
	c.Send("GET /api/coves/Cair/yawls/1", "").IsProblem(404)
	c.Send("DELETE /api/coves/Cair/yawls/1", "").IsProblem(404)
	c.Send("DELETE /api/coves/Bree/yawls/1", "").Is(204, "")
	c.Send("GET /api/yawls", "").IsProblem(404)
}

func TestMistakesInThePathOfAResource(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"coves":            `Path "coves" must begin with a slash`,
		"/":                "use the path of the collection without a trailing slash",
		"/coves/":          `Path "/coves/" has an empty segment; remove the double or trailing slash`,
		"/coves{._format}": `remove {._format}`,
		"/coves/{name}":    `remove the identifier`,
		"/coves/{harbour}": "Path has the variable {harbour}",
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Cove]{Path: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// Cove, Yawl and Cargo are below one another.
type Cove struct {
	Name string `json:"name" api:"id"`
}

type Yawl struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Cove  string  `json:"cove" api:"ref=Cove,filter"`
	Owner *string `json:"owner" api:"ref=Cove"`
}

type Cargo struct {
	ID   int64  `json:"id"`
	What string `json:"what"`
	Yawl int64  `json:"yawl" api:"ref=Yawl"`
}

var yawls = resource.Of[Yawl]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/coves/{cove}/yawls{._format}"},
	operation.Post{URITemplate: "/coves/{cove}/yawls"},
	operation.Get{URITemplate: "/coves/{cove}/yawls/{id}"},
	operation.Put{URITemplate: "/coves/{cove}/yawls/{id}"},
	operation.Patch{URITemplate: "/coves/{cove}/yawls/{id}"},
	operation.Delete{URITemplate: "/coves/{cove}/yawls/{id}"},
	operation.GetCollection{Name: "owned", URITemplate: "/owners/{owner}/yawls"},
	operation.Post{Name: "own", URITemplate: "/owners/{owner}/yawls"},
	operation.Patch{Name: "disown", URITemplate: "/owners/{owner}/yawls/{id}"},
)}

var cargoes = resource.Of[Cargo]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/coves/{cove}/yawls/{yawl}/cargo"},
	operation.Post{URITemplate: "/coves/{cove}/yawls/{yawl}/cargo"},
	operation.Get{URITemplate: "/coves/{cove}/yawls/{yawl}/cargo/{id}"},
)}

// newSea returns an API with the coves of Bree and Cair, and yawls 1 and 3 in Bree and 2 in Cair.
func newSea(t testing.TB) spec.Client {
	t.Helper()
	c := spec.NewClient(t, resource.Config{}, cargoes, yawls, resource.Of[Cove]{})
	c.Send("POST /api/coves", `{"name":"Bree"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/coves", `{"name":"Cair"}`).HasStatus(http.StatusCreated)
	for _, yawl := range []string{"Argo/Bree", "Bounty/Cair", "Cutty/Bree"} {
		name, cove, _ := strings.Cut(yawl, "/")
		c.Send("POST /api/coves/"+cove+"/yawls", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
	}
	return c
}

const noHarbour = `{"type":"about:blank","title":"Not Found","status":404,"detail":"The cove does not exist."}`

func TestACollectionBelowARecord(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	for request, ids := range map[string]string{
		"/api/coves/Bree/yawls":                       `[{"id":1},{"id":3}]`,
		"/api/coves/Cair/yawls":                       `[{"id":2}]`,
		"/api/coves/Bree/yawls.json?sort=-name":       `[{"id":3},{"id":1}]`,
		"/api/coves/Bree/yawls?name=cut":              `[{"id":3}]`,
		"/api/coves/Bree/yawls?cove=/api/coves/Cair":  `[]`,
		"/api/coves/Bree/yawls?itemsPerPage=1&page=2": `[{"id":3}]`,
		"/api/owners/Bree/yawls":                      `[]`,
	} {
		c.Send("GET "+request, "").HasStatus(http.StatusOK).HasIDs(ids)
	}
	c.Send("GET /api/coves/Bree/yawls?itemsPerPage=1", "").Has("X-Total-Count", "2")
	for _, query := range []string{"", "?page=2", "?cove=/api/coves/Bree"} {
		c.Send("GET /api/coves/None/yawls"+query, "").Is(http.StatusNotFound, noHarbour)
	}
	c.Send("GET /api/coves/None/yawls?x=1", "").HasStatus(http.StatusBadRequest)
}

func TestACollectionBelowARecordIsWalkedByCursor(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	var walked []string
	for next := "/api/coves/Bree/yawls?itemsPerPage=1&cursor="; next != ""; {
		page := c.Send("GET "+next, "").HasStatus(http.StatusOK)
		walked = append(walked, page.Body)
		found := regexp.MustCompile(`<([^>]*)>; rel="next"`).FindStringSubmatch(page.Header.Get("Link"))
		if next = ""; found != nil {
			next = found[1]
		}
		if next != "" && !strings.HasPrefix(next, "/api/coves/Bree/yawls?") {
			t.Fatalf("the next page is at %s", next)
		}
	}
	if text := strings.Join(walked, " "); len(walked) != 2 || !strings.Contains(text, "Argo") || !strings.Contains(text, "Cutty") {
		t.Errorf("the walk has the pages %s", text)
	}
}

func TestACreationBelowARecord(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	c.Send("POST /api/coves/Bree/yawls", `{"name":"Dart"}`).
		Is(http.StatusCreated, `{"id":4,"name":"Dart","cove":"/api/coves/Bree","owner":null}`).Has("Location", "/api/yawls/4")
	c.Send("POST /api/coves/Bree/yawls", `{"name":"Erin","cove":"/api/coves/Bree"}`).HasStatus(http.StatusCreated)
	const other = "cove must be the one in the path"
	c.Send("POST /api/coves/Bree/yawls", `{"name":"F","cove":"/api/coves/Cair"}`).IsInvalid("cove", other)
	c.Send("POST /api/coves/Bree/yawls", `{"name":" ","cove":"/api/coves/None"}`).IsInvalid("cove", other, "name", "name must not be blank")
	c.Send("POST /api/coves/Bree/yawls", `{"name":"F","cove":"x"}`).
		IsInvalid("cove", "cove must be the path of an existing Cove, such as /api/coves/{name}")
	c.Send("POST /api/coves/None/yawls", `{"name":"F"}`).Is(http.StatusNotFound, noHarbour)
	c.Send("POST /api/coves/None/yawls", `{"name":`).Is(http.StatusNotFound, noHarbour)
	c.Send("POST /api/owners/Cair/yawls", `{"name":"G"}`).IsInvalid("cove", "cove is required")
	c.Send("POST /api/owners/Cair/yawls", `{"name":"G","cove":"/api/coves/Bree"}`).Mentions(`"owner":"/api/coves/Cair"`)
	c.Send("GET /api/owners/Cair/yawls", "").HasIDs(`[{"id":6}]`)
	c.Send("PATCH /api/owners/Cair/yawls/6", `{"owner":null}`).IsInvalid("owner", "owner must be the one in the path")
	c.Send("PATCH /api/owners/Cair/yawls/6", `{"name":"H"}`).Mentions(`"owner":"/api/coves/Cair"`)
}

func TestARecordBelowAnother(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	const none = `{"type":"about:blank","title":"Not Found","status":404,"detail":"The yawl does not exist."}`
	c.Send("GET /api/coves/Bree/yawls/1", "").HasStatus(http.StatusOK)
	c.Send("GET /api/coves/Cair/yawls/1", "").Is(http.StatusNotFound, none)
	c.Send("GET /api/coves/Cair/yawls/99", "").Is(http.StatusNotFound, none)
	c.Send("GET /api/coves/None/yawls/1", "").Is(http.StatusNotFound, noHarbour)
	c.Send("PATCH /api/coves/Bree/yawls/1", `{"name":"Ark"}`).HasStatus(http.StatusOK).Has("Content-Location", "/api/yawls/1")
	c.Send("PATCH /api/coves/Bree/yawls/1", `{"cove":"/api/coves/Cair"}`).IsInvalid("cove", "cove must be the one in the path")
	c.Send("PATCH /api/coves/Cair/yawls/1", `{"name":"Ark"}`).Is(http.StatusNotFound, none)
	c.Send("PUT /api/coves/Bree/yawls/1", `{"name":"Ash"}`).Mentions(`"cove":"/api/coves/Bree"`)
	c.Send("DELETE /api/coves/Cair/yawls/1", "").Is(http.StatusNotFound, none)
	c.Send("DELETE /api/coves/Bree/yawls/1", "").HasStatus(http.StatusNoContent)
}

func TestParentsOfParents(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	c.Send("POST /api/coves/Bree/yawls/1/cargo", `{"what":"rum"}`).
		Is(http.StatusCreated, `{"id":1,"what":"rum","yawl":"/api/yawls/1"}`).Has("Location", "/api/cargos/1")
	c.Send("GET /api/coves/Bree/yawls/1/cargo", "").HasIDs(`[{"id":1}]`)
	c.Send("GET /api/coves/Bree/yawls/1/cargo/1", "").HasStatus(http.StatusOK)
	c.Send("GET /api/coves/Bree/yawls/3/cargo", "").HasIDs(`[]`)
	const noShip = `{"type":"about:blank","title":"Not Found","status":404,"detail":"The yawl does not exist."}`
	c.Send("GET /api/coves/Bree/yawls/2/cargo", "").Is(http.StatusNotFound, noShip)
	c.Send("GET /api/coves/Bree/yawls/99/cargo", "").Is(http.StatusNotFound, noShip)
	c.Send("GET /api/coves/Bree/yawls/x/cargo", "").Is(http.StatusNotFound, noShip)
	c.Send("GET /api/coves/None/yawls/1/cargo", "").Is(http.StatusNotFound, noHarbour)
	c.Send("POST /api/coves/Cair/yawls/1/cargo", `{"what":"rum"}`).Is(http.StatusNotFound, noShip)
}

func TestOperationsBelowARecordAreCalledByIt(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, cargoes, yawls, resource.Of[Cove]{})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, route := range api.Routes() {
		ids[route.Method+" "+route.Path] = route.Operation
	}
	for route, want := range map[string]string{
		"GET /api/coves/{cove}/yawls":                   "listCoveYawls",
		"POST /api/coves/{cove}/yawls":                  "createCoveYawl",
		"GET /api/coves/{cove}/yawls/{id}":              "getCoveYawl",
		"PUT /api/coves/{cove}/yawls/{id}":              "updateCoveYawl",
		"PATCH /api/coves/{cove}/yawls/{id}":            "patchCoveYawl",
		"DELETE /api/coves/{cove}/yawls/{id}":           "deleteCoveYawl",
		"GET /api/coves/{cove}/yawls/{yawl}/cargo":      "listCoveYawlCargos",
		"GET /api/coves/{cove}/yawls/{yawl}/cargo/{id}": "getCoveYawlCargo",
		"GET /api/yawls":                                "listYawls",
		"GET /api/owners/{owner}/yawls":                 "ownedYawl",
	} {
		if ids[route] != want {
			t.Errorf("%s is called %q, want %q", route, ids[route], want)
		}
	}
}

func TestAVariableThatIsNoReference(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Cove]{}, resource.Of[Yawl]{Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{URITemplate: "/coves/{covee}/yawls"}, operation.GetCollection{URITemplate: "/x/{name}"},
	}})
	for _, want := range []string{
		`Yawl: operation 2 (GetCollection): URITemplate has the unknown variable {covee}; did you mean "cove"?`,
		`Yawl: operation 3 (GetCollection): URITemplate has the unknown variable {name}; allowed: id, cove, owner`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}
