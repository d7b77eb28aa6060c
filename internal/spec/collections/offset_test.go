package collections_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

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
			if got := got.Leads(); got != want.leads {
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
	if got := c.Send("GET /api/ships?offset=4", "").Leads(); got != "first offset=0; prev offset=0; next cursor" {
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
