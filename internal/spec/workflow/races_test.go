package workflow_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Ticket is sold once.
type Ticket struct {
	ID     int64  `json:"id"`
	Status string `json:"status" validate:"oneof=free sold" default:"free" api:"readonly,filter"`
	Sales  int    `json:"sales" api:"readonly"`
}

// tickets makes an API of tickets with two ways to sell one.
func tickets(t *testing.T, in store.Store[Ticket]) spec.Client {
	t.Helper()
	isFree := access.Where("status", "free")
	return spec.NewClient(t, resource.Config{}, resource.Of[Ticket]{Store: in, Operations: append(operation.Standard(),
		operation.Post{Name: "sell", URITemplate: "/tickets/{id}/sell", When: isFree, Handler: operation.Set("status", "sold", "sales", 1)},
		operation.Patch{Name: "take", URITemplate: "/tickets/{id}/take", When: isFree, Processor: operation.Process(sellTicket)})})
}

// TestOneWriterWinsATransition lets 16 writers on two instances of the API sell the same tickets at once.
func TestOneWriterWinsATransition(t *testing.T) {
	t.Parallel()
	race := func(t *testing.T, clients [2]spec.Client) {
		t.Helper()
		rounds := 10
		if testing.Short() {
			rounds = 3
		}
		for id := 1; id <= rounds; id++ {
			clients[0].Send("POST /api/tickets", `{}`).HasStatus(201)
			var all sync.WaitGroup
			var sold atomic.Int32
			for writer := range 16 {
				all.Go(func() {
					request, body := fmt.Sprintf("POST /api/tickets/%d/sell", id), ""
					if writer%4 > 1 {
						request, body = fmt.Sprintf("PATCH /api/tickets/%d/take", id), `{}`
					}
					switch got := clients[writer%2].Send(request, body); got.Status {
					case 200:
						sold.Add(1)
					case 409, 503: // a database may give up a transaction that waits for others
					default:
						t.Errorf("%s: %d %s", request, got.Status, got.Body)
					}
				})
			}
			all.Wait()
			if sold.Load() != 1 {
				t.Errorf("%d writers have sold ticket %d, want 1", sold.Load(), id)
			}
			clients[1].Send(fmt.Sprintf("GET /api/tickets/%d", id), "").Is(200, fmt.Sprintf(`{"id":%d,"status":"sold","sales":1}`, id))
		}
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		c := tickets(t, memory.New[Ticket]())
		race(t, [2]spec.Client{c, c})
	})
	for name, open := range spec.Pairs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var clients [2]spec.Client
			for i, db := range open(t) {
				table := sqlstore.Table[Ticket](db)
				if err := db.Create(t.Context(), table); err != nil {
					t.Fatal(err)
				}
				clients[i] = tickets(t, table)
			}
			race(t, clients)
		})
	}
}

// sellTicket sells a ticket.
func sellTicket(ctx context.Context, _ *operation.Request, ticket *Ticket, save operation.Save[Ticket]) error {
	ticket.Status = "sold"
	ticket.Sales++
	return save(ctx, ticket)
}
