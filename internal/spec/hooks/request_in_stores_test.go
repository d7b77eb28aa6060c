package hooks_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// owned shows each principal its own records only, as a store may that asks who it is for.
type owned struct {
	*memory.Store[spec.Programmer]
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

func (o owned) Get(ctx context.Context, id any) (*spec.Programmer, error) {
	owner := o.owner(ctx, "Get")
	p, err := o.Store.Get(ctx, id)
	if err == nil && p.UserID != owner {
		return nil, store.ErrNotFound
	}
	return p, err
}

func (o owned) List(ctx context.Context, query store.Query) (store.Page[spec.Programmer], error) {
	owner := o.owner(ctx, "List")
	query.Where = append(query.Where, store.Condition{Fields: []string{"userId"}, Operator: store.Equal, Values: []any{owner}})
	return o.Store.List(ctx, query)
}

func (o owned) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Programmer]) error) error {
	o.owner(ctx, "Transact")
	return o.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[spec.Programmer]) error { return fn(ctx, ownedTx{tx, o}) })
}

type ownedTx struct {
	store.Tx[spec.Programmer]
	of owned
}

func (t ownedTx) Get(ctx context.Context, id any) (*spec.Programmer, error) {
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
	people := []spec.Programmer{{Nickname: "of7", UserID: 7}, {Nickname: "of8", UserID: 8}}
	for name, config := range map[string]resource.Config{
		"directly": {}, "through the router": {Middleware: []func(http.Handler) http.Handler{asUser(8)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, config, resource.Of[spec.Programmer]{Store: owned{memory.New(people...), t}})
			if config.Middleware == nil {
				c.Handler = asUser(8)(c.Handler)
			}
			const mine = `{"nickname":"of8","avatarNumber":0,"tagLine":"","userId":8}`
			c.Send("GET /api/programmers/of8", "").Is(200, mine)
			c.Send("GET /api/programmers/of7", "").IsProblem(404)
			c.Send("GET /api/programmers", "").Is(200, "["+mine+"]")
			if got := c.Send("GET /api/programmers.ndjson", "").HasStatus(200).Body; got != mine+"\n" {
				t.Errorf("the stream is %s", got)
			}
			c.Send("DELETE /api/programmers/of7", "").IsProblem(404)
			c.Send("PATCH /api/programmers/of7", `{"tagLine":"x"}`).IsProblem(404)
			c.Send("PUT /api/programmers/of8", `{"tagLine":"x"}`).HasStatus(200)
			c.Send("POST /api/programmers", `{"nickname":"new"}`).HasStatus(201)
			c.Send("DELETE /api/programmers/of8", "").HasStatus(204)
		})
	}
}

func TestEveryBatchOfAStreamKnowsItsRequest(t *testing.T) {
	t.Parallel()
	people := make([]spec.Programmer, 600)
	for i := range people {
		people[i] = spec.Programmer{Nickname: string(rune('a'+i/26)) + string(rune('a'+i%26)), UserID: 8}
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{Store: owned{memory.New(people...), t}})
	c.Handler = asUser(8)(c.Handler)
	c.Send("GET /api/programmers.ndjson", "").HasStatus(200)
}
