package hooks_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// strict is a store that has something to say of itself.
type strict struct{ *memory.Store[spec.Vessel] }

func (strict) Check(context.Context) error  { return errors.New("strict: no table") }
func (strict) CheckQuery(store.Query) error { return errors.New("strict: no filters") }
func (strict) Ping(context.Context) error   { return errors.New("strict: gone") }

// around embeds a store.
type around struct{ store.Store[spec.Vessel] }

// about says what it wraps.
type about struct {
	around
	kept store.Store[spec.Vessel]
}

func (a about) Unwrap() any { return a.kept }

// keeping stores responses in the transactions of the wrapped store.
type keeping struct{ around }

func (keeping) CheckResponses(context.Context) error { return nil }

// lenient ignores the errors of the wrapped store.
type lenient struct{ around }

func (lenient) Check(context.Context) error  { return nil }
func (lenient) CheckQuery(store.Query) error { return nil }

func TestWhatAStoreSaysOfItselfIsHeardThroughItsWrappers(t *testing.T) {
	t.Parallel()
	plain := memory.New[spec.Vessel]()
	for name, wrapper := range map[string]store.Store[spec.Vessel]{
		"one that embeds it": around{strict{plain}}, "one that unwraps": about{kept: strict{plain}}, "one of one": around{about{kept: around{strict{plain}}}},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: wrapper})
		for _, want := range []string{"store: strict: no table", "store: strict: no filters"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: New returns %v, want %s", name, err, want)
			}
		}
	}
	api, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: lenient{around{strict{plain}}}})
	if err != nil {
		t.Fatalf("the wrapper's own methods do not go before those of the store within: %v", err)
	}
	api.Router().Get("/readyz", api.Readyz)
	spec.Client{T: t, Handler: api}.Send("GET /readyz", "").HasStatus(503)
}

func TestAWrapperDeclaresThatItStoresResponses(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{Store: around{memory.New[spec.Vessel]()}, Idempotency: time.Hour})
	if want := "Idempotency needs a store that keeps responses, and the store only wraps one; implement CheckResponses if its transactions are a store.ResponseTx, or remove Idempotency"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("New returns %v, want %s", err, want)
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Vessel]{Store: keeping{around{memory.New[spec.Vessel]()}}, Idempotency: time.Hour})
	for range 2 {
		c.Send("POST /api/vessels", `{"name":"Argo"}`, "Idempotency-Key", `"a"`).HasStatus(201).Has("Location", "/api/vessels/1")
	}
}

// counted is a store in memory with a Get and a Transact of its own.
type counted struct {
	*memory.Store[spec.Vessel]

	gets, changes *int
}

func (s counted) Get(ctx context.Context, id any) (*spec.Vessel, error) {
	*s.gets++
	return s.Store.Get(ctx, id)
}

func (s counted) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Vessel]) error) error {
	*s.changes++
	return s.Store.Transact(ctx, fn)
}

func TestAStoreThatEmbedsTheOneInMemorySeesEveryCall(t *testing.T) {
	t.Parallel()
	var gets, changes int
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Vessel]{Store: counted{memory.New[spec.Vessel](), &gets, &changes}})
	c.Send("POST /api/vessels", `{"name":"Argo"}`).HasStatus(201)
	c.Send("GET /api/vessels/1", "").HasStatus(200)
	if gets != 1 || changes != 1 {
		t.Errorf("the store saw %d reads and %d transactions, want 1 of each", gets, changes)
	}
}
