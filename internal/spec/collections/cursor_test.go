package collections_test

import (
	"context"
	"fmt"
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

func TestGoingBackMeetsTheSamePages(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	var forward, back []string
	at := "/api/ships?sort=-crew&itemsPerPage=4&cursor="
	for range 7 {
		page := c.Send("GET "+at, "").HasStatus(200)
		forward = append(forward, page.Body)
		if page.Link("next") == "" {
			break
		}
		at = page.Link("next")
	}
	for at != "" {
		page := c.Send("GET "+at, "").HasStatus(200)
		back = append(back, page.Body)
		at = page.Link("prev")
	}
	slices.Reverse(back)
	if len(forward) != 7 || !slices.Equal(forward, back) {
		t.Errorf("forward\n%s\nback\n%s", strings.Join(forward, "\n"), strings.Join(back, "\n"))
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

func TestCursorsWorkOnEveryInstanceAndNowhereElse(t *testing.T) {
	t.Parallel()
	secret := []byte("sixteen bytes or more")
	apis := func(config resource.Config) spec.Client {
		return spec.NewClient(t, config, ships(), resource.Of[spec.Sailor]{})
	}
	plain, keyed := apis(resource.Config{}), apis(resource.Config{CursorKey: secret})
	next := plain.Send("GET /api/ships?cursor=&itemsPerPage=2", "").Link("next")
	sealed := keyed.Send("GET /api/ships?cursor=&itemsPerPage=2", "").Link("next")
	apis(resource.Config{}).Send("GET "+next, "").HasStatus(200).Mentions(`"id":3`)
	apis(resource.Config{CursorKey: secret}).Send("GET "+sealed, "").HasStatus(200).Mentions(`"id":3`)
	keyed.Send("GET "+next, "").IsProblem(400).Mentions("cursor is not a valid cursor for this collection")
	plain.Send("GET "+sealed, "").IsProblem(400)
	plain.Send("GET "+strings.Replace(next, "/ships", "/sailors", 1), "").IsProblem(400)
	plain.Send("GET "+next+"x", "").IsProblem(400)
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
