package collections_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// attentive is a store that remembers the last query.
type attentive struct {
	*memory.Store[Frigate]

	mu   sync.Mutex
	last store.Query
}

func (a *attentive) List(ctx context.Context, query store.Query) (store.Page[Frigate], error) {
	a.mu.Lock()
	a.last = query
	a.mu.Unlock()
	return a.Store.List(ctx, query)
}

// freely allows clients every paging option.
func freely() operation.Pagination {
	return operation.Pagination{ItemsPerPage: 10, ClientEnabled: new(true), ClientPartial: new(true)}
}

func TestEveryPageLinksToTheOthers(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Pagination = freely()
	c := spec.NewClient(t, resource.Config{}, of)
	for query, want := range map[string]struct {
		items        int
		total, turns string
	}{
		"":                                {10, "25", "first=1 next=2 last=3"},
		"page=2":                          {10, "25", "first=1 prev=1 next=3 last=3"},
		"page=3":                          {5, "25", "first=1 prev=2 last=3"},
		"page=4":                          {0, "25", "first=1 prev=3 last=3"},
		"page=10000":                      {0, "25", "first=1 prev=3 last=3"},
		"itemsPerPage=25":                 {25, "25", "first=1 last=1"},
		"itemsPerPage=24":                 {24, "25", "first=1 next=2 last=2"},
		"itemsPerPage=1&page=25":          {1, "25", "first=1 prev=24 last=25"},
		"itemsPerPage=100":                {25, "25", "first=1 last=1"},
		"guns=1":                          {6, "6", "first=1 last=1"},
		"guns=1&itemsPerPage=4&page=2":    {2, "6", "first=1 prev=1 last=2"},
		"guns=9":                          {0, "0", "first=1 last=1"},
		"guns=9&page=7":                   {0, "0", "first=1 prev=1 last=1"},
		"partial=false&page=3":            {5, "25", "first=1 prev=2 last=3"},
		"partial=true":                    {10, "", "first=1 next=2"},
		"partial=true&page=3":             {5, "", "first=1 prev=2"},
		"partial=true&page=9":             {0, "", "first=1 prev=8"},
		"partial=true&itemsPerPage=24":    {24, "", "first=1 next=2"},
		"partial=true&itemsPerPage=25":    {25, "", "first=1"},
		"pagination=true&page=3":          {5, "25", "first=1 prev=2 last=3"},
		"pagination=false":                {25, "25", ""},
		"pagination=false&guns=1":         {6, "6", ""},
		"pagination=false&partial=true":   {25, "25", ""},
		"pagination=false&page=3":         {25, "25", ""},
		"cursor=":                         {10, "", "first= next=…"},
		"cursor=&partial=false&page=3":    {10, "", "first= next=…"},
		"cursor=&itemsPerPage=25":         {25, "", "first="},
		"cursor=&guns=9":                  {0, "", "first="},
		"cursor=&pagination=false&page=3": {25, "25", ""},
	} {
		got := c.Send("GET /api/ships?"+query, "").HasStatus(200).Has("X-Total-Count", want.total)
		if n := len(spec.IDsOf(t, got.Body)); n != want.items || turnsOf(got) != want.turns {
			t.Errorf("%q has %d items and leads to %q, want %d and %q", query, n, turnsOf(got), want.items, want.turns)
		}
		head := c.Send("HEAD /api/ships?"+query, "").HasStatus(200)
		if diff := cmp.Diff(got.Header, head.Header); diff != "" || head.Body != "" {
			t.Errorf("%q: HEAD has the body %q and another header (-GET +HEAD):\n%s", query, head.Body, diff)
		}
	}
}

func TestTheStoreReadsNoMoreThanThePage(t *testing.T) {
	t.Parallel()
	records := &attentive{Store: memory.New(fleet(25)...)}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: records, Pagination: freely()})
	type window struct {
		Offset, Limit int
		Count         bool
	}
	for query, want := range map[string]window{
		"":                              {0, 10, true},
		"page=3":                        {20, 10, true},
		"page=3&itemsPerPage=4":         {8, 4, true},
		"partial=true&page=2":           {10, 11, false}, // one more shows whether there is a next page
		"cursor=&itemsPerPage=4&page=9": {0, 5, false},
		"pagination=false&page=3":       {0, 0, false},
	} {
		c.Send("GET /api/ships?"+query, "").HasStatus(200)
		if got := (window{records.last.Offset, records.last.Limit, records.last.Count}); got != want {
			t.Errorf("%q asks for %+v, want %+v", query, got, want)
		}
	}
}

func TestSettingsThatAreNotSetHaveDefaults(t *testing.T) {
	t.Parallel()
	declare := func(p operation.Pagination) spec.Client {
		return spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: memory.New(fleet(250)...), Pagination: p})
	}
	usual := declare(operation.Pagination{})
	if n := len(spec.IDsOf(t, usual.Send("GET /api/ships", "").Body)); n != 30 {
		t.Errorf("a page has %d items", n)
	}
	usual.Send("GET /api/ships?itemsPerPage=101", "").IsProblem(400).Mentions("between 0 and 100")
	usual.Send("GET /api/ships?page=10001", "").IsProblem(400).Mentions("between 1 and 10000")
	usual.Send("GET /api/ships?pagination=false", "").IsProblem(400).Mentions(`Unknown parameter \"pagination\"`)
	usual.Send("GET /api/ships?partial=true", "").IsProblem(400).Mentions(`Unknown parameter \"partial\"`)

	long := declare(operation.Pagination{ItemsPerPage: 200})
	if n := len(spec.IDsOf(t, long.Send("GET /api/ships?itemsPerPage=200", "").Body)); n != 200 {
		t.Errorf("a page longer than the greatest by default has %d items", n)
	}
	long.Send("GET /api/ships?itemsPerPage=201", "").IsProblem(400)
}

// awkward are values that some parameter rejects.
var awkward = []string{
	"", "0", "-1", "1.5", "1 ", " 1", "+1", "0x1", "1_0", "NaN", "null", "[1]", "{}", "\"1\"", "TRUE", "yes", "1e400",
	"9223372036854775808", "-9223372036854775809", "9999999999999999999999", "\x00", "\xff", "%", "..", "..1", "2..", "1..x",
	"zqz", "-", ",", "name,,name", "-name,", "'; DROP TABLE ships; --", strings.Repeat("é", 201), strings.Repeat("9", 5000),
}

func TestNoValueOfAParameterIsTheServersFault(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Pagination, of.SparseFields = freely(), true
	c := spec.NewClient(t, resource.Config{}, of)
	for _, name := range []string{
		"page", "itemsPerPage", "cursor", "pagination", "partial", "name", "guns", "guns[ne]", "guns[gt]", "guns[lte]", "guns[between]",
		"crew", "exists[crew]", "rig", "port.city", "q", "sort", "order[name]", "fields",
	} {
		refused := 0
		for _, value := range awkward {
			got := c.Send("GET /api/ships?"+url.Values{name: {value}}.Encode(), "")
			if got.Status == 200 {
				continue
			}
			got.IsProblem(400).Mentions(fmt.Sprintf(`{"name":%q,"in":"query","message":"%s `, name, name))
			if refused++; strings.Contains(got.Body, "zqz") {
				t.Errorf("the answer to a wrong %s echoes it: %s", name, got.Body)
			}
		}
		if refused < 2 {
			t.Errorf("%s is rejected for %d of the values", name, refused)
		}
	}
}

func TestParametersThatAreValidAloneAreValidTogether(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Pagination, of.SparseFields = freely(), true
	c := spec.NewClient(t, resource.Config{}, of)
	_, cursor, _ := strings.Cut(c.Send("GET /api/ships?cursor=", "").Link("next"), "cursor=")
	alone := []string{
		"pagination=false", "cursor=" + cursor, "page=2", "itemsPerPage=4", "partial=true", "sort=-name", "order[crew]=desc", "guns=1", "fields=rig",
	}
	for subset := range 1 << len(alone) {
		var together []string
		for i, parameter := range alone {
			if subset&(1<<i) != 0 {
				together = append(together, parameter)
			}
		}
		c.Send("GET /api/ships?"+strings.Join(together, "&"), "").HasStatus(200)
		slices.Reverse(together)
		c.Send("GET /api/ships.ndjson?"+strings.Join(together, "&"), "").HasStatus(200)
	}
}

func TestNoItemsIsTheTotalAlone(t *testing.T) {
	t.Parallel()
	declare := func(p operation.Pagination) spec.Client {
		return spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: memory.New(fleet(25)...), Pagination: p})
	}
	usual := declare(operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true)})
	for _, query := range []string{"", "&page=1", "&page=3", "&partial=true", "&cursor=", "&sort=-name", "&pagination=true", "&partial=true&cursor=&page=2"} {
		usual.Send("GET /api/ships?itemsPerPage=0"+query, "").Is(200, "[]").Has("X-Total-Count", "25").Has("Link", "")
	}
	usual.Send("HEAD /api/ships?itemsPerPage=0", "").HasStatus(200).Has("X-Total-Count", "25")
	if ids := spec.IDsOf(t, usual.Send("GET /api/ships?itemsPerPage=0&pagination=false", "").Body); len(ids) != 25 {
		t.Errorf("all at once are %d", len(ids))
	}
	if lines := strings.Count(usual.Send("GET /api/ships.ndjson?itemsPerPage=0", "").HasStatus(200).Body, "\n"); lines != 25 {
		t.Errorf("a stream has %d lines", lines)
	}
	tag := usual.Send("GET /api/ships?itemsPerPage=0", "").Header.Get("ETag")
	usual.Send("GET /api/ships?itemsPerPage=0", "", "If-None-Match", tag).Is(304, "")
	usual.Send("POST /api/ships", `{"name":"New"}`).HasStatus(201)
	usual.Send("GET /api/ships?itemsPerPage=0", "", "If-None-Match", tag).Is(200, "[]").Has("X-Total-Count", "26")

	uncounted := declare(operation.Pagination{Partial: new(true)})
	uncounted.Send("GET /api/ships?itemsPerPage=0", "").IsProblem(400).Mentions("between 1 and 100")
	byCursor := declare(operation.Pagination{ViaCursor: new(true)})
	byCursor.Send("GET /api/ships?itemsPerPage=0", "").IsProblem(400).Mentions("between 1 and 100")
	fixed := declare(operation.Pagination{ClientItemsPerPage: new(false)})
	fixed.Send("GET /api/ships?itemsPerPage=0", "").IsProblem(400).Mentions(`Unknown parameter \"itemsPerPage\"`)
}

// offsets are 25 ships in a store of each sort, whose pages can begin at any of them.
func offsets(t *testing.T, check func(t *testing.T, c spec.Client)) {
	t.Helper()
	for name, ships := range spec.Stores[Frigate](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: ships, Pagination: operation.Pagination{
				ItemsPerPage: 10, MaxItemsPerPage: 20, MaxPage: 3, ClientOffset: new(true), ClientPartial: new(true), ClientEnabled: new(true),
			}})
			for range 25 {
				c.Send("POST /api/ships", `{"name":"Ship"}`).HasStatus(201)
			}
			check(t, c)
		})
	}
}

func TestAPageCanBeginAtAnyRecord(t *testing.T) {
	t.Parallel()
	offsets(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for query, want := range map[string]struct {
			first, items int // the first one's identifier
			leads        string
		}{
			"offset=0":                              {1, 10, "first offset=0; next offset=10; last offset=20"},
			"offset=7":                              {8, 10, "first offset=0; prev offset=0; next offset=17; last offset=17"},
			"offset=10":                             {11, 10, "first offset=0; prev offset=0; next offset=20; last offset=20"},
			"offset=17":                             {18, 8, "first offset=0; prev offset=7; last offset=17"},
			"offset=24":                             {25, 1, "first offset=0; prev offset=14; last offset=24"},
			"offset=25":                             {0, 0, "first offset=0; prev offset=15; last offset=15"},
			"offset=40":                             {0, 0, "first offset=0; prev offset=20; last offset=20"},
			"offset=3&itemsPerPage=4":               {4, 4, "first offset=0; prev offset=0; next offset=7; last offset=23"},
			"offset=3&page=2":                       {4, 10, "first offset=0; prev offset=0; next offset=13; last offset=23"},
			"page=2&offset=0":                       {1, 10, "first offset=0; next offset=10; last offset=20"},
			"offset=3&partial=true":                 {4, 10, "first offset=0; prev offset=0; next offset=13"},
			"offset=20&partial=true":                {21, 5, "first offset=0; prev offset=10"},
			"offset=3&cursor=":                      {1, 10, "first cursor; next cursor"},
			"offset=3&pagination=false":             {1, 25, ""},
			"offset=3&itemsPerPage=0":               {0, 0, ""},
			"offset=3&sort=-guns&itemsPerPage=2":    {22, 2, "first offset=0; prev offset=1; next offset=5; last offset=23"},
			"page=2":                                {11, 10, "first page=1; prev page=1; next page=3; last page=3"},
			"offset=1e1&sort=guns&cursor=&page=2":   {1, 10, "first cursor; next cursor"},
			"offset=5&id=1&id=2&id=3&id=4&id=5":     {0, 0, "first offset=0; prev offset=0; last offset=0"},
			"offset=1&id=11&id=12&itemsPerPage=200": {-1, 0, ""}, // which is too much
		} {
			got := c.Send("GET /api/ships?"+query, "")
			if want.first < 0 {
				got.IsProblem(400)
				continue
			}
			ids := spec.IDsOf(t, got.HasStatus(200).Body)
			if len(ids) != want.items || len(ids) > 0 && ids[0] != int64(want.first) {
				t.Errorf("%s: %v, want %d from %d", query, ids, want.items, want.first)
			}
			if got := leads(got); got != want.leads {
				t.Errorf("%s leads to\n%s, want\n%s", query, got, want.leads)
			}
		}
		if lines := strings.Count(c.Send("GET /api/ships.ndjson?offset=20", "").HasStatus(200).Body, "\n"); lines != 25 {
			t.Errorf("a stream has %d lines", lines)
		}
	})
}

func TestNextLeadsThroughAllRecordsFromAnOffset(t *testing.T) {
	t.Parallel()
	offsets(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, begin := range []string{"offset=2&itemsPerPage=3", "offset=2&itemsPerPage=3&partial=true", "offset=2&itemsPerPage=19&sort=guns"} {
			var all []int64
			for at := "/api/ships?" + begin; at != ""; {
				got := c.Send("GET "+at, "").HasStatus(200)
				all = append(all, spec.IDsOf(t, got.Body)...)
				at = ""
				for _, m := range spec.LinkTo.FindAllStringSubmatch(got.Header.Get("Link"), -1) {
					if m[2] == "next" {
						at = m[1]
					}
				}
				if len(all) > 30 {
					break
				}
			}
			if len(all) != 23 || all[0] != 3 || all[22] != 25 {
				t.Errorf("%s leads through %v", begin, all)
			}
		}
	})
}

func TestAnOffsetPassesOverNoMoreThanPagesDo(t *testing.T) {
	t.Parallel()
	offsets(t, func(_ *testing.T, c spec.Client) {
		for _, offset := range []string{"41", "-1", "x", "1.5", "9223372036854775807", "99999999999999999999", ""} {
			c.Send("GET /api/ships?offset="+offset, "").IsProblem(400).Mentions("offset must be an integer between 0 and 40")
		}
		c.Send("GET /api/ships?offset=1&offset=2", "").IsProblem(400).Mentions("offset must be given only once")
	})
	c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: memory.New(fleet(25)...), Pagination: operation.Pagination{
		ItemsPerPage: 5, MaxItemsPerPage: 5, MaxPage: 2, ClientOffset: new(true),
	}})
	if got := leads(c.Send("GET /api/ships?offset=4", "")); got != "first offset=0; prev offset=0; next cursor" {
		t.Errorf("behind the greatest offset: %s", got)
	}
}

func TestAnOffsetIsNoParameterUnlessDeclared(t *testing.T) {
	t.Parallel()
	for _, pagination := range []operation.Pagination{{}, {ClientOffset: new(true), ViaCursor: new(true)}, {ClientOffset: new(true), Enabled: new(false)}} {
		c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: memory.New(fleet(3)...), Pagination: pagination})
		c.Send("GET /api/ships?offset=1", "").IsProblem(400).Mentions(`Unknown parameter \"offset\"`)
	}
	type wave struct {
		ID     int64 `json:"id"`
		Offset int   `json:"offset" api:"filter"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[wave]{ShortName: "Wave", Store: memory.New(wave{Offset: 1}, wave{Offset: 1}, wave{})})
	got := c.Send("GET /api/waves?offset=1&itemsPerPage=1", "").HasStatus(200)
	if link := got.Header.Get("Link"); strings.Count(link, "offset=1") != 3 {
		t.Errorf("the filter offset is lost: %s", link)
	}
}

func TestAnOffsetCountsOnlyRecordsThatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	captains := spec.Stores[spec.Captain](t)
	for name, hoards := range spec.Stores[spec.Hoard](t) {
		t.Run(name, func(t *testing.T) {
			f := spec.NewCrew(t, resource.Of[spec.Hoard]{Store: hoards, Pagination: operation.Pagination{ClientOffset: new(true)}}, resource.Of[spec.Captain]{Store: captains[name]})
			for who, want := range map[string]string{"": "[3]", "bob": "[3]", "ann": "[2 3]", "root": "[2 3]"} {
				got := f.As(who, "GET /api/hoards?offset=1", "").HasStatus(200)
				if ids := fmt.Sprint(spec.IDsOf(t, got.Body)); ids != want {
					t.Errorf("as %q: %s, want %s", who, ids, want)
				}
			}
			f.As("", "GET /api/hoards?offset=2", "").Is(200, "[]").Has("X-Total-Count", "2")
		})
	}
}

func TestThePagesOfEveryFormatLeadOnByOffset(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Frigate]{
		ShortName: "Ship", Store: memory.New(fleet(25)...), Pagination: operation.Pagination{ItemsPerPage: 10, ClientOffset: new(true)},
	})
	for _, suffix := range []string{"jsonld", "jsonhal", "jsonapi"} {
		got := c.Send("GET /api/ships."+suffix+"?offset=7", "").HasStatus(200)
		for _, want := range []string{"offset=0", "offset=17"} {
			if !strings.Contains(got.Body, want) {
				t.Errorf("%s has no link with %s", suffix, want)
			}
		}
	}
}

// turnsOf returns a summary of the links to pages: "first=1 next=2". An ellipsis represents a cursor.
func turnsOf(a spec.Response) string {
	var turns []string
	for _, m := range spec.LinkTo.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		target, err := url.Parse(m[1])
		if err != nil {
			a.T.Fatal(err)
		}
		to := target.Query().Get("page")
		if target.Query().Get("cursor") != "" {
			to = "…"
		}
		turns = append(turns, m[2]+"="+to)
	}
	return strings.Join(turns, " ")
}

// leads returns a summary of the links to pages, each by its own parameter: "first offset=0".
func leads(a spec.Response) string {
	var found []string
	for _, m := range spec.LinkTo.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		target, err := url.Parse(m[1])
		if err != nil {
			a.T.Fatal(err)
		}
		parts := []string{m[2]}
		for _, name := range []string{"page", "offset", "cursor"} {
			if values, has := target.Query()[name]; has && name == "cursor" {
				parts = append(parts, "cursor")
			} else if has {
				parts = append(parts, name+"="+strings.Join(values, ","))
			}
		}
		found = append(found, strings.Join(parts, " "))
	}
	return strings.Join(found, "; ")
}
