package relations_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

type (
	// sale is an order that a handler closes.
	sale struct {
		ID     int64 `json:"id"`
		Closed bool  `json:"closed"`
	}
	// stock is what is left of something.
	stock struct {
		ID   int64 `json:"id"`
		Left int   `json:"left"`
	}
	// entry is one of an audit.
	entry struct {
		ID   int64  `json:"id"`
		Text string `json:"text" api:"unique"`
	}
)

// wrappedStock is a store that wraps another one.
type wrappedStock struct{ store.Store[stock] }

func TestAHandlerChangesThreeResourcesOrNone(t *testing.T) {
	t.Parallel()
	opened := map[string]func(t *testing.T) (store.Store[sale], store.Store[stock], store.Store[entry]){
		"in memory": func(*testing.T) (store.Store[sale], store.Store[stock], store.Store[entry]) {
			return memory.New(sale{}), wrappedStock{memory.New(stock{Left: 5})}, memory.New(entry{Text: "taken"})
		},
	}
	for name, database := range spec.Databases(t) {
		opened["on "+name] = func(t *testing.T) (store.Store[sale], store.Store[stock], store.Store[entry]) {
			t.Helper()
			db := database(t)
			sales, stocks, entries := sqlstore.Table[sale](db), sqlstore.Table[stock](db), sqlstore.Table[entry](db)
			if err := db.Create(t.Context(), sales, stocks, entries); err != nil {
				t.Fatal(err)
			}
			err := errors.Join(store.Insert(t.Context(), sales, &sale{}), store.Insert(t.Context(), stocks, &stock{Left: 5}),
				store.Insert(t.Context(), entries, &entry{Text: "taken"}))
			if err != nil {
				t.Fatal(err)
			}
			return sales, wrappedStock{stocks}, entries
		}
	}
	for name, open := range opened {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sales, stocks, entries := open(t)
			type closing struct {
				Text string `json:"text"`
				Fail bool   `json:"fail"`
			}
			c := spec.NewClient(t, resource.Config{}, resource.Of[stock]{Store: stocks}, resource.Of[entry]{Store: entries}, resource.Of[sale]{
				Store: sales,
				Operations: append(operation.Standard(), operation.Post{
					Name: "close", URITemplate: "/sales/{id}/close",
					Handler: operation.Handle(func(ctx context.Context, s *sale, in closing) (struct{}, error) {
						s.Closed = true
						err := stocks.Transact(ctx, func(ctx context.Context, tx store.Tx[stock]) error {
							left, err := tx.Get(ctx, int64(1))
							if err != nil {
								return err
							}
							left.Left--
							return tx.Update(ctx, int64(1), left)
						})
						if err == nil {
							err = entries.Transact(ctx, func(ctx context.Context, tx store.Tx[entry]) error { return tx.Insert(ctx, &entry{Text: in.Text}) })
						}
						if err == nil && in.Fail {
							err = operation.Error{Status: http.StatusForbidden}
						}
						return struct{}{}, err
					}),
				}),
			})
			state := func(closed bool, left, entries int) {
				t.Helper()
				c.Send("GET /api/sales/1", "").HasStatus(200).Mentions(fmt.Sprintf(`"closed":%v`, closed))
				c.Send("GET /api/stocks/1", "").HasStatus(200).Mentions(fmt.Sprintf(`"left":%d`, left))
				c.Send(fmt.Sprintf("GET /api/entries/%d", entries), "").HasStatus(200)
				c.Send(fmt.Sprintf("GET /api/entries/%d", entries+1), "").HasStatus(404)
			}
			c.Send("POST /api/sales/1/close", `{"text":"a","fail":true}`).IsProblem(403)
			state(false, 5, 1)
			c.Send("POST /api/sales/1/close", `{"text":"taken","fail":false}`).IsProblem(409)
			state(false, 5, 1)
			c.Send("POST /api/sales/1/close", `{"text":"a","fail":false}`).HasStatus(204)
			c.Send("GET /api/sales/1", "").Mentions(`"closed":true`)
			c.Send("GET /api/stocks/1", "").Mentions(`"left":4`)
			if page, err := entries.List(t.Context(), store.Query{Count: true}); err != nil || page.Total != 2 {
				t.Error(errors.Join(err, fmt.Errorf("%d entries, want 2", page.Total)))
			}
		})
	}
}
