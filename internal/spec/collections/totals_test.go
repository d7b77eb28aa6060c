package collections_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// grain is one of many records. Callers see those that they own, and caller 9 sees all.
type grain struct {
	ID    int64  `json:"id" api:"filter=range"`
	Kind  string `json:"kind" api:"filter,sort"`
	Owner int64  `json:"owner" api:"filter"`
}

// silo is a store of grains, with the collections that count them in each way.
type silo struct {
	spec.Client

	name    string
	records store.Store[grain]
	analyze func() // updates the estimate of the database
}

// inSilos runs a test in each sort of store.
func inSilos(t *testing.T, run func(t *testing.T, s silo)) {
	t.Helper()
	opened := map[string]func(t *testing.T) (store.Store[grain], func()){"memory": func(*testing.T) (store.Store[grain], func()) {
		return memory.New[grain](), func() {}
	}}
	for name, open := range spec.Databases(t) {
		opened[name] = func(t *testing.T) (store.Store[grain], func()) {
			t.Helper()
			db := open(t)
			table := sqlstore.Table[grain](db)
			if err := db.Create(t.Context(), table); err != nil {
				t.Fatal(err)
			}
			return table, func() {
				if name == "MariaDB" {
					return // has no estimate
				}
				if _, err := db.Exec(t.Context(), "ANALYZE grains"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	key := access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (int64, access.Scopes, error) {
		n, err := strconv.ParseInt(key, 10, 64)
		return n, nil, err
	})
	rules := spec.Open()
	rules.Read = access.Any(access.Equal("owner", func(k int64) int64 { return k }), access.If("everything", func(k int64) bool { return k == 9 }))
	formats := append(format.Standard(), csv.Format, hal.Format, jsonapi.Format, jsonld.Format)
	for name, open := range opened {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, analyze := open(t)
			operations := []operation.Operation{operation.GetCollection{}, operation.Get{}, operation.Post{}}
			for _, total := range []operation.Total{operation.TotalCapped, operation.TotalExact, operation.TotalEstimated, operation.TotalNone} {
				operations = append(operations, operation.GetCollection{
					Name: string(total), URITemplate: "/" + string(total) + "{._format}", Pagination: operation.Pagination{Total: total},
				})
			}
			c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{key}, CursorKey: []byte("the key of both worlds"), Formats: formats}, resource.Of[grain]{
				ShortName: "Grain", Store: records, Access: rules, Operations: operations,
				Pagination: operation.Pagination{ClientEnabled: new(true), ClientOffset: new(true), ClientPartial: new(true)},
			})
			run(t, silo{c, name, records, analyze})
		})
	}
}

// add adds grains of an owner. Every thousandth is rare.
func (s silo) add(n int, owner int64) {
	s.T.Helper()
	all := make([]*grain, n)
	for i := range all {
		all[i] = &grain{Kind: []string{"plain", "rare"}[max(0, 1-i%1000)], Owner: owner}
	}
	if err := store.Insert(s.T.Context(), s.records, all...); err != nil {
		s.T.Fatal(err)
	}
}

// get gets a path as a caller.
func (s silo) get(caller, path string, header ...string) spec.Response {
	s.T.Helper()
	return s.Send("GET /api/"+path, "", append(header, "X-API-Key", caller)...).HasStatus(http.StatusOK)
}

// totalIn returns what a response says about the total: "10000", ">10000", "~12345" or "".
func totalIn(r spec.Response) string {
	var found []string
	for field, mark := range map[string]string{"X-Total-Count": "", "X-Total-More-Than": ">", "X-Total-Estimate": "~"} {
		for _, value := range r.Header.Values(field) {
			found = append(found, mark+value)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

// counts compares the totals and links that caller 1 gets.
func (s silo) counts(wanted map[string]string) {
	s.T.Helper()
	for path, want := range wanted {
		got := s.get("1", path)
		if leads := strings.TrimSpace(totalIn(got) + " " + turnsOf(got)); leads != want {
			s.T.Errorf("%s: %q, want %q", path, leads, want)
		}
	}
}

func TestATotalIsExactUpToABoundAndNeverCountsHiddenRecords(t *testing.T) {
	t.Parallel()
	inSilos(t, func(t *testing.T, s silo) {
		t.Helper()
		s.add(40, 3)
		s.add(9_900, 1)
		aWorld := s.headers("3")
		s.add(99, 1)
		s.counts(map[string]string{"grains?itemsPerPage=0": "9999", "grains?itemsPerPage=100&page=100": "9999 first=1 prev=99 last=100"})
		s.add(1, 1)
		s.counts(map[string]string{
			"grains?itemsPerPage=0":            "10000",
			"grains?itemsPerPage=100&page=100": "10000 first=1 prev=99 last=100",
			"grains?itemsPerPage=100&page=101": "10000 first=1 prev=100 last=100",
			"estimated":                        "10000 first=1 next=2 last=334",
		})
		tag := s.get("1", "grains?itemsPerPage=0").Header.Get("ETag")
		s.add(1, 1)
		if got := s.get("1", "grains?itemsPerPage=0", "If-None-Match", tag); totalIn(got) != ">10000" || got.Body != "[]" {
			t.Errorf("the total alone is %q, %s", totalIn(got), got.Body)
		}
		s.counts(map[string]string{
			"grains":                              ">10000 first=1 next=2",
			"capped":                              ">10000 first=1 next=2",
			"exact":                               "10001 first=1 next=2 last=334",
			"none":                                "first=1 next=2",
			"none?partial=false":                  ">10000 first=1 next=2",
			"grains?partial=true":                 "first=1 next=2",
			"exact?partial=true":                  "first=1 next=2",
			"exact?itemsPerPage=0":                "10001",
			"grains?itemsPerPage=100&page=100":    ">10000 first=1 prev=99 next=101", // ends at the bound
			"grains?itemsPerPage=100&page=101":    ">10000 first=1 prev=100",         // the last page
			"grains?itemsPerPage=100&page=102":    ">10000 first=1 prev=101",         // beyond the end
			"grains?page=333":                     ">10000 first=1 prev=332 next=334",
			"grains?page=334":                     ">10000 first=1 prev=333",
			"grains?sort=-kind&page=334":          ">10000 first=1 prev=333",
			"grains?kind=rare&itemsPerPage=5":     "13 first=1 next=2 last=3",
			"grains?kind=plain":                   "9988 first=1 next=2 last=333",
			"grains?id[gte]=1":                    ">10000 first=1 next=2",
			"grains?owner=2":                      "0 first=1 last=1",
			"grains?pagination=false":             "10001",
			"grains?cursor=":                      "first= next=…",
			"grains?offset=9980&itemsPerPage=20":  ">10000 first= prev= next=",
			"grains?offset=9981&itemsPerPage=20":  ">10000 first= prev=",
			"grains?offset=10001&itemsPerPage=20": ">10000 first= prev=",
		})
		inBody := func(path, want string, others ...string) {
			t.Helper()
			got := s.get("1", path)
			got.Mentions(want)
			for _, other := range append(others, `"last":`) {
				got.Lacks(other)
			}
			if totalIn(got) != ">10000" {
				t.Errorf("%s has the total %q", path, totalIn(got))
			}
		}
		inBody("grains.jsonapi", `"meta":{"totalItemsMoreThan":10000}`, `"totalItems":`)
		inBody("grains.jsonld", `"next":`, "totalItems")
		inBody("grains.jsonhal", `"next":`, "totalItems")
		query := s.Send("QUERY /api/grains", `{"itemsPerPage":0}`, "X-API-Key", "1").Is(http.StatusOK, "[]")
		head := s.Send("HEAD /api/grains.csv", "", "X-API-Key", "1").HasStatus(http.StatusOK)
		if totalIn(query) != ">10000" || totalIn(head) != "" {
			t.Errorf("a QUERY has the total %q, and a stream %q", totalIn(query), totalIn(head))
		}
		if diff := cmp.Diff(aWorld, s.headers("3")); diff != "" {
			t.Errorf("hidden records change headers (-before +after):\n%s", diff)
		}
		s.estimates()
	})
}

// headers returns the header fields of all that shows a total to a caller.
func (s silo) headers(caller string) (all []http.Header) {
	s.T.Helper()
	s.analyze()
	for _, path := range []string{
		"grains", "exact", "estimated", "none", "estimated?itemsPerPage=0", "grains?kind=rare", "estimated?page=400", "grains?offset=30", "estimated.jsonapi",
	} {
		all = append(all, s.get(caller, path).Header)
	}
	return all
}

// estimates checks that only a caller whom no condition restricts gets the estimate of a store that has one.
func (s silo) estimates() {
	s.T.Helper()
	all, want := s.get("9", "estimated"), ">10000"
	hasEstimate := s.name == "memory" || s.name == "PostgreSQL"
	if hasEstimate {
		want = "~10041"
	}
	if got := totalIn(all); got != want || turnsOf(all) != "first=1 next=2" {
		s.T.Errorf("the total of all is %q, want %q; the links are %s", got, want, turnsOf(all))
	}
	for _, path := range []string{"estimated?kind=plain", "estimated?id[gte]=1", "capped", `estimated?filter={"not":{"kind":"none"}}`} {
		if got := totalIn(s.get("9", path)); got != ">10000" {
			s.T.Errorf("the total of %s is %q", path, got)
		}
	}
	if hasEstimate {
		s.get("9", "estimated.jsonapi").Mentions(`"meta":{"totalItemsEstimate":10041}`)
	}
}

func TestTheInnermostTotalThatIsSetCounts(t *testing.T) {
	t.Parallel()
	records := &attentive{Store: memory.New(fleet(3)...)}
	collection := func(name string, p operation.Pagination) operation.Operation {
		return operation.GetCollection{Name: name, URITemplate: "/" + name, Pagination: p}
	}
	var asked store.Query
	list := func(ctx context.Context, _ *Frigate, query store.Query) (store.Page[Frigate], error) {
		asked = query
		return records.List(ctx, query)
	}
	c := spec.NewClient(t, resource.Config{Pagination: operation.Pagination{Total: operation.TotalNone}},
		resource.Of[Frigate]{
			ShortName: "Ship", Store: records, Pagination: operation.Pagination{Total: operation.TotalExact},
			Operations: []operation.Operation{
				operation.GetCollection{},
				collection("capped", operation.Pagination{Total: operation.TotalCapped}),
				collection("partial", operation.Pagination{Partial: new(true), Total: operation.TotalExact}),
				operation.GetCollection{
					Name: "handled", URITemplate: "/handled", Handler: operation.Handle(list),
					Pagination: operation.Pagination{Total: operation.TotalCapped},
				},
			},
		},
		resource.Of[spec.Letter]{Operations: []operation.Operation{operation.GetCollection{}, collection("counted", operation.Pagination{Total: operation.TotalCapped})}})
	type count struct {
		Count bool
		UpTo  int
		Shown string
	}
	for path, want := range map[string]count{
		"ships": {true, 0, "3"}, "capped": {true, 10_000, "3"}, "partial": {false, 0, ""}, "handled": {true, 10_000, "3"},
	} {
		shown := totalIn(c.Send("GET /api/"+path, "").HasStatus(http.StatusOK))
		if got := (count{records.last.Count, records.last.CountUpTo, shown}); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if !asked.Count || asked.CountUpTo != 10_000 {
		t.Errorf("the handler gets %+v", asked)
	}
	for path, want := range map[string]string{"letters": "", "counted": "0"} {
		if got := totalIn(c.Send("GET /api/"+path, "").HasStatus(http.StatusOK)); got != want {
			t.Errorf("%s: the total is %q, want %q", path, got, want)
		}
	}
}

// tomb is a record with a trash, below another one.
type tomb struct {
	ID      int64      `json:"id"`
	Above   *int64     `json:"above" api:"ref=Tomb,group"`
	Deleted *time.Time `json:"deleted" api:"deleted"`
}

// crowded is a store that says that it has many records.
type crowded[T any] struct{ *memory.Store[T] }

func (c crowded[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	page, err := c.Store.List(ctx, query)
	page.Total = 20_000
	return page, err
}

func (c crowded[T]) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	found, err := c.Store.Aggregate(ctx, a)
	found.Total = 20_000
	return found, err
}

// behind is a wrapper that may hide some of them.
type behind[T any] struct{ store.Store[T] }

func TestOnlyTheWholeOfAStoreIsEstimated(t *testing.T) {
	t.Parallel()
	estimated := operation.Pagination{Total: operation.TotalEstimated}
	ships := memory.New(fleet(3)...)
	handled := operation.GetCollection{
		Name: "handled", URITemplate: "/handled",
		Handler: operation.Handle(func(ctx context.Context, _ *Frigate, query store.Query) (store.Page[Frigate], error) {
			return crowded[Frigate]{ships}.List(ctx, query)
		}),
	}
	c := spec.NewClient(t, resource.Config{Pagination: estimated},
		resource.Of[Frigate]{ShortName: "Ship", Store: crowded[Frigate]{ships}, Operations: []operation.Operation{operation.GetCollection{}, handled}},
		resource.Of[spec.Letter]{Store: behind[spec.Letter]{crowded[spec.Letter]{memory.New[spec.Letter]()}}},
		resource.Of[tomb]{Store: crowded[tomb]{memory.New(tomb{})}, Operations: append(operation.Standard(), operation.Aggregate{}, operation.GetCollection{
			Name: "below", URITemplate: "/tombs/{above}/tombs",
		})})
	for path, want := range map[string]string{
		"ships": "~10001", "ships?guns=1": ">10000", "handled": ">10000", "letters": ">10000", "tombs": ">10000", "tombs/1/tombs": ">10000", "tombs/aggregate?group=above": "20000",
	} {
		if got := totalIn(c.Send("GET /api/"+path, "").HasStatus(http.StatusOK)); got != want {
			t.Errorf("%s: the total is %q, want %q", path, got, want)
		}
	}
}
