package resource_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// owned shows each principal its own records only, as a store may that asks who it is for.
type owned struct {
	*memory.Store[Programmer]
	t *testing.T
}

// owner returns who makes the request, of which every call of the store knows.
func (o owned) owner(ctx context.Context, call string) int64 {
	req, ok := operation.RequestFrom(ctx)
	if !ok {
		o.t.Errorf("%s knows nothing of its request", call)
		return 0
	}
	if req.HTTP() == nil || req.Variables()["nickname"] != req.HTTP().PathValue("nickname") || req.Kind.Method() != req.HTTP().Method {
		o.t.Errorf("%s knows of the request %+v", call, req)
	}
	id, _ := req.Principal.(int64)
	return id
}

func (o owned) Get(ctx context.Context, id any) (*Programmer, error) {
	owner := o.owner(ctx, "Get")
	p, err := o.Store.Get(ctx, id)
	if err == nil && p.UserID != owner {
		return nil, store.ErrNotFound
	}
	return p, err
}

func (o owned) List(ctx context.Context, query store.Query) (store.Page[Programmer], error) {
	owner := o.owner(ctx, "List")
	query.Where = append(query.Where, store.Condition{Fields: []string{"userId"}, Operator: store.Equal, Values: []any{owner}})
	return o.Store.List(ctx, query)
}

func (o owned) Transact(ctx context.Context, fn func(context.Context, store.Tx[Programmer]) error) error {
	o.owner(ctx, "Transact")
	return o.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[Programmer]) error { return fn(ctx, ownedTx{tx, o}) })
}

type ownedTx struct {
	store.Tx[Programmer]
	of owned
}

func (t ownedTx) Get(ctx context.Context, id any) (*Programmer, error) {
	owner := t.of.owner(ctx, "Tx.Get")
	p, err := t.Tx.Get(ctx, id)
	if err == nil && p.UserID != owner {
		return nil, store.ErrNotFound
	}
	return p, err
}

func (t ownedTx) Delete(ctx context.Context, id any) error {
	if _, err := t.Get(ctx, id); err != nil {
		return err
	}
	return t.Tx.Delete(ctx, id)
}

func TestEveryCallOfAStoreKnowsItsRequest(t *testing.T) {
	t.Parallel()
	people := []Programmer{{Nickname: "of7", UserID: 7}, {Nickname: "of8", UserID: 8}}
	for name, config := range map[string]resource.Config{
		"directly": {}, "through the router": {Middleware: []func(http.Handler) http.Handler{asUser(8)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, config, resource.Of[Programmer]{Store: owned{memory.New(people...), t}})
			if config.Middleware == nil {
				c.handler = asUser(8)(c.handler)
			}
			const mine = `{"nickname":"of8","avatarNumber":0,"tagLine":"","userId":8}`
			c.send("GET /api/programmers/of8", "").is(200, mine)
			c.send("GET /api/programmers/of7", "").isProblem(404)
			c.send("GET /api/programmers", "").is(200, "["+mine+"]")
			if got := c.send("GET /api/programmers.ndjson", "").hasStatus(200).body; got != mine+"\n" {
				t.Errorf("the stream is %s", got)
			}
			c.send("DELETE /api/programmers/of7", "").isProblem(404)
			c.send("PATCH /api/programmers/of7", `{"tagLine":"x"}`).isProblem(404)
			c.send("PUT /api/programmers/of8", `{"tagLine":"x"}`).hasStatus(200)
			c.send("POST /api/programmers", `{"nickname":"new"}`).hasStatus(201)
			c.send("DELETE /api/programmers/of8", "").hasStatus(204)
		})
	}
}

func TestEveryBatchOfAStreamKnowsItsRequest(t *testing.T) {
	t.Parallel()
	people := make([]Programmer, 600)
	for i := range people {
		people[i] = Programmer{Nickname: string(rune('a'+i/26)) + string(rune('a'+i%26)), UserID: 8}
	}
	c := newClient(t, resource.Config{}, resource.Of[Programmer]{Store: owned{memory.New(people...), t}})
	c.handler = asUser(8)(c.handler)
	c.send("GET /api/programmers.ndjson", "").hasStatus(200)
}
