package jsonld_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// collection is what a collection has in addition to its records.
type collection struct {
	ID     string            `json:"@id"`
	Type   string            `json:"@type"`
	Total  *int              `json:"totalItems"`
	Member []json.RawMessage `json:"member"`
	View   map[string]string `json:"view"`
}

func (a answer) collection() collection {
	a.t.Helper()
	var read collection
	if err := json.Unmarshal([]byte(a.hasStatus(http.StatusOK).body), &read); err != nil {
		a.t.Fatal(err)
	}
	return read
}

func TestAViewLeadsToThePagesThatThereAre(t *testing.T) {
	t.Parallel()
	api := newFleet(t) // of three pirates, two on a page
	const all, one = "/api/pirates", "/api/pirates?itemsPerPage=1&page="
	for _, test := range []struct {
		rule, request string
		members       int
		view          map[string]string
	}{
		{"the first page has none before it", all, 2, map[string]string{"first": all + "?page=1", "last": all + "?page=2", "next": all + "?page=2"}},
		{"the last page has none behind it", all + "?page=2", 1, map[string]string{"first": all + "?page=1", "last": all + "?page=2", "previous": all + "?page=1"}},
		{"one between has all four", one + "2", 1, map[string]string{"first": one + "1", "last": one + "3", "previous": one + "1", "next": one + "3"}},
		{"one page is the first and the last", all + "?itemsPerPage=9", 3, map[string]string{"first": all + "?itemsPerPage=9&page=1", "last": all + "?itemsPerPage=9&page=1"}},
		{"of no records there is one page", all + "?name=zz", 0, map[string]string{"first": all + "?name=zz&page=1", "last": all + "?name=zz&page=1"}},
		{"behind the last page the way leads back to it", all + "?page=9", 0, map[string]string{"first": all + "?page=1", "last": all + "?page=2", "previous": all + "?page=2"}},
		{"a suffix stays", all + ".jsonld?page=2", 1, map[string]string{"first": all + ".jsonld?page=1", "last": all + ".jsonld?page=2", "previous": all + ".jsonld?page=1"}},
	} {
		got := send(t, api, "GET "+test.request, "").collection()
		test.view["@id"], test.view["@type"] = test.request, "PartialCollectionView"
		if diff := cmp.Diff(test.view, got.View); diff != "" {
			t.Errorf("%s: the view is wrong (-want +got):\n%s", test.rule, diff)
		}
		if got.ID != all || got.Type != "Collection" || len(got.Member) != test.members || got.Total == nil {
			t.Errorf("%s: the collection is %+v", test.rule, got)
		}
		for name, at := range got.View {
			if name != "@type" {
				send(t, api, "GET "+at, "").hasStatus(http.StatusOK)
			}
		}
	}
}

func TestAViewOfCursorsHasNoLastPageAndNoTotal(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	at := "/api/pirates?itemsPerPage=1&cursor="
	for i, want := range []string{"@id @type first next", "@id @type first next previous", "@id @type first previous"} {
		got := send(t, api, "GET "+at, "").collection()
		var names []string
		for _, name := range []string{"@id", "@type", "first", "last", "next", "previous"} {
			if got.View[name] != "" {
				names = append(names, name)
			}
		}
		if strings.Join(names, " ") != want || len(got.Member) != 1 || got.Total != nil || got.ID != "/api/pirates" {
			t.Errorf("page %d is %+v", i+1, got)
		}
		if before := got.View["previous"]; before != "" && i == 1 {
			if first := send(t, api, "GET "+before, "").collection(); !strings.Contains(string(first.Member[0]), `"id":1`) {
				t.Errorf("before page 2 is %s", first.Member)
			}
		}
		at = got.View["next"]
	}
}

func TestPagesThatAreNotCountedHaveNoTotal(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Pagination: operation.Pagination{ItemsPerPage: 1, Partial: new(true)}})
	for _, name := range []string{"A", "B"} {
		send(t, api, "POST /api/teams", `{"name":"`+name+`"}`).hasStatus(http.StatusCreated)
	}
	got := send(t, api, "GET /api/teams", "").collection()
	if _, has := got.View["last"]; has || got.Total != nil || got.View["next"] != "/api/teams?page=2" || got.View["first"] != "/api/teams?page=1" {
		t.Errorf("the collection is %+v", got)
	}
}

// The list that a Post returns is not a page, because no client could get it again.
func TestAListReturnedByAPostHasNoURL(t *testing.T) {
	t.Parallel()
	send(t, newFleet(t), "POST /api/renew", "").is(http.StatusOK, `{"@context":"/api/contexts/Ship","@type":"Collection","member":[{"@id":"/api/ships/1","@type":"Ship",`+
		`"id":1,"member":"Gull","view":false,"price":0,"captain":"/api/pirates/1","crew":[],"hull":{"wood":"","size":0,"tags":{}},"masts":[],"any":null,"note":null}]}`)
}

func TestTheLinkToTheDocumentationIsAbsolute(t *testing.T) {
	t.Parallel()
	behindAProxy := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Forwarded-Proto") == "https" {
				r.URL.Scheme = "https"
			}
			next.ServeHTTP(w, r)
		})
	}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format), Middleware: []func(http.Handler) http.Handler{behindAProxy}}, resource.Of[team]{RequirePrecondition: true})
	for _, test := range []struct {
		rule, request, body string
		status              int
		change              func(r *http.Request)
		origin              string
	}{
		{"an answer", "GET /api/teams", "", 200, nil, "http://example.com"},
		{"the entrypoint", "GET /api", "", 200, nil, "http://example.com"},
		{"HEAD", "HEAD /api/teams", "", 200, nil, "http://example.com"},
		{"a creation", "POST /api/teams", `{"name":"Reds"}`, 201, nil, "http://example.com"},
		{"a missing record", "GET /api/teams/x", "", 404, nil, "http://example.com"},
		{"a parameter", "GET /api/teams?x=1", "", 400, nil, "http://example.com"},
		{"a body", "POST /api/teams", `{"name":1}`, 400, nil, "http://example.com"},
		{"another type of body", "POST /api/teams", `x`, 415, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, "http://example.com"},
		{"a change without a condition", "PUT /api/teams/Reds", `{"name":"Reds"}`, 428, nil, "http://example.com"},
		{"a change with another one", "DELETE /api/teams/Reds", "", 412, func(r *http.Request) { r.Header.Set("If-Match", `"x"`) }, "http://example.com"},
		{"TLS", "GET /api/teams", "", 200, func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, "https://example.com"},
		{"a port", "GET /api/teams", "", 200, func(r *http.Request) { r.Host = "[::1]:8000" }, "http://[::1]:8000"},
		{"a scheme that a middleware knows", "GET /api/teams", "", 200, func(r *http.Request) { r.Header.Set("X-Forwarded-Proto", "https") }, "https://example.com"},
	} {
		method, target, _ := strings.Cut(test.request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(test.body))
		r.Header.Set("Accept", jsonld.MediaType)
		r.Header.Set("Content-Type", jsonld.MediaType)
		if test.change != nil {
			test.change(r)
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		want := "<" + test.origin + `/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`
		if links := strings.Join(w.Header().Values("Link"), ", "); w.Code != test.status || !strings.Contains(links, want) {
			t.Errorf("%s: the answer is %d with %s, want %d with %s", test.rule, w.Code, links, test.status, want)
		}
	}
}

// A client fills in the template, and gets the records that match.
func TestTheSearchIsATemplateOfTheFilters(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	for path, want := range map[string]map[string]string{ // the properties of variables
		"/api/pirates":         {"name": "name", "sort": "", "order[name]": "name"},
		"/api/ships":           {"captain": "captain", "captain[ne]": "captain"},
		"/api/pirates/1/ships": {"captain": "captain", "captain[ne]": "captain"},
	} {
		var read struct {
			Search struct {
				Type           string `json:"@type"`
				Template       string `json:"template"`
				Representation string `json:"variableRepresentation"`
				Mapping        []struct {
					Type     string `json:"@type"`
					Variable string `json:"variable"`
					Property string `json:"property"`
					Required *bool  `json:"required"`
				} `json:"mapping"`
			} `json:"search"`
		}
		if err := json.Unmarshal([]byte(send(t, api, "GET "+path+"?page=1", "").hasStatus(http.StatusOK).body), &read); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, m := range read.Search.Mapping {
			if got[m.Variable] = m.Property; m.Type != "IriTemplateMapping" || m.Required == nil || *m.Required {
				t.Errorf("%s: %+v is no mapping", path, m)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || read.Search.Type != "IriTemplate" || read.Search.Representation != "BasicRepresentation" {
			t.Errorf("%s: the search is %+v (-want +got):\n%s", path, read.Search, diff)
		}
		stem, variables, _ := strings.Cut(strings.TrimSuffix(read.Search.Template, "}"), "{?")
		names := strings.Split(variables, ",")
		if stem != path || len(names) != len(want) {
			t.Errorf("%s: the template is %s", path, read.Search.Template)
		}
		for _, name := range names {
			if _, has := want[name]; !has {
				t.Errorf("%s: %s is not told of", path, name)
			}
		}
	}
	for query, total := range map[string]int{"name=Ann": 1, "name=n": 1, "name=zz": 0, "order[name]=desc": 3, "name=e&sort=-name": 1} {
		if got := send(t, api, "GET /api/pirates?"+query, "").collection(); *got.Total != total {
			t.Errorf("%s finds %d, want %d", query, *got.Total, total)
		}
	}
}

func TestNoSearchWithoutParameters(t *testing.T) {
	t.Parallel()
	if got := send(t, newFleet(t), "GET /api/teams", "").hasStatus(http.StatusOK).body; strings.Contains(got, "search") {
		t.Errorf("a template asks for nothing: %s", got)
	}
}
