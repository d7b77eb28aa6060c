package relations_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
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
