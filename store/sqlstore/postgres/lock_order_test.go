package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// countingDriver counts transactions and deadlocks.
type countingDriver struct {
	sqlstore.Driver

	begun, deadlocks atomic.Int64
}

func (d *countingDriver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	d.begun.Add(1)
	return d.Driver.Begin(ctx)
}

func (d *countingDriver) Fault(err error) sqlstore.Fault {
	if strings.Contains(err.Error(), "40P01") {
		d.deadlocks.Add(1)
	}
	return d.Driver.Fault(err)
}

type sticker struct {
	Name string `json:"name" api:"id"`
}

type parcel struct {
	ID       int64    `json:"id"`
	Note     string   `json:"note"`
	Main     *string  `json:"main" api:"ref=Sticker,ondelete=null"`
	Stickers []string `json:"stickers" validate:"max=100" api:"ref=Sticker,ondelete=null"`
	Version  int      `json:"version" api:"version"`
}

// service is an API in the same process.
type service struct {
	*testing.T
	*resource.API
}

// send sends a request, such as "GET /api/x", and returns the status and the body of the response.
func (s service) send(request, body string) (status int, response string) {
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(s.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// must sends a request that must succeed.
func (s service) must(request, body string) (response string) {
	s.Helper()
	status, response := s.send(request, body)
	if status >= http.StatusBadRequest {
		s.Fatalf("%s returns %d: %s", request, status, response)
	}
	return response
}

// parcelServices returns two services on the tables of one database, as in two processes, and the counts of their
// transactions.
func parcelServices(t *testing.T) (services [2]service, counts [2]*countingDriver) {
	t.Helper()
	dsn := schema(t)
	for i := range services {
		counts[i] = &countingDriver{Driver: connectTo(t, dsn)}
		db := sqlstore.New(counts[i])
		stickers, parcels := sqlstore.Table[sticker](db), sqlstore.Table[parcel](db)
		if err := db.Create(t.Context(), stickers, parcels); err != nil {
			t.Fatal(err)
		}
		api, err := resource.New(resource.Config{}, resource.Of[sticker]{Store: stickers}, resource.Of[parcel]{Store: parcels, Operations: append(
			operation.Standard(), operation.Put{URITemplate: "/parcels/{id}/stickers/{stickers}"}, operation.Delete{URITemplate: "/parcels/{id}/stickers/{stickers}"},
			operation.Patch{Name: "change", URITemplate: "/parcels", Handler: operation.Handle(
				func(ctx context.Context, _ *parcel, in []operation.PatchOf[parcel]) (struct{}, error) {
					for _, each := range in {
						if _, err := each.Save(ctx); err != nil {
							return struct{}{}, err
						}
					}
					return struct{}{}, nil
				})},
		)})
		if err != nil {
			t.Fatal(err)
		}
		services[i] = service{t, api}
	}
	return services, counts
}

// doAll sends the requests, in order, from several concurrent clients. It returns how often each status came.
func doAll(services [2]service, requests [][2]string) map[int]int {
	var mu sync.Mutex
	statuses := map[int]int{}
	next := atomic.Int64{}
	var all sync.WaitGroup
	for worker := range 12 {
		all.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(requests); n = int(next.Add(1)) - 1 {
				status, _ := services[worker%2].send(requests[n][0], requests[n][1])
				mu.Lock()
				statuses[status]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return statuses
}

func checkCounts(t *testing.T, counts [2]*countingDriver, requests int) {
	t.Helper()
	for _, c := range counts {
		if n := c.deadlocks.Load(); n > 0 {
			t.Errorf("there were %d deadlocks", n)
		}
	}
	if begun := counts[0].begun.Load() + counts[1].begun.Load(); begun > int64(2*requests) {
		t.Errorf("%d requests began %d transactions", requests, begun)
	}
}

func TestMembershipsAndDeletesOfTheirTargetsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	services, counts := parcelServices(t)
	const stickers = 60
	for range 2 {
		services[0].must("POST /api/parcels", `{"note":"","stickers":[]}`)
	}
	var requests [][2]string
	for n := range stickers {
		services[n%2].must("POST /api/stickers", fmt.Sprintf(`{"name":"l%d"}`, n))
		add, drop := fmt.Sprintf("PUT /api/parcels/1/stickers/l%d", n), [2]string{fmt.Sprintf("DELETE /api/stickers/l%d", n)}
		requests = append(requests, [2]string{add}, [2]string{"PATCH /api/parcels/1", fmt.Sprintf(`{"main":"/api/stickers/l%d"}`, n)},
			[2]string{strings.Replace(add, "/1/", "/2/", 1)}, drop, [2]string{add}, [2]string{"PATCH /api/parcels/2", `{"note":"x"}`})
	}
	statuses := doAll(services, requests)
	checkCounts(t, counts, len(requests)+stickers)
	for status := range statuses {
		if status != http.StatusOK && status != http.StatusNoContent && status != http.StatusNotFound && status != http.StatusBadRequest {
			t.Errorf("%d responses have the status %d", statuses[status], status)
		}
	}
	if statuses[http.StatusNoContent] < stickers {
		t.Errorf("the statuses are %v; each of %d stickers is deleted", statuses, stickers)
	}
	for _, id := range []string{"1", "2"} {
		if got := services[0].must("GET /api/parcels/"+id, ""); !strings.Contains(got, `"stickers":[]`) || !strings.Contains(got, `"main":null`) {
			t.Errorf("all stickers are deleted, but the parcel is %s", got)
		}
	}
}

func TestBulkPatchesOfTheSameRecordsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	services, counts := parcelServices(t)
	const parcels, patches = 20, 60
	services[0].must("POST /api/stickers", `{"name":"a"}`)
	for range parcels {
		services[0].must("POST /api/parcels", `{"note":"","stickers":["/api/stickers/a"]}`)
	}
	random := rand.New(rand.NewPCG(7, 7))
	requests := make([][2]string, patches)
	for n := range requests {
		var list []map[string]any
		for _, i := range random.Perm(parcels)[:parcels/2] {
			list = append(list, map[string]any{"id": i + 1, "note": fmt.Sprint(n), "main": "/api/stickers/a"})
		}
		body, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		requests[n] = [2]string{"PATCH /api/parcels", string(body)}
	}
	statuses := doAll(services, requests)
	checkCounts(t, counts, patches+parcels+1)
	if statuses[http.StatusNoContent] != patches {
		t.Errorf("the statuses are %v, want %d times 204", statuses, patches)
	}
}
