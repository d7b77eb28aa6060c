package nested_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// world is what orders and lines should be, by their identifiers.
type world struct {
	orders, lines map[int64]string // numbers; products with the order before them
	nextOrder     int64
	nextLine      int64
}

// element is a line in a body.
type element struct {
	ID      int64  `json:"id,omitzero"`
	Product string `json:"product,omitzero"`
}

// change returns what a request leaves of the world, nil if it must be rejected. Without an order, it creates one.
func (w *world) change(order int64, number string, list []element) *world {
	next := &world{maps.Clone(w.orders), maps.Clone(w.lines), w.nextOrder, w.nextLine}
	isNew := order == 0
	if isNew {
		order = next.nextOrder
		next.nextOrder++
	}
	for id, taken := range w.orders {
		if taken == number && id != order {
			return nil
		}
	}
	if number != "" {
		next.orders[order] = number
	}
	if list == nil {
		return next
	}
	mark, kept := fmt.Sprintf("%d ", order), map[int64]bool{}
	for _, e := range list {
		if e.ID == 0 || isNew {
			continue
		}
		if !strings.HasPrefix(w.lines[e.ID], mark) || kept[e.ID] {
			return nil
		}
		kept[e.ID] = true
	}
	for id, line := range w.lines {
		if strings.HasPrefix(line, mark) && !kept[id] {
			delete(next.lines, id)
		}
	}
	for _, e := range list {
		switch {
		case kept[e.ID] && e.Product != "":
			next.lines[e.ID] = mark + e.Product
		case kept[e.ID]:
		case e.Product == "":
			return nil
		default:
			next.lines[next.nextLine] = mark + e.Product
			next.nextLine++
		}
	}
	return next
}

// next returns the first new identifier, because databases skip those of transactions that were undone.
func next(before, after map[int64]string, otherwise int64) int64 {
	first := int64(math.MaxInt64)
	for id := range after {
		if _, known := before[id]; !known {
			first = min(first, id)
		}
	}
	if first == math.MaxInt64 {
		return otherwise
	}
	return first
}

// read reads the world of an API. It does not know the next identifiers.
func read(t *testing.T, c spec.Client) *world {
	t.Helper()
	w := &world{orders: map[int64]string{}, lines: map[int64]string{}}
	var orders []Order
	var lines []Line
	for path, into := range map[string]any{"orders": &orders, "lines": &lines} {
		if err := json.Unmarshal([]byte(c.Send("GET /api/"+path, "").HasStatus(200).Body), into); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range orders {
		w.orders[o.ID] = o.Number
	}
	for _, l := range lines {
		w.lines[l.ID] = fmt.Sprintf("%d %s", l.Order, l.Product)
	}
	return w
}

func (w *world) String() string {
	var texts []string
	for id, number := range w.orders {
		texts = append(texts, fmt.Sprintf("order %d: %s", id, number))
	}
	for id, line := range w.lines {
		texts = append(texts, fmt.Sprintf("line %d: %s", id, line))
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

func TestRandomListsLeaveWhatANaiveModelSays(t *testing.T) {
	t.Parallel()
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	config := resource.Config{References: resource.Identifiers, Pagination: operation.Pagination{Enabled: new(false)}}
	alike(t, config, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		w := &world{map[int64]string{}, map[int64]string{}, 1, 1}
		rejected := 0
		for range rounds {
			body, number, order := map[string]any{}, "", r.Int64N(w.nextOrder+1)
			if order == 0 || w.orders[order] == "" || r.IntN(2) == 0 {
				number = fmt.Sprintf("N%d", r.IntN(20))
				body["number"] = number
			}
			var list []element
			if r.IntN(4) > 0 {
				list = []element{}
				for range r.IntN(4) {
					e := element{Product: "P"}
					if r.IntN(2) == 0 {
						e = element{ID: 1 + r.Int64N(w.nextLine), Product: []string{"", "Q"}[r.IntN(2)]}
					}
					list = append(list, e)
				}
				body["lines"] = list
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			request := fmt.Sprintf("%s /api/orders/%d", []string{"PUT", "PATCH"}[r.IntN(2)], order)
			if order == 0 || w.orders[order] == "" {
				request, order = "POST /api/orders", 0
			}
			response := c.Send(request, string(text))
			got := read(t, c)
			w.nextOrder, w.nextLine = next(w.orders, got.orders, w.nextOrder), next(w.lines, got.lines, w.nextLine)
			left := w.change(order, number, list)
			if (response.Status < 300) != (left != nil) {
				t.Fatalf("seed %d: %s %s returned %d %s, want %v", seed, request, text, response.Status, response.Body, left)
			}
			if left == nil {
				rejected++
				left = w
			}
			if got.String() != left.String() {
				t.Fatalf("seed %d: after %s %s there is\n%s\nwant\n%s", seed, request, text, got, left)
			}
			w = left
		}
		if rejected == 0 || rejected == rounds {
			t.Errorf("%d of %d requests were rejected", rejected, rounds)
		}
	})
}

func TestTwoWritersOfAListDoNotMixTheirRecords(t *testing.T) {
	t.Parallel()
	alike(t, resource.Config{}, orders(), lines(), func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/orders", `{"number":"A1","lines":[{"product":"a"},{"product":"a"}]}`).HasStatus(201)
		var group sync.WaitGroup
		for _, product := range []string{"b", "c"} {
			group.Go(func() {
				for range 8 {
					body := strings.ReplaceAll(`{"lines":[{"product":"x"},{"product":"x"},{"product":"x"}]}`, "x", product)
					// A transaction may lose against the other one.
					if r := c.Send("PATCH /api/orders/1", body); r.Status != 200 && r.Status != 409 && r.Status != 503 {
						t.Errorf("the response is %d %s", r.Status, r.Body)
					}
				}
			})
		}
		group.Wait()
		left := c.Send("GET /api/orders/1/lines", "").HasStatus(200).Body
		if b, c := strings.Count(left, `"b"`), strings.Count(left, `"c"`); b+c != 3 || b*c != 0 {
			t.Errorf("the lines are %s, want three of one writer", left)
		}
	})
}

// TestManyWritersOfAListDoNotMixTheirRecords lets 16 writers on two instances of the API replace the list of an order at once.
func TestManyWritersOfAListDoNotMixTheirRecords(t *testing.T) {
	t.Parallel()
	race := func(t *testing.T, clients [2]spec.Client) {
		t.Helper()
		clients[0].Send("POST /api/orders", `{"number":"A1","lines":[{"product":"w"}]}`).HasStatus(201)
		var group sync.WaitGroup
		var saved atomic.Int32
		for writer := range 16 {
			group.Go(func() {
				for range 2 {
					product := fmt.Sprintf("w%d", writer)
					body := strings.ReplaceAll(`{"lines":[{"product":"x"},{"product":"x"},{"product":"x"}]}`, "x", product)
					switch got := clients[writer%2].Send("PATCH /api/orders/1", body); got.Status {
					case 200:
						saved.Add(1)
						if strings.Count(got.Body, `"`+product+`"`) != 3 || strings.Count(got.Body, `"product"`) != 3 {
							t.Errorf("writer %d gets %s", writer, got.Body)
						}
					case 409, 503: // a database may give up a transaction that waits for others
					default:
						t.Errorf("%d %s", got.Status, got.Body)
					}
				}
			})
		}
		group.Wait()
		left := clients[1].Send("GET /api/orders/1/lines", "").HasStatus(200).Body
		first := strings.SplitN(left, `"product":"`, 2)[1]
		first = first[:strings.IndexByte(first, '"')]
		if strings.Count(left, `"`+first+`"`) != 3 || strings.Count(left, `"product"`) != 3 || saved.Load() == 0 {
			t.Errorf("%d requests saved, and the lines are %s, want three of one writer", saved.Load(), left)
		}
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		c := spec.NewClient(t, resource.Config{}, orders(), lines())
		race(t, [2]spec.Client{c, c})
	})
	for name, open := range spec.Pairs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var clients [2]spec.Client
			for i, db := range open(t) {
				ofOrders, ofLines := orders(), lines()
				orderTable, lineTable := sqlstore.Table[Order](db), sqlstore.Table[Line](db)
				if err := db.Create(t.Context(), orderTable, lineTable); err != nil {
					t.Fatal(err)
				}
				ofOrders.Store, ofLines.Store = orderTable, lineTable
				clients[i] = spec.NewClient(t, resource.Config{}, ofOrders, ofLines)
			}
			race(t, clients)
		})
	}
}
