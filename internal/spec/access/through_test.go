package access_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

type depot struct {
	ID    int64  `json:"id"`
	Owner string `json:"owner"`
}

type crate struct {
	ID    int64  `json:"id"`
	Depot *int64 `json:"depot" api:"ref=Depot,filter"`
}

type parcel struct {
	ID     int64   `json:"id"`
	Crate  *int64  `json:"crate" api:"ref=Crate,expand,filter"`
	Depots []int64 `json:"depots" validate:"max=5" api:"ref=Depot"`
	Note   string  `json:"note" api:"filter"`
}

// throughOwn returns the conditions of parcels whose crate is in a depot of the caller.
func throughOwn(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
	own := store.Condition{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{c.Name}}
	inDepot := store.Condition{Through: "depot", Any: [][]store.Condition{{own}}}
	return []store.Condition{{Any: [][]store.Condition{
		{{Through: "crate", Any: [][]store.Condition{{inDepot}}}},
		{{Through: "depots", Any: [][]store.Condition{{own}}}},
	}}}, nil
}

// eachDepot runs a test with depots and crates that only root may read, and parcels that a rule shows through them.
func eachDepot(t *testing.T, run func(t *testing.T, c spec.Client)) {
	t.Helper()
	start := func(t *testing.T, depots store.Store[depot], crates store.Store[crate], parcels store.Store[parcel]) {
		t.Helper()
		own, everyone := access.Filter("own", throughOwn), access.Authenticated
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
			resource.Of[depot]{Store: depots, Access: access.Rules{Read: spec.IsAdmin, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[crate]{Store: crates, Access: access.Rules{Read: spec.IsAdmin, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[parcel]{Store: parcels, Access: access.Rules{
				Read: access.Any(own, spec.IsAdmin), Create: spec.IsAdmin, Update: access.Any(own, spec.IsAdmin), Delete: access.Any(own, spec.IsAdmin),
				Fields: map[string]access.Field{"note": {Read: own}},
			}},
		)
		for request, bodies := range map[string][]string{"POST /api/depots": {`{"owner":"ann"}`, `{"owner":"bob"}`}} {
			for _, body := range bodies {
				c.As("root", request, body).HasStatus(http.StatusCreated)
			}
		}
		for _, body := range []string{`{"depot":"/api/depots/1"}`, `{"depot":"/api/depots/2"}`, `{"depot":null}`} {
			c.As("root", "POST /api/crates", body).HasStatus(http.StatusCreated)
		}
		for _, body := range []string{
			`{"crate":"/api/crates/1","note":"a"}`, `{"crate":"/api/crates/2","note":"b"}`, `{"crate":"/api/crates/3","note":"c"}`,
			`{"crate":null,"note":"d"}`, `{"crate":"/api/crates/2","depots":["/api/depots/2","/api/depots/1"],"note":"e"}`,
		} {
			c.As("root", "POST /api/parcels", body).HasStatus(http.StatusCreated)
		}
		run(t, c)
	}
	t.Run("memory", func(t *testing.T) { start(t, nil, nil, nil) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			depots, crates, parcels := sqlstore.Table[depot](db), sqlstore.Table[crate](db), sqlstore.Table[parcel](db)
			if err := db.Create(t.Context(), depots, crates, parcels); err != nil {
				t.Fatal(err)
			}
			start(t, depots, crates, parcels)
		})
	}
}

// A Filter shows records by those that they refer to, directly or in steps, although the caller may not read these.
func TestFiltersGoThroughReferences(t *testing.T) {
	t.Parallel()
	eachDepot(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for who, want := range map[string]string{"ann": "[1 5]", "bob": "[2 5]", "root": "[1 2 3 4 5]"} {
			list := c.As(who, "GET /api/parcels", "").HasStatus(http.StatusOK)
			if got := fmt.Sprint(spec.IDsOf(t, list.Body)); got != want {
				t.Errorf("%s sees %s, want %s", who, got, want)
			}
			list.Has("X-Total-Count", strconv.Itoa(strings.Count(want, " ")+1))
			for _, id := range []string{"1", "2", "3", "4", "5"} {
				status := http.StatusNotFound
				if strings.Contains(want, id) {
					status = http.StatusOK
				}
				c.As(who, "GET /api/parcels/"+id, "").HasStatus(status)
			}
		}
		// Fields and changes follow the same rule.
		c.As("root", "GET /api/parcels/1", "").Lacks(`"note"`)
		c.As("ann", "GET /api/parcels?note=b", "").HasIDs("[]")
		c.As("ann", "GET /api/parcels?note=a", "").HasIDs(`[{"id":1}]`)
		c.As("bob", "DELETE /api/parcels/1", "").HasStatus(http.StatusNotFound)
		c.As("ann", "PATCH /api/parcels/1", `{"note":"changed"}`).HasStatus(http.StatusOK)
		// Ann may not give a parcel away, or take one.
		c.As("ann", "PATCH /api/parcels/1", `{"crate":null}`).HasStatus(http.StatusForbidden)
		c.As("root", "PATCH /api/crates/1", `{"depot":"/api/depots/2"}`).HasStatus(http.StatusOK)
		c.As("ann", "GET /api/parcels/1", "").HasStatus(http.StatusNotFound)
		c.As("bob", "GET /api/parcels/1", "").HasStatus(http.StatusOK)
	})
}

// A condition that goes through a name which is not a reference is a 500, and the log has the reason.
func TestTheLogSaysWhyAFilterCannotGoThroughAField(t *testing.T) {
	t.Parallel()
	for through, want := range map[string]string{
		"note":   `access.Filter(\"odd\") returns invalid conditions: a condition goes through \"note\", which is not a reference of access_test.parcel; allowed: crate, depots`,
		"absent": `a condition goes through \"absent\", which is not a reference`,
	} {
		odd := access.Filter("odd", func(context.Context, *spec.Captain) ([]store.Condition, error) {
			return []store.Condition{{Through: through, Any: [][]store.Condition{{}}}}, nil
		})
		var log bytes.Buffer
		all := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.NewTextHandler(&log, nil))},
			resource.Of[depot]{Access: all}, resource.Of[crate]{Access: all},
			resource.Of[parcel]{Access: access.Rules{Read: odd, Create: access.Public, Update: odd, Delete: odd}})
		c.As("ann", "POST /api/parcels", `{"note":"a"}`).HasStatus(http.StatusCreated)
		for _, path := range []string{"/api/parcels", "/api/parcels/1"} {
			log.Reset()
			c.As("ann", "GET "+path, "").IsProblem(http.StatusInternalServerError).Lacks(through)
			if !strings.Contains(log.String(), want) {
				t.Errorf("GET %s logs %s, want %s", path, log.String(), want)
			}
		}
	}
}

func TestAnImportIsCheckedThroughReferences(t *testing.T) {
	t.Parallel()
	type note struct {
		ID    int64  `json:"id"`
		Depot *int64 `json:"depot" api:"ref=Depot"`
	}
	own := access.Filter("own", func(_ context.Context, c *spec.Captain) ([]store.Condition, error) {
		mine := store.Condition{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{c.Name}}
		return []store.Condition{{Through: "depot", Any: [][]store.Condition{{mine}}}}, nil
	})
	start := func(t *testing.T, depots store.Store[depot], notes store.Store[note]) {
		t.Helper()
		add := func(ctx context.Context, _ *note, list []operation.CreateOf[note]) (struct{}, error) {
			for _, each := range list {
				if _, err := each.Save(ctx); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		}
		everyone := access.Authenticated
		c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}},
			resource.Of[depot]{Store: depots, Access: access.Rules{Read: everyone, Create: everyone, Update: everyone, Delete: everyone}},
			resource.Of[note]{Store: notes, Access: access.Only(own), Operations: append(operation.Standard(),
				operation.Post{Name: "import", URITemplate: "/notes/import", Access: everyone, Handler: operation.Handle(add)})})
		c.As("ann", "POST /api/depots", `{"owner":"ann"}`).HasStatus(http.StatusCreated)
		c.As("ann", "POST /api/depots", `{"owner":"bob"}`).HasStatus(http.StatusCreated)
		c.As("ann", "POST /api/notes/import", `[{"depot":"/api/depots/1"},{"depot":"/api/depots/1"}]`).HasStatus(http.StatusNoContent)
		c.As("ann", "POST /api/notes/import", `[{"depot":"/api/depots/1"},{"depot":"/api/depots/2"}]`).IsProblem(http.StatusForbidden)
		c.As("ann", "GET /api/notes", "").Has("X-Total-Count", "2")
	}
	t.Run("memory", func(t *testing.T) { start(t, memory.New[depot](), memory.New[note]()) })
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			depots, notes := sqlstore.Table[depot](db), sqlstore.Table[note](db)
			if err := db.Create(t.Context(), depots, notes); err != nil {
				t.Fatal(err)
			}
			start(t, depots, notes)
		})
	}
}

// bundle is what a Filter hides by the depot of its crate.
type bundle struct {
	ID     int64   `json:"id"`
	Crate  *int64  `json:"crate" api:"ref=Crate,expand,filter"`
	Depots []int64 `json:"depots" validate:"max=5" api:"ref=Depot"`
	Note   string  `json:"note" api:"filter=partial|range,sort,search"`
}

// label is public, and refers to bundles.
type label struct {
	ID      int64   `json:"id"`
	Bundle  *int64  `json:"bundle" api:"ref=Bundle,expand,filter,through=note|crate"`
	Bundles []int64 `json:"bundles" validate:"max=5" api:"ref=Bundle,expand,filter,through=note"`
}

// permit lets its holder see what is in a depot.
type permit struct {
	ID     int64  `json:"id"`
	Depot  int64  `json:"depot" api:"ref=Depot"`
	Holder string `json:"holder"`
}

// ownBundles are rules that show the same bundles.
func ownBundles() map[string]access.Rule {
	owner := access.Equal("owner", func(c *spec.Captain) string { return c.Name })
	permitted := access.Related("Permit.depot", access.Equal("holder", func(c *spec.Captain) string { return c.Name }))
	return map[string]access.Rule{
		"a filter":  access.Filter("own", throughOwn),
		"a through": access.Any(access.Equal("crate.depot.owner", func(c *spec.Captain) string { return c.Name }), access.Through("depots", owner)),
		"a related": access.Any(access.Through("crate", access.Through("depot", permitted)), access.Through("depots", permitted)),
	}
}

// bundleStores are the stores of one API, nil for memory.
type bundleStores struct {
	permits store.Store[permit]
	depots  store.Store[depot]
	crates  store.Store[crate]
	bundles store.Store[bundle]
	labels  store.Store[label]
}

// newBundles serves five bundles: ann sees 1 and 5. The notes of those that she does not see are given, and those that
// follow are hidden too.
func newBundles(t *testing.T, in bundleStores, shows access.Rule, hidden ...string) spec.Client {
	t.Helper()
	everyone := access.Authenticated
	secret := access.Rules{Read: spec.IsAdmin, Create: everyone, Update: everyone, Delete: everyone}
	own := access.Any(shows, spec.IsAdmin)
	members := []string{"id", "bundle.note", "bundles.note"}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{spec.Bearer()}, Formats: append(format.Standard(), jsonld.Format, csv.Format),
		CursorKey: []byte("the key of cursors and tags"), Logger: slog.New(slog.DiscardHandler),
	},
		resource.Of[depot]{Store: in.depots, Access: secret},
		resource.Of[permit]{Store: in.permits, Access: secret},
		resource.Of[crate]{Store: in.crates, Access: secret},
		resource.Of[bundle]{
			Store: in.bundles, ShortName: "Bundle", Access: access.Rules{Read: own, Create: spec.IsAdmin, Update: own, Delete: own},
			Operations: append(operation.Standard(), operation.GetCollection{
				Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true), ItemsPerPage: 1},
			}),
		},
		resource.Of[label]{
			Store: in.labels, ShortName: "Label", Access: access.Rules{Read: access.Public, Create: everyone, Update: everyone, Delete: everyone},
			Operations: append(operation.Standard(),
				operation.GetCollection{Name: "card", URITemplate: "/cards{._format}", View: &operation.View{Name: "Card", Fields: members}},
				operation.Get{Name: "one", URITemplate: "/cards/{id}{._format}", View: &operation.View{Name: "Card", Fields: members}},
				operation.GetCollection{Name: "of", URITemplate: "/bundles/{bundle}/labels"},
				operation.GetCollection{Name: "always", URITemplate: "/always{._format}", Expand: []string{"bundle", "bundles"}},
			),
		},
	)
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	create := func(request, body string) {
		t.Helper()
		c.As("root", request, body).HasStatus(http.StatusCreated)
	}
	create("POST /api/depots", `{"owner":"ann"}`)
	create("POST /api/depots", `{"owner":"bob"}`)
	create("POST /api/permits", `{"depot":"/api/depots/1","holder":"ann"}`)
	create("POST /api/permits", `{"depot":"/api/depots/2","holder":"bob"}`)
	for _, body := range []string{`{"depot":"/api/depots/1"}`, `{"depot":"/api/depots/2"}`, `{"depot":null}`} {
		create("POST /api/crates", body)
	}
	create("POST /api/bundles", `{"crate":"/api/crates/1","note":"mine"}`)
	create("POST /api/bundles", `{"crate":"/api/crates/2","note":"`+hidden[0]+`"}`)
	create("POST /api/bundles", `{"crate":"/api/crates/3","note":"`+hidden[1]+`"}`)
	create("POST /api/bundles", `{"crate":null,"note":"`+hidden[2]+`"}`)
	create("POST /api/bundles", `{"crate":"/api/crates/2","depots":["/api/depots/2","/api/depots/1"],"note":"shared"}`)
	for _, note := range hidden[3:] {
		create("POST /api/bundles", `{"crate":"/api/crates/2","note":"`+note+`"}`)
	}
	for _, body := range []string{
		`{"bundle":"/api/bundles/1","bundles":["/api/bundles/2","/api/bundles/5"]}`,
		`{"bundle":"/api/bundles/2","bundles":["/api/bundles/3"]}`,
		`{"bundle":"/api/bundles/5","bundles":[]}`,
		`{"bundle":"/api/bundles/3","bundles":["/api/bundles/1","/api/bundles/4"]}`,
		`{"bundle":null,"bundles":["/api/bundles/4","/api/bundles/2"]}`,
	} {
		create("POST /api/labels", body)
	}
	return c
}

// eachBundle runs a test with two APIs in each kind of store. They differ only in the records that the Filter hides
// from ann: in their contents and their number.
func eachBundle(t *testing.T, run func(t *testing.T, c, other spec.Client)) {
	t.Helper()
	first, second := []string{"mine", "zinc", "amber"}, []string{"zinc", "amber", "shared", "mine", "pearl"}
	for kind, own := range ownBundles() {
		t.Run(kind+" in memory", func(t *testing.T) {
			t.Parallel()
			run(t, newBundles(t, bundleStores{}, own, first...), newBundles(t, bundleStores{}, own, second...))
		})
		for name, open := range spec.Databases(t) {
			t.Run(kind+" in "+name, func(t *testing.T) {
				t.Parallel()
				stores := func() bundleStores {
					db := open(t)
					depots, crates, permits := sqlstore.Table[depot](db), sqlstore.Table[crate](db), sqlstore.Table[permit](db)
					bundles, labels := sqlstore.Table[bundle](db), sqlstore.Table[label](db)
					if err := db.Create(t.Context(), depots, crates, permits, bundles, labels); err != nil {
						t.Fatal(err)
					}
					return bundleStores{permits, depots, crates, bundles, labels}
				}
				run(t, newBundles(t, stores(), own, first...), newBundles(t, stores(), own, second...))
			})
		}
	}
}

// callTool calls a tool of agents and returns the whole response.
func callTool(c spec.Client, who, tool, arguments string) spec.Response {
	c.T.Helper()
	return c.As(who, "POST /mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
		"Accept", "application/json, text/event-stream").HasStatus(http.StatusOK)
}

// reads are requests that could show, count or find bundles.
var reads = []string{
	"/bundles", "/bundles?itemsPerPage=1&page=2", "/bundles?itemsPerPage=1&page=3", "/bundles?note=zinc", "/bundles?note=mine", "/bundles?note=a",
	"/bundles?sort=note", "/bundles?sort=-note", "/bundles?q=amber", "/bundles?crate=/api/crates/2", "/bundles?expand=crate", "/bundles.ndjson", "/bundles.ndjson?sort=-note",
	"/bundles.jsonld", "/bundles.csv", "/walk", "/walk?sort=note", "/bundles/1", "/bundles/2", "/bundles/3", "/bundles/4", "/bundles/5", "/bundles/6", "/bundles/2.csv",
	"/labels", "/labels?expand=bundle", "/labels?expand=bundles", "/labels?expand=bundle,bundles", "/labels?expand=bundle.crate", "/labels.ndjson?expand=bundle,bundles",
	"/labels.jsonld?expand=bundle,bundles", "/labels/1?expand=bundle,bundles", "/labels/2?expand=bundle,bundles", "/labels/4.jsonld?expand=bundle,bundles",
	"/labels?bundle.note=zinc", "/labels?bundle.note=mine", "/labels?bundle.note=a", "/labels?bundle.note[gte]=amber", "/labels?bundles.note=zinc", "/labels?bundles.note=shared",
	"/labels?bundle.note=zinc&bundles.note=amber", "/labels?bundle.crate=/api/crates/2", "/labels?bundle.crate=/api/crates/3", "/labels.ndjson?bundle.note=zinc",
	"/labels?sort=bundle.note", "/labels?sort=-bundle.note", "/labels?sort=bundle.note&itemsPerPage=2", "/labels?sort=bundle.note&itemsPerPage=2&page=2", "/labels.csv?sort=bundle.note",
	"/labels?bundle=/api/bundles/2", "/labels?bundles=/api/bundles/4", "/labels?bundle=/api/bundles/1&expand=bundle",
	"/cards", "/cards.ndjson", "/cards.csv", "/cards.jsonld", "/cards?bundle.note=zinc", "/cards?sort=bundle.note", "/cards/1", "/cards/2", "/cards/4.csv", "/cards/5.jsonld",
	"/always", "/always.ndjson", "/always.csv", "/always.jsonld", "/bundles/1/labels", "/bundles/2/labels", "/bundles/5/labels", "/bundles/9/labels",
}

// toolCalls are the same for agents.
var toolCalls = [][2]string{
	{"listBundles", `{}`},
	{"listBundles", `{"note":"zinc"}`},
	{"listBundles", `{"sort":["-note"],"itemsPerPage":1}`},
	{"listBundles", `{"q":"a"}`},
	{"listBundles", `{"expand":["crate"]}`},
	{"getBundle", `{"id":1}`},
	{"getBundle", `{"id":2}`},
	{"getBundle", `{"id":6}`},
	{"walkBundle", `{}`},
	{"listLabels", `{"expand":["bundle","bundles"]}`},
	{"listLabels", `{"bundle.note":"zinc"}`},
	{"listLabels", `{"bundles.note":"amber"}`},
	{"listLabels", `{"sort":["bundle.note"],"itemsPerPage":2}`},
	{"listLabels", `{"sort":["-bundle.note"]}`},
	{"getLabel", `{"id":2,"expand":["bundle","bundles"]}`},
	{"cardLabel", `{}`},
	{"oneLabel", `{"id":4}`},
	{"alwaysLabel", `{}`},
	{"ofLabel", `{"bundle":2}`},
	{"ofLabel", `{"bundle":1}`},
}

func TestNothingTellsWhatAFilterThroughAReferenceHides(t *testing.T) {
	t.Parallel()
	eachBundle(t, func(t *testing.T, c, other spec.Client) {
		t.Helper()
		compare := func(what string, a, b spec.Response) {
			t.Helper()
			show := func(r spec.Response) string {
				return fmt.Sprintf("%d %v\n\t%s", r.Status, r.Header, spec.Incident.ReplaceAllString(r.Body, ""))
			}
			if show(a) != show(b) {
				t.Errorf("%s depends on what ann does not see:\n\t%s\n\t%s", what, show(a), show(b))
			}
		}
		differ := 0
		for _, path := range reads {
			for _, method := range []string{"GET", "HEAD"} {
				compare(method+" "+path, c.As("ann", method+" /api"+path, ""), other.As("ann", method+" /api"+path, ""))
			}
			a, b := c.As("root", "GET /api"+path, ""), other.As("root", "GET /api"+path, "")
			if a.Status >= 300 && !strings.HasPrefix(path, "/bundles/") {
				t.Errorf("%s returns %d: %s", path, a.Status, a.Body)
			}
			if a.Body != b.Body {
				differ++
			}
		}
		if differ < len(reads)/2 {
			t.Errorf("root sees a difference in %d of %d responses", differ, len(reads))
		}
		for _, call := range toolCalls {
			if got := callTool(other, "root", call[0], call[1]).Body; strings.Contains(got, `"isError":true`) || strings.Contains(got, `"error":`) {
				t.Errorf("%v: %s", call, got)
			}
			compare(fmt.Sprint(call), callTool(c, "ann", call[0], call[1]), callTool(other, "ann", call[0], call[1]))
		}
		for _, id := range []string{"2", "4", "9"} { // a hidden record can be named as little as one that does not exist
			got := c.As("ann", "POST /api/labels", `{"bundle":"/api/bundles/`+id+`","bundles":[]}`).HasStatus(http.StatusBadRequest)
			compare("a label of "+id, got, c.As("ann", "POST /api/labels", `{"bundle":"/api/bundles/9","bundles":[]}`))
		}
	})
}

// The comparison above would hold for empty responses too.
func TestWhatAFilterThroughAReferenceShowsIsFound(t *testing.T) {
	t.Parallel()
	eachBundle(t, func(t *testing.T, c, _ spec.Client) {
		t.Helper()
		for path, want := range map[string]string{
			"/bundles": "[1 5]", "/bundles?sort=-note": "[5 1]", "/bundles?note=mine": "[1]", "/walk": "[1]",
			"/labels?bundle.note=mine": "[1]", "/labels?bundle.note=shared": "[3]", "/labels?bundles.note=shared": "[1]", "/labels?bundles.note=mine": "[4]",
			"/labels?sort=bundle.note": "[2 4 5 1 3]", "/bundles/1/labels": "[1]", "/labels?bundle.note=zinc": "[]",
		} {
			got := c.As("ann", "GET /api"+path, "").HasStatus(http.StatusOK)
			if ids := fmt.Sprint(spec.IDsOf(t, got.Body)); ids != want {
				t.Errorf("%s finds %s, want %s", path, ids, want)
			}
			if total := got.Header.Get("X-Total-Count"); path != "/walk" && total != strconv.Itoa(len(strings.Fields(strings.Trim(want, "[]")))) {
				t.Errorf("%s counts %s, want %s", path, total, want)
			}
		}
		if got, want := c.As("ann", "GET /api/cards.csv", "").Body, "id,bundle.note,bundles.note\r\n1,mine,shared\r\n2,,[]\r\n3,shared,[]\r\n4,,mine\r\n5,,[]\r\n"; got != want {
			t.Errorf("the cards are %q, want %q", got, want)
		}
		lines := strings.Split(strings.TrimSpace(c.As("ann", "GET /api/bundles.ndjson", "").Body), "\n")
		if len(lines) != 2 {
			t.Errorf("a stream has %q", lines)
		}
		var called struct {
			Result struct {
				StructuredContent struct {
					Items []struct {
						Note string `json:"note"`
					} `json:"items"`
				} `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(callTool(c, "ann", "listBundles", `{"sort":["note"]}`).Body), &called); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(called.Result.StructuredContent.Items); got != "[{mine} {shared}]" {
			t.Errorf("an agent sees %s", got)
		}
	})
}
