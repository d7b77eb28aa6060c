package access_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// hoarding is a memory store that keeps the queries it gets. Only its List is different.
type hoarding struct {
	*memory.Store[spec.Hoard]

	queries *[]store.Query
}

func (k hoarding) List(ctx context.Context, query store.Query) (store.Page[spec.Hoard], error) {
	*k.queries = append(*k.queries, query)
	return k.Store.List(ctx, query)
}

// Requests share the memory of the conditions of rules only if a store cannot have kept them.
func TestQueriesThatAStoreRetainsDoNotChange(t *testing.T) {
	t.Parallel()
	var byStore, byHandler []store.Query
	wrapped := spec.NewCrew(t, resource.Of[spec.Hoard]{Store: hoarding{memory.New[spec.Hoard](), &byStore}}, resource.Of[spec.Captain]{})
	hoards := memory.New[spec.Hoard]()
	handled := spec.NewCrew(t, resource.Of[spec.Hoard]{
		Store: hoards,
		Operations: append(operation.Standard(), operation.GetCollection{
			Name: "kept", URITemplate: "/kept_hoards", Handler: operation.Handle(
				func(ctx context.Context, _ *spec.Hoard, query store.Query) (store.Page[spec.Hoard], error) {
					byHandler = append(byHandler, query)
					return hoards.List(ctx, query)
				}),
		}),
	}, resource.Of[spec.Captain]{})
	for _, who := range []string{"ann", "bob", "ann"} {
		for _, filter := range []string{"", "?name=gold"} {
			wrapped.As(who, "GET /api/hoards"+filter, "").HasStatus(200)
			handled.As(who, "GET /api/kept_hoards"+filter, "").HasStatus(200)
		}
	}
	var want []any
	for _, owner := range []any{int64(1), int64(2), int64(1)} {
		want = append(want, owner, owner) // with a filter, and without
	}
	for name, queries := range map[string][]store.Query{"a store": byStore, "a handler": byHandler} {
		var owners []any
		for _, query := range queries {
			for _, list := range query.Where[len(query.Where)-1].Any {
				if list[0].Fields[0] == "owner" {
					owners = append(owners, list[0].Values[0])
				}
			}
		}
		if diff := cmp.Diff(want, owners); diff != "" {
			t.Errorf("the queries that %s keeps have the values of others in them:\n%s", name, diff)
		}
	}
}
