package collections_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// port is a fleet of which some ships come and go.
type port struct {
	t       testing.TB
	records *memory.Store[Frigate]
	random  *rand.Rand
	guests  []int64
}

// tide lets some ships come, and some of those that came go.
func (p *port) tide() {
	p.t.Helper()
	err := p.records.Transact(p.t.Context(), func(ctx context.Context, tx store.Tx[Frigate]) error {
		for range p.random.IntN(6) {
			ship := Frigate{Name: fmt.Sprintf("Ship %02d", p.random.IntN(40)), Guns: p.random.IntN(4), Port: Harbour{"Tortuga"}}
			if p.random.IntN(2) == 0 {
				ship.Crew = new(p.random.IntN(5))
			}
			if err := tx.Insert(ctx, &ship); err != nil {
				return err
			}
			p.guests = append(p.guests, ship.ID)
		}
		for range min(p.random.IntN(6), len(p.guests)) {
			i := p.random.IntN(len(p.guests))
			if err := tx.Delete(ctx, p.guests[i]); err != nil {
				return err
			}
			p.guests = slices.Delete(p.guests, i, i+1)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// someOrder returns sort with one to three fields.
func (p *port) someOrder() string {
	fields := []string{"name", "guns", "crew", "port.city"}
	p.random.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for i := range fields {
		if p.random.IntN(2) == 0 {
			fields[i] = "-" + fields[i]
		}
	}
	return "sort=" + strings.Join(fields[:1+p.random.IntN(3)], ",")
}

func TestAWalkBothWaysMeetsWhatStaysOnceInOrder(t *testing.T) {
	t.Parallel()
	const stay = 40
	for seed := range uint64(40) {
		p := &port{t: t, records: memory.New(fleet(stay)...), random: rand.New(rand.NewPCG(seed, 1))}
		c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: p.records})
		order := p.someOrder()
		want := spec.IDsOf(t, c.Send("GET /api/ships?itemsPerPage=100&"+order, "").Body)
		for _, direction := range []string{"next", "prev"} {
			at := fmt.Sprintf("/api/ships?cursor=&itemsPerPage=%d&%s", 1+p.random.IntN(9), order)
			if direction == "prev" {
				at, _ = lastPage(c, at)
				slices.Reverse(want)
			}
			var met []int64
			for range 1000 {
				page := c.Send("GET "+at, "").HasStatus(200)
				ids := spec.IDsOf(t, page.Body)
				if direction == "prev" {
					slices.Reverse(ids)
				}
				met = append(met, ids...)
				p.tide()
				if at = page.Link(direction); at == "" {
					break
				}
			}
			met = slices.DeleteFunc(met, func(id int64) bool { return id > stay })
			if !slices.Equal(met, want) {
				t.Errorf("seed %d, %s, %s: met %v, want %v", seed, order, direction, met, want)
			}
		}
	}
}

func TestAPageAfterADeletedRecordIsTheSame(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	first := c.Send("GET /api/ships?cursor=&sort=-guns&itemsPerPage=3", "")
	ids := spec.IDsOf(t, first.Body)
	before := c.Send("GET "+first.Link("next"), "").HasStatus(200)
	c.Send(fmt.Sprintf("DELETE /api/ships/%d", ids[2]), "").HasStatus(204)
	if after := c.Send("GET "+first.Link("next"), "").HasStatus(200); after.Body != before.Body {
		t.Errorf("the page is\n%s\nwant\n%s", after.Body, before.Body)
	}
	back := c.Send("GET "+before.Link("prev"), "").HasStatus(200)
	if got := spec.IDsOf(t, back.Body); !slices.Equal(got, ids[:2]) {
		t.Errorf("the page before has %v, want %v", got, ids[:2])
	}
}

func TestAChangedCursorIsRejected(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	good := c.Send("GET /api/ships?cursor=&sort=-crew,name&itemsPerPage=3", "").Next()
	c.Send("GET /api/ships?cursor="+good, "").HasStatus(200)
	other := c.Send("GET /api/ships?cursor=&sort=name&itemsPerPage=3", "").Next()
	changed := []string{good + "A", good + "=", "A" + good, good + good, "AAAA", good[:22] + other[22:], other[:22] + good[22:]}
	for i := range good {
		letter := "A"
		if good[i] == 'A' {
			letter = "B"
		}
		changed = append(changed, good[:i]+letter+good[i+1:], good[:i]+good[i+1:])
	}
	for n := 1; n < len(good); n++ {
		changed = append(changed, good[:n])
	}
	for _, cursor := range changed {
		for _, path := range []string{"/api/ships", "/api/ships.ndjson"} {
			c.Send("GET "+path+"?cursor="+url.QueryEscape(cursor), "").IsProblem(400).Mentions(`"name":"cursor"`, "cursor is not a valid cursor for this collection")
		}
	}
}

func TestACursorIsOfOneCollectionAlone(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Operations = append(operation.Standard(), operation.GetCollection{Name: "wake", URITemplate: "/wake"})
	c := spec.NewClient(t, resource.Config{}, of)
	cursor := c.Send("GET /api/ships?cursor=&itemsPerPage=3", "").Next()
	c.Send("GET /api/ships.json?cursor="+cursor, "").HasStatus(200).Mentions(`"id":4`)
	c.Send("GET /api/wake?cursor="+cursor, "").IsProblem(400)

	type Ship struct { // as it was before a field had another type
		ID   int64  `json:"id"`
		Name string `json:"name" api:"filter=partial,sort,search"`
		Guns string `json:"guns" api:"sort"`
	}
	spec.NewClient(t, resource.Config{}, resource.Of[Ship]{}).Send("GET /api/ships?cursor="+cursor, "").IsProblem(400)
	spec.NewClient(t, resource.Config{Prefix: "/v2"}, ships()).Send("GET /v2/ships?cursor="+cursor, "").IsProblem(400)
	other := resource.Config{CursorKey: []byte("another sixteen bytes or more")}
	key := resource.Config{CursorKey: []byte("one that has sixteen bytes or more")}
	sealed := spec.NewClient(t, key, ships()).Send("GET /api/ships?cursor=&itemsPerPage=3", "").Next()
	spec.NewClient(t, key, ships()).Send("GET /api/ships?cursor="+sealed, "").HasStatus(200)
	spec.NewClient(t, other, ships()).Send("GET /api/ships?cursor="+sealed, "").IsProblem(400)
}

func TestTheWeightierParameterDecides(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Order, of.Pagination = []string{"-port.city", "rig"}, freely()
	c := spec.NewClient(t, resource.Config{}, of)
	ids := func(query string) []int64 {
		return spec.IDsOf(t, c.Send("GET /api/ships?"+query, "").HasStatus(200).Body)
	}
	declared := ids("pagination=false")
	if !slices.Equal(declared[:4], []int64{2, 8, 14, 20}) {
		t.Errorf("the declared order gives %v", declared)
	}
	second := "cursor=" + c.Send("GET /api/ships?cursor=&itemsPerPage=4&sort=-guns", "").Next()
	byGuns := ids("itemsPerPage=100&sort=-guns")
	for _, row := range []struct {
		query string
		want  []int64
	}{
		{"cursor=&itemsPerPage=25", declared},
		{"itemsPerPage=4&page=2", declared[4:8]},
		{"pagination=false&page=2&itemsPerPage=4&" + second, declared},
		{"itemsPerPage=4&page=3&" + second, byGuns[4:8]},
		{"itemsPerPage=4&sort=name&" + second, byGuns[4:8]}, // a cursor carries its order
		{"itemsPerPage=7&" + second, byGuns[4:11]},
		{"itemsPerPage=100&order[name]=desc&sort=-guns", byGuns},
	} {
		if got := ids(row.query); !slices.Equal(got, row.want) {
			t.Errorf("%s gives %v, want %v", row.query, got, row.want)
		}
	}
}

func TestAWalkMeetsEveryRecordOnceInAnyOrder(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	for _, query := range []string{
		"", "sort=name", "sort=-name", "sort=crew", "sort=-crew", "sort=guns,-crew", "sort=-guns,name", "sort=port.city,-guns",
		"order[crew]=desc&order[guns]=asc", "guns[gte]=1&sort=-crew",
	} {
		whole := spec.IDsOf(t, c.Send("GET /api/ships?itemsPerPage=100&"+query, "").Body)
		for _, size := range []int{1, 4, 25, 100} {
			byPage, _ := c.Walk(fmt.Sprintf("/api/ships?itemsPerPage=%d&%s", size, query))
			byCursor, end := c.Walk(fmt.Sprintf("/api/ships?itemsPerPage=%d&cursor=&%s", size, query))
			if !slices.Equal(byPage, whole) || !slices.Equal(byCursor, whole) {
				t.Errorf("%s by %d: pages have %v, cursors %v, the whole is %v", query, size, byPage, byCursor, whole)
			}
			back := 0
			for at := end; at != ""; back++ {
				at = c.Send("GET "+at, "").HasStatus(200).Link("prev")
			}
			if pages := (len(whole) + size - 1) / size; back != pages {
				t.Errorf("%s by %d: it is %d pages back from the end, want %d", query, size, back, pages)
			}
		}
	}
}

func TestBehindTheLastPageNumberTheCollectionGoesOn(t *testing.T) {
	t.Parallel()
	of := ships()
	of.Pagination = operation.Pagination{ItemsPerPage: 4, MaxPage: 2}
	c := spec.NewClient(t, resource.Config{}, of)
	if ids, end := c.Walk("/api/ships?sort=name"); len(ids) != 25 || !strings.Contains(end, "cursor=") {
		t.Errorf("the walk has %d ships and ends at %s", len(ids), end)
	}
	c.Send("GET /api/ships?page=3", "").IsProblem(400)
}

func TestAWalkMeetsWhatStaysOnceWhileOthersComeAndGo(t *testing.T) {
	t.Parallel()
	records := memory.New(fleet(60)...)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: records})
	ctx, stop := context.WithCancel(t.Context())
	var traffic sync.WaitGroup
	for worker := range 3 {
		traffic.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				ship := Frigate{Name: fmt.Sprintf("Ship %02d", (i*13+worker)%60), Guns: i % 4, Crew: new(i % 5)}
				_ = records.Transact(ctx, func(ctx context.Context, tx store.Tx[Frigate]) error { return tx.Insert(ctx, &ship) })
				_ = records.Transact(ctx, func(ctx context.Context, tx store.Tx[Frigate]) error { return tx.Delete(ctx, ship.ID) })
			}
		})
	}
	for _, order := range []string{"", "sort=name", "sort=-crew", "sort=guns,-name", "sort=-guns,-crew"} {
		for _, from := range []string{"?itemsPerPage=7&cursor=&", ".ndjson?"} {
			met := map[int64]int{}
			var ids []int64
			if strings.HasPrefix(from, "?") {
				ids, _ = c.Walk("/api/ships" + from + order)
			} else {
				body := strings.TrimSuffix(c.Send("GET /api/ships"+from+order, "").HasStatus(200).Body, "\n")
				ids = spec.IDsOf(t, "["+strings.ReplaceAll(body, "\n", ",")+"]")
			}
			for _, id := range ids {
				met[id]++
			}
			for id := range int64(60) {
				if met[id+1] != 1 {
					t.Errorf("%s%s meets the ship %d %d times", from, order, id+1, met[id+1])
				}
			}
		}
	}
	stop()
	traffic.Wait()
}

// lastPage follows next to the last page that has records.
func lastPage(c spec.Client, from string) (address string, page spec.Response) {
	c.T.Helper()
	for range 1000 {
		got := c.Send("GET "+from, "").HasStatus(200)
		if got.Body == "[]" {
			return address, page
		}
		address, page = from, got
		if from = got.Link("next"); from == "" {
			return address, page
		}
	}
	c.T.Fatal("there is no last page")
	return "", page
}
