package relations_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/validation"
)

// Sail is what a Jigger has at most two of, and at least one.
type Sail struct {
	Name string `json:"name" api:"id"`
}

type Jigger struct {
	ID    int64    `json:"id"`
	Sails []string `json:"sails" validate:"min=1,max=2" api:"ref=Sail"`
}

// newJiggers returns an API whose jigger 1 has the sail a; changing a jigger runs a function first.
func newJiggers(t *testing.T, shape validation.Shape, meanwhile func(ctx context.Context, sails store.Store[Sail])) (spec.Client, *resource.API) {
	t.Helper()
	sails := memory.New[Sail]()
	add := operation.Put{URITemplate: "/jiggers/{id}/sails/{sails}"}
	if meanwhile != nil {
		add.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *Jigger, save operation.Save[Jigger]) error {
			meanwhile(ctx, sails)
			return save(ctx, m)
		})
	}
	c := spec.NewClient(t, resource.Config{Errors: shape}, resource.Of[Sail]{Store: sails}, resource.Of[Jigger]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, add, operation.Delete{URITemplate: "/jiggers/{id}/sails/{sails}"},
	}})
	for _, name := range []string{"a", "b", "c"} {
		c.Send("POST /api/sails", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
	}
	c.Send("POST /api/jiggers", `{"sails":["/api/sails/a"]}`).HasStatus(http.StatusCreated)
	api, ok := c.Handler.(*resource.API)
	if !ok {
		t.Fatal("the handler is no API")
	}
	return c, api
}

func TestAMembershipOfARecordThatTheTransactionDeletesIsNotFound(t *testing.T) {
	t.Parallel()
	c, _ := newJiggers(t, validation.Map, func(ctx context.Context, sails store.Store[Sail]) {
		if err := store.Delete(ctx, sails, "b"); err != nil {
			t.Error(err)
		}
	})
	raced := c.Send("PUT /api/jiggers/1/sails/b", "").IsProblem(http.StatusNotFound)
	c.Send("PUT /api/jiggers/1/sails/none", "").Is(http.StatusNotFound, raced.Body)
	c.Send("GET /api/jiggers/1", "").Mentions(`"sails":["/api/sails/a"]`)
}

func TestAMembershipThatBreaksARuleOfItsListIsDocumented(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		shape     validation.Shape
		status    int
		component string
	}{
		"a map of errors":      {validation.Map, http.StatusBadRequest, "#/components/responses/Invalid"},
		"a list of violations": {validation.Problem, http.StatusUnprocessableEntity, "#/components/responses/ValidationFailed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, api := newJiggers(t, want.shape, nil)
			document, err := openapi.Document(api, openapi.Config{Title: "Jiggers", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			of := document.Paths.Value("/api/jiggers/{id}/sails/{sails}")
			c.Send("DELETE /api/jiggers/1/sails/a", "").HasStatus(want.status).Mentions("at least 1")
			c.Send("PUT /api/jiggers/1/sails/b", "").HasStatus(http.StatusNoContent)
			c.Send("PUT /api/jiggers/1/sails/c", "").HasStatus(want.status).Mentions("at most 2")
			if got := of.Put.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("PUT documents %d as %+v, want %q", want.status, got, want.component)
			}
			if got := of.Delete.Responses.Status(want.status); got == nil || got.Ref != want.component {
				t.Errorf("DELETE documents %d as %+v, want %q", want.status, got, want.component)
			}
		})
	}
}

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
