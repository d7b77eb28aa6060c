package relations_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// newLockers returns an API whose trunk 1 has the medal of gold, and may have three.
func newLockers(t testing.TB) spec.Client {
	t.Helper()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{
		Operations: append(operation.Standard(),
			operation.Put{URITemplate: "/trunks/{id}/medals/{medals}"}, operation.Delete{URITemplate: "/trunks/{id}/medals/{medals}"}),
	})
	c.Settle()
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).HasStatus(http.StatusCreated)
	return c
}

func TestAMembershipIsPutAndDeleted(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	tag := c.Send("GET /api/trunks/1", "").Header.Get("ETag")
	c.Send("PUT /api/trunks/1/medals/gold", "").Is(http.StatusNoContent, "")
	c.Send("GET /api/trunks/1", "").Has("ETag", tag)
	for range 2 {
		c.Send("PUT /api/trunks/1/medals/tin%2Fold", "").Is(http.StatusNoContent, "")
		c.Send("GET /api/trunks/1", "").Mentions(`"medals":["/api/medals/gold","/api/medals/tin%2Fold"]`)
	}
	c.Send("PUT /api/trunks/1/medals/none", "").IsProblem(http.StatusNotFound).Mentions("The medal does not exist.")
	c.Send("PUT /api/trunks/9/medals/gold", "").IsProblem(http.StatusNotFound).Mentions("The trunk does not exist.")
	c.Send("DELETE /api/trunks/1/medals/gold", "").Is(http.StatusNoContent, "")
	c.Send("DELETE /api/trunks/1/medals/gold", "").IsProblem(http.StatusNotFound)
	c.Send("GET /api/trunks/1", "").Mentions(`"medals":["/api/medals/tin%2Fold"]`)
	c.Send("GET /api/medals/gold", "").HasStatus(http.StatusOK)
	c.Send("PUT /api/trunks/1/medals/gold", "", "If-Match", tag).HasStatus(http.StatusPreconditionFailed)
}

func TestMembershipsRespectTheLimit(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	for _, name := range []string{"b", "c", "d"} {
		c.Send("POST /api/medals", `{"name":"`+name+`","worth":1}`).HasStatus(http.StatusCreated)
	}
	c.Send("PUT /api/trunks/1/medals/b", "").HasStatus(http.StatusNoContent)
	c.Send("PUT /api/trunks/1/medals/c", "").HasStatus(http.StatusNoContent)
	c.Send("PUT /api/trunks/1/medals/d", "").IsInvalid("medals", "medals must have at most 3 elements")
}

func TestConcurrentMembershipsAreAllSaved(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	c.Send("POST /api/medals", `{"name":"b","worth":1}`).HasStatus(http.StatusCreated)
	var both sync.WaitGroup
	for _, name := range []string{"b", "tin%2Fold"} {
		both.Go(func() { c.Send("PUT /api/trunks/1/medals/"+name, "") })
	}
	both.Wait()
	if n := strings.Count(c.Send("GET /api/trunks/1", "").Body, "/api/medals/"); n != 3 {
		t.Errorf("the trunk has %d medals, want 3", n)
	}
}

func TestMembershipsAreNamedAfterWhatTheyAdd(t *testing.T) {
	t.Parallel()
	api, ok := newLockers(t).Handler.(*resource.API)
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
