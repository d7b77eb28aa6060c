package resource_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

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
func newSea(t testing.TB) client {
	t.Helper()
	c := newClient(t, resource.Config{}, cargoes, yawls, resource.Of[Cove]{})
	c.send("POST /api/coves", `{"name":"Bree"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/coves", `{"name":"Cair"}`).hasStatus(http.StatusCreated)
	for _, yawl := range []string{"Argo/Bree", "Bounty/Cair", "Cutty/Bree"} {
		name, cove, _ := strings.Cut(yawl, "/")
		c.send("POST /api/coves/"+cove+"/yawls", `{"name":"`+name+`"}`).hasStatus(http.StatusCreated)
	}
	return c
}

const noHarbour = `{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such Cove."}`

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
		c.send("GET "+request, "").hasStatus(http.StatusOK).hasIDs(ids)
	}
	c.send("GET /api/coves/Bree/yawls?itemsPerPage=1", "").has("X-Total-Count", "2")
	for _, query := range []string{"", "?page=2", "?cove=/api/coves/Bree"} {
		c.send("GET /api/coves/None/yawls"+query, "").is(http.StatusNotFound, noHarbour)
	}
	c.send("GET /api/coves/None/yawls?x=1", "").hasStatus(http.StatusBadRequest)
}

func TestACollectionBelowARecordIsWalkedByCursor(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	var walked []string
	for next := "/api/coves/Bree/yawls?itemsPerPage=1&cursor="; next != ""; {
		page := c.send("GET "+next, "").hasStatus(http.StatusOK)
		walked = append(walked, page.body)
		found := regexp.MustCompile(`<([^>]*)>; rel="next"`).FindStringSubmatch(page.header.Get("Link"))
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
	c.send("POST /api/coves/Bree/yawls", `{"name":"Dart"}`).
		is(http.StatusCreated, `{"id":4,"name":"Dart","cove":"/api/coves/Bree","owner":null}`).has("Location", "/api/yawls/4")
	c.send("POST /api/coves/Bree/yawls", `{"name":"Erin","cove":"/api/coves/Bree"}`).hasStatus(http.StatusCreated)
	const other = "cove must be the one in the path"
	c.send("POST /api/coves/Bree/yawls", `{"name":"F","cove":"/api/coves/Cair"}`).isInvalid("cove", other)
	c.send("POST /api/coves/Bree/yawls", `{"name":" ","cove":"/api/coves/None"}`).isInvalid("cove", other, "name", "name must not be blank")
	c.send("POST /api/coves/Bree/yawls", `{"name":"F","cove":"x"}`).
		isInvalid("cove", "cove must be the address of an existing Cove, like /api/coves/{name}")
	c.send("POST /api/coves/None/yawls", `{"name":"F"}`).is(http.StatusNotFound, noHarbour)
	c.send("POST /api/coves/None/yawls", `{"name":`).is(http.StatusNotFound, noHarbour)
	c.send("POST /api/owners/Cair/yawls", `{"name":"G"}`).isInvalid("cove", "cove is required")
	c.send("POST /api/owners/Cair/yawls", `{"name":"G","cove":"/api/coves/Bree"}`).mentions(`"owner":"/api/coves/Cair"`)
	c.send("GET /api/owners/Cair/yawls", "").hasIDs(`[{"id":6}]`)
	c.send("PATCH /api/owners/Cair/yawls/6", `{"owner":null}`).isInvalid("owner", "owner must be the one in the path")
	c.send("PATCH /api/owners/Cair/yawls/6", `{"name":"H"}`).mentions(`"owner":"/api/coves/Cair"`)
}

func TestARecordBelowAnother(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	const none = `{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such Yawl."}`
	c.send("GET /api/coves/Bree/yawls/1", "").hasStatus(http.StatusOK)
	c.send("GET /api/coves/Cair/yawls/1", "").is(http.StatusNotFound, none)
	c.send("GET /api/coves/Cair/yawls/99", "").is(http.StatusNotFound, none)
	c.send("GET /api/coves/None/yawls/1", "").is(http.StatusNotFound, noHarbour)
	c.send("PATCH /api/coves/Bree/yawls/1", `{"name":"Ark"}`).hasStatus(http.StatusOK).has("Content-Location", "/api/yawls/1")
	c.send("PATCH /api/coves/Bree/yawls/1", `{"cove":"/api/coves/Cair"}`).isInvalid("cove", "cove must be the one in the path")
	c.send("PATCH /api/coves/Cair/yawls/1", `{"name":"Ark"}`).is(http.StatusNotFound, none)
	c.send("PUT /api/coves/Bree/yawls/1", `{"name":"Ash"}`).mentions(`"cove":"/api/coves/Bree"`)
	c.send("DELETE /api/coves/Cair/yawls/1", "").is(http.StatusNotFound, none)
	c.send("DELETE /api/coves/Bree/yawls/1", "").hasStatus(http.StatusNoContent)
}

func TestParentsOfParents(t *testing.T) {
	t.Parallel()
	c := newSea(t)
	c.send("POST /api/coves/Bree/yawls/1/cargo", `{"what":"rum"}`).
		is(http.StatusCreated, `{"id":1,"what":"rum","yawl":"/api/yawls/1"}`).has("Location", "/api/cargos/1")
	c.send("GET /api/coves/Bree/yawls/1/cargo", "").hasIDs(`[{"id":1}]`)
	c.send("GET /api/coves/Bree/yawls/1/cargo/1", "").hasStatus(http.StatusOK)
	c.send("GET /api/coves/Bree/yawls/3/cargo", "").hasIDs(`[]`)
	const noShip = `{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such Yawl."}`
	c.send("GET /api/coves/Bree/yawls/2/cargo", "").is(http.StatusNotFound, noShip)
	c.send("GET /api/coves/Bree/yawls/99/cargo", "").is(http.StatusNotFound, noShip)
	c.send("GET /api/coves/Bree/yawls/x/cargo", "").is(http.StatusNotFound, noShip)
	c.send("GET /api/coves/None/yawls/1/cargo", "").is(http.StatusNotFound, noHarbour)
	c.send("POST /api/coves/Cair/yawls/1/cargo", `{"what":"rum"}`).is(http.StatusNotFound, noShip)
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
		`resource Yawl: operation 2 (GetCollection): URITemplate has the variable {covee}; allowed: the identifier id, the reference cove, the reference owner; did you mean "cove"?`,
		`resource Yawl: operation 3 (GetCollection): URITemplate has the variable {name}; allowed: `,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}
