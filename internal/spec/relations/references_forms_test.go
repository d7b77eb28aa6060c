package relations_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// misspelled are paths that lead elsewhere, or that clients, proxies and people consider equal to the path of a medal
// or pirate.
func misspelled(address string) map[string]string {
	return map[string]string{
		"a host": "https://example.com" + address, "a host alone": "//example.com" + address, "a port": "http://127.0.0.1:80" + address,
		"a user": "http://a@b" + address, "another scheme": "file://" + address, "a suffix": address + ".json", "an unknown suffix": address + ".xml",
		"a query": address + "?expand=x", "an empty query": address + "?", "a fragment": address + "#x", "an empty fragment": address + "#",
		"a trailing slash": address + "/", "a segment more": address + "/x", "a parameter of a path": address + ";v=1", "a space": address + " ",
		"a space before": " " + address, "a dot segment": "/api/." + address[len("/api"):], "two dots": "/api/x/.." + address[len("/api"):],
		"dots percent-encoded": "/api/%2e" + address[len("/api"):], "dots behind": address + "/.", "no slash before": address[1:], "two slashes": "/" + address,
		"two slashes within": "/api/" + address[len("/api"):], "another case": "/API" + address[len("/api"):], "another prefix": "/v2" + address[len("/api"):],
		"a letter percent-encoded": "/%61pi" + address[len("/api"):], "its slash percent-encoded": "/api%2F" + address[len("/api/"):],
		"a zero byte": address + "%00", "a percent sign alone": address + "%", "a backslash": "/api\\" + address[len("/api/"):], "a line break": address + "%0A",
	}
}

func TestPathsOfRecordsHaveOneForm(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	for name, pirate := range misspelled("/api/pirates/1") {
		t.Run("with "+name, func(t *testing.T) {
			t.Parallel()
			c := spec.Client{T: t, Handler: c.Handler}
			quoted := func(text string) string { return fmt.Sprintf("%q", text) }
			c.Send("POST /api/trunks", `{"label":"A","owner":`+quoted(pirate)+`}`).IsInvalid("owner", "owner"+noPirate)
			c.Send("GET /api/trunks?owner="+url.QueryEscape(pirate), "").IsProblem(http.StatusBadRequest).Mentions("owner" + noPirate)
			c.Send("GET /api/trunks?owner[ne]="+url.QueryEscape(pirate), "").IsProblem(http.StatusBadRequest).Mentions("must be the path of an existing Pirate")
			medal := misspelled("/api/medals/gold")[name]
			c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold",`+quoted(medal)+`]}`).IsInvalid("medals[1]", "medals[1]"+noMedal)
		})
	}
	for encoded, want := range map[string]int{"gold": 201, "%67old": 400, "tin%2Fold": 201, "tin%2fold": 400, "tin/old": 400, "tin%252Fold": 400, "tin%2Fol%64": 400} {
		answer := c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/`+encoded+`"]}`)
		if answer.Status != want {
			t.Errorf("the medal %s is answered %d, want %d", encoded, answer.Status, want)
		}
	}
}

// A path of a membership has a percent-decoded key like any path: if a path leads to a medal, it leads to the
// membership, and nothing else does.
func TestAPathOfAMembershipIsDecodedAsThatOfAGet(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	for _, medal := range []string{
		"gold", "%67old", "gold/", "./gold", "../medals/gold", "tin%2Fold", "tin%2fold", "tin/old", "tin%252Fold", "none", "", "gold%00",
		"gold%3Fx", "gold%23x", "https:%2F%2Fx%2Fapi%2Fmedals%2Fgold", "%2Fapi%2Fmedals%2Fgold", "gold;x", "Gold", "gold%20",
	} {
		own := c.Send("GET /api/medals/"+medal, "").Status
		put := c.Send("PUT /api/trunks/1/medals/"+medal, "").Status
		removed := c.Send("DELETE /api/trunks/1/medals/"+medal, "").Status
		if put == http.StatusNoContent {
			c.Send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold"]}`).HasStatus(http.StatusOK)
		}
		if found := own == http.StatusOK; found != (put == http.StatusNoContent) || found != (removed == http.StatusNoContent) {
			t.Errorf("the medal %q: its Get answers %d, its membership's Put %d and Delete %d", medal, own, put, removed)
		}
	}
}

// A record that refers to one of its own kind, that one to the first: expansion ends at two steps.
func TestACircleOfReferencesIsExpandedByTwoSteps(t *testing.T) {
	t.Parallel()
	type Twin struct {
		ID    int64  `json:"id"`
		Other *int64 `json:"other" api:"ref=Twin,expand"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Twin]{Operations: append(operation.Standard(),
		operation.Get{Name: "whole", URITemplate: "/whole/{id}", Expand: []string{"other.other"}})})
	c.Send("POST /api/twins", `{"other":null}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/twins", `{"other":"/api/twins/1"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /api/twins/1", `{"other":"/api/twins/2"}`).HasStatus(http.StatusOK)
	const one, two = `"id":1,"other":"/api/twins/2"`, `"id":2,"other":"/api/twins/1"`
	c.Send("GET /api/twins/1?expand=other", "").Is(http.StatusOK, `{`+one+`,"_embedded":{"other":{`+two+`}}}`)
	const whole = `{` + one + `,"_embedded":{"other":{` + two + `,"_embedded":{"other":{` + one + `}}}}}`
	c.Send("GET /api/twins/1?expand=other.other", "").Is(http.StatusOK, whole)
	c.Send("GET /api/whole/1", "").Is(http.StatusOK, whole)
	c.Send("GET /api/twins/1?expand=other.other.other", "").IsProblem(http.StatusBadRequest).Mentions("other, other.other")
	c.Send("PATCH /api/twins/1", `{"other":"/api/twins/1"}`).HasStatus(http.StatusOK)
	c.Send("GET /api/twins/1?expand=other.other", "").HasStatus(http.StatusOK)
}

func TestAStreamIsExpandedBatchByBatch(t *testing.T) {
	t.Parallel()
	const records, batch = 600, 256
	asked := new(atomic.Int64)
	caves := make([]spec.Cave, records)
	for i := range caves {
		caves[i] = spec.Cave{Crew: int64(i%2 + 1)}
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Cave]{Store: memory.New(caves...)}, resource.Of[spec.Isle]{Store: memory.New(spec.Isle{Name: "Elba"})},
		resource.Of[spec.Crew]{Store: counting[spec.Crew]{memory.New(spec.Crew{Name: "Reds", Home: "Elba"}, spec.Crew{Name: "Blues", Home: "Elba"}), asked}})
	body := c.Send("GET /api/caves.ndjson?expand=crew", "").HasStatus(http.StatusOK).Body
	if n := len(spec.IDMember.FindAllString(body, -1)); n != 2*records {
		t.Errorf("%d records are there, with those that are embedded, want %d", n, 2*records)
	}
	if n, want := asked.Load(), int64((records+batch-1)/batch); n != want {
		t.Errorf("crews are asked for %d times, want once for each of %d batches", n, want)
	}
}
