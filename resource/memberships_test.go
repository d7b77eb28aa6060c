package resource_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// newLockers returns an API whose trunk 1 has the medal of gold, and may have three.
func newLockers(t testing.TB) client {
	t.Helper()
	c := newClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{
		Operations: append(operation.Standard(),
			operation.Put{URITemplate: "/trunks/{id}/medals/{medals}"}, operation.Delete{URITemplate: "/trunks/{id}/medals/{medals}"}),
	})
	c.settle()
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).hasStatus(http.StatusCreated)
	return c
}

func TestAMembershipIsPutAndDeleted(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	tag := c.send("GET /api/trunks/1", "").header.Get("ETag")
	c.send("PUT /api/trunks/1/medals/gold", "").is(http.StatusNoContent, "")
	c.send("GET /api/trunks/1", "").has("ETag", tag)
	for range 2 {
		c.send("PUT /api/trunks/1/medals/tin%2Fold", "").is(http.StatusNoContent, "")
		c.send("GET /api/trunks/1", "").mentions(`"medals":["/api/medals/gold","/api/medals/tin%2Fold"]`)
	}
	c.send("PUT /api/trunks/1/medals/none", "").isProblem(http.StatusNotFound).mentions("There is no such Medal.")
	c.send("PUT /api/trunks/9/medals/gold", "").isProblem(http.StatusNotFound).mentions("There is no such Trunk.")
	c.send("DELETE /api/trunks/1/medals/gold", "").is(http.StatusNoContent, "")
	c.send("DELETE /api/trunks/1/medals/gold", "").isProblem(http.StatusNotFound)
	c.send("GET /api/trunks/1", "").mentions(`"medals":["/api/medals/tin%2Fold"]`)
	c.send("GET /api/medals/gold", "").hasStatus(http.StatusOK)
	c.send("PUT /api/trunks/1/medals/gold", "", "If-Match", tag).hasStatus(http.StatusPreconditionFailed)
}

func TestMembershipsKeepToTheLimit(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	for _, name := range []string{"b", "c", "d"} {
		c.send("POST /api/medals", `{"name":"`+name+`","worth":1}`).hasStatus(http.StatusCreated)
	}
	c.send("PUT /api/trunks/1/medals/b", "").hasStatus(http.StatusNoContent)
	c.send("PUT /api/trunks/1/medals/c", "").hasStatus(http.StatusNoContent)
	c.send("PUT /api/trunks/1/medals/d", "").isInvalid("medals", "medals must have at most 3 elements")
}

func TestMembershipsAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	c.send("POST /api/medals", `{"name":"b","worth":1}`).hasStatus(http.StatusCreated)
	var both sync.WaitGroup
	for _, name := range []string{"b", "tin%2Fold"} {
		both.Go(func() { c.send("PUT /api/trunks/1/medals/"+name, "") })
	}
	both.Wait()
	if n := strings.Count(c.send("GET /api/trunks/1", "").body, "/api/medals/"); n != 3 {
		t.Errorf("the trunk has %d medals, want 3", n)
	}
}

func TestMembershipsAreCalledByWhatTheyAdd(t *testing.T) {
	t.Parallel()
	api, ok := newLockers(t).handler.(*resource.API)
	if !ok {
		t.Fatal("the handler is no API")
	}
	ids := map[string]string{}
	for _, route := range api.Routes() {
		ids[route.Method+" "+route.Path] = route.Operation
	}
	for route, want := range map[string]string{
		"PUT /api/trunks/{id}/medals/{medals}": "addTrunkMedal", "DELETE /api/trunks/{id}/medals/{medals}": "removeTrunkMedal",
	} {
		if ids[route] != want {
			t.Errorf("%s is called %q, want %q", route, ids[route], want)
		}
	}
}
