package resource_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestAChangeWhoseRecordChangedMeanwhileStartsOver(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c client, h *hashed, accounts store.Store[Account]) {
		c.send("POST /api/accounts", `{"name":"ann"}`).hasStatus(201)
		h.ran(t, 1)
		h.during = func(_ context.Context, run int32) {
			if run < 3 {
				change(t, accounts, 1, func(a *Account) { a.Visits++ })
			}
		}
		c.send("PATCH /api/accounts/1", `{"secret":"cow"}`).is(200, `{"id":1,"name":"ann","secret":"hash of cow","visits":2}`)
		h.ran(t, 3)
	})
}

func TestAChangeWhoseRecordAlwaysChangesIsUnavailable(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c client, h *hashed, accounts store.Store[Account]) {
		c.send("POST /api/accounts", `{"name":"ann"}`).hasStatus(201)
		h.ran(t, 1)
		h.during = func(context.Context, int32) { change(t, accounts, 1, func(a *Account) { a.Visits++ }) }
		c.send("PATCH /api/accounts/1", `{"secret":"cow"}`).isProblem(503).has("Retry-After", "1")
		h.ran(t, 5)
		c.send("GET /api/accounts/1", "").is(200, `{"id":1,"name":"ann","secret":"hash of ","visits":5}`)
	})
}

// cached is a store whose Get returns what it has returned first.
type cached struct {
	store.Store[Account]

	first *Account
}

func (s *cached) Get(ctx context.Context, id any) (*Account, error) {
	if s.first != nil {
		return s.first, nil
	}
	var err error
	s.first, err = s.Store.Get(ctx, id)
	return s.first, err
}

func TestAnOldRecordOfACacheIsPreparedOnce(t *testing.T) {
	t.Parallel()
	h, accounts := &hashed{}, memory.New(Account{Name: "ann"})
	c := newClient(t, resource.Config{}, resource.Of[Account]{Store: &cached{Store: accounts}, BeforeTransaction: h.hash})
	c.send("GET /api/accounts/1", "").hasStatus(200)
	change(t, accounts, 1, func(a *Account) { a.Visits = 7 })
	c.send("PATCH /api/accounts/1", `{"secret":"cow"}`).is(200, `{"id":1,"name":"ann","secret":"hash of cow","visits":7}`)
	h.ran(t, 2)
}

func TestAConditionHoldsInTheTransactionToo(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c client, h *hashed, accounts store.Store[Account]) {
		tag := c.send("POST /api/accounts", `{"name":"ann"}`).hasStatus(201).header.Get("ETag")
		h.ran(t, 1)
		h.during = func(context.Context, int32) { change(t, accounts, 1, func(a *Account) { a.Visits++ }) }
		c.send("PATCH /api/accounts/1", `{"secret":"cow"}`, "If-Match", tag).isProblem(412)
		h.ran(t, 1)
	})
}

func TestARecordThatIsDeletedMeanwhileIsMissing(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c client, h *hashed, accounts store.Store[Account]) {
		c.send("POST /api/accounts", `{"name":"ann"}`).hasStatus(201)
		h.during = func(ctx context.Context, _ int32) {
			if err := store.Delete(ctx, accounts, int64(1)); err != nil {
				t.Error(err)
			}
		}
		c.send("PATCH /api/accounts/1", `{"secret":"cow"}`).isProblem(404)
		h.ran(t, 2)
	})
}

func TestARepeatedRequestRunsNoHook(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{Idempotency: time.Hour}, func(c client, h *hashed, _ store.Store[Account]) {
		first := c.send("POST /api/accounts", `{"name":"ann","secret":"horse"}`, "Idempotency-Key", "one").hasStatus(201)
		h.ran(t, 1)
		c.send("POST /api/accounts", `{"name":"ann","secret":"horse"}`, "Idempotency-Key", "one").is(201, first.body).has("Idempotent-Replayed", "true")
		c.send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "one").isProblem(422)
		h.ran(t, 0)
		h.during = func(_ context.Context, run int32) { // the same request once more, which is the first to end
			if run == 1 {
				c.send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "two").hasStatus(201)
			}
		}
		c.send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "two").hasStatus(201).has("Idempotent-Replayed", "true")
		h.ran(t, 2)
		c.send("GET /api/accounts", "").has("X-Total-Count", "2")
	})
}

// Signet is a resource whose clients choose the identifier.
type Signet struct {
	Name  string `json:"name" api:"id"`
	Wax   string `json:"wax"`
	Marks int    `json:"marks" default:"3"`
}

func TestAPutThatCreatesStartsOverWhereTheRecordHasCome(t *testing.T) {
	t.Parallel()
	for name, s := range stores[Signet](t) {
		t.Run(name, func(t *testing.T) {
			var during func()
			c := newClient(t, resource.Config{}, resource.Of[Signet]{
				Store:      s,
				Operations: append(operation.Standard()[:3:3], operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}}),
				BeforeTransaction: func(_ context.Context, req *operation.Request, signet *Signet) error {
					if during != nil {
						run := during
						during = nil
						run()
					}
					if signet.Wax += " new"; req.Previous != nil {
						signet.Wax = strings.TrimSuffix(signet.Wax, " new") + " again"
					}
					return nil
				},
			})
			during = func() {
				if err := store.Insert(t.Context(), s, &Signet{Name: "a"}); err != nil {
					t.Error(err)
				}
			}
			c.send("PUT /api/signets/a", `{"name":"a","wax":"red"}`).is(200, `{"name":"a","wax":"red again","marks":3}`)
			during = func() {
				if err := store.Delete(t.Context(), s, "a"); err != nil {
					t.Error(err)
				}
			}
			c.send("PUT /api/signets/a", `{"name":"a","wax":"blue"}`).is(201, `{"name":"a","wax":"blue new","marks":3}`)
			c.send("PUT /api/signets/b", `{"name":"b"}`, "If-None-Match", "*").is(201, `{"name":"b","wax":" new","marks":3}`)
			during = func() {
				if err := store.Insert(t.Context(), s, &Signet{Name: "c"}); err != nil {
					t.Error(err)
				}
			}
			c.send("PUT /api/signets/c", `{"name":"c"}`, "If-None-Match", "*").isProblem(412)
		})
	}
}

// guardedAccounts are accounts with access rules, one of which can change at any time.
func guardedAccounts(t *testing.T, s store.Store[Hoard], h func(ctx context.Context, hoard *Hoard)) (client, *atomic.Int32, *atomic.Bool) {
	t.Helper()
	runs, closed := &atomic.Int32{}, &atomic.Bool{}
	open := access.Check("open", func(context.Context, *Hoard) (bool, error) { return !closed.Load(), nil })
	rules := access.Rules{
		Read: access.Any(published, isOwner), Create: access.All(isOwner, open), Update: access.All(isOwner, open), Delete: isOwner,
		Members: map[string]access.Member{"worth": {Write: open}, "name": {Write: access.Authenticated}},
	}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Store: s, Access: rules,
		BeforeTransaction: func(ctx context.Context, _ *operation.Request, hoard *Hoard) error {
			runs.Add(1)
			h(ctx, hoard)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client{t, api}, runs, closed
}

func TestTheHookBeforeTheTransactionNeverRunsForACallerWhoIsRejected(t *testing.T) {
	t.Parallel()
	hoards := memory.New(Hoard{Name: "gold", Published: true, Owner: 1}, Hoard{Name: "draft", Owner: 1})
	c, runs, closed := guardedAccounts(t, hoards, func(context.Context, *Hoard) {})
	for _, rejected := range []struct {
		caller, request, body string
		status                int
	}{
		{"", "POST /api/hoards", `{"name":"x","owner":1}`, 401},
		{"bob", "POST /api/hoards", `{"name":"x","owner":1}`, 403},
		{"bob", "POST /api/hoards", `{"name":"","owner":1}`, 400},
		{"bob", "PATCH /api/hoards/1", `{"name":""}`, 403},
		{"bob", "PATCH /api/hoards/2", `{"name":""}`, 404},
		{"ann", "PATCH /api/hoards/1", `{"owner":2}`, 403},
		{"ann", "PATCH /api/hoards/1", `{"owner":2,"name":""}`, 400},
	} {
		c.as(rejected.caller, rejected.request, rejected.body).hasStatus(rejected.status)
	}
	closed.Store(true)
	c.as("ann", "POST /api/hoards", `{"name":"x","owner":1}`).isProblem(403)
	c.as("ann", "PATCH /api/hoards/1", `{"name":"x"}`).isProblem(403)
	if runs.Load() != 0 {
		t.Errorf("the hook ran %d times", runs.Load())
	}
}

func TestRulesAreAskedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	for name, s := range stores[Hoard](t) {
		t.Run(name, func(t *testing.T) {
			if err := store.Insert(t.Context(), s, &Hoard{Name: "gold", Published: true, Owner: 1}, &Hoard{Name: "draft", Owner: 1}); err != nil {
				t.Fatal(err)
			}
			var during func(h *Hoard)
			c, runs, closed := guardedAccounts(t, s, func(_ context.Context, h *Hoard) { during(h) })
			give := func(id, owner int64) {
				err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Hoard]) error {
					h, err := tx.Get(ctx, id)
					if err != nil {
						return err
					}
					h.Owner = owner
					return tx.Update(ctx, id, h)
				})
				if err != nil {
					t.Error(err)
				}
			}
			during = func(*Hoard) { give(1, 2) } // to bob: ann may still see it
			c.as("ann", "PATCH /api/hoards/1", `{"name":"mine"}`).isProblem(403)
			during = func(*Hoard) { give(2, 2) } // to bob: ann may not see it any more
			c.as("ann", "PATCH /api/hoards/2", `{"name":"mine"}`).isProblem(404)
			give(1, 1)
			during = func(h *Hoard) { h.Owner = 2 } // the hook breaks the rule
			c.as("ann", "PATCH /api/hoards/1", `{"name":"mine"}`).isProblem(403)
			c.as("ann", "POST /api/hoards", `{"name":"new","owner":1}`).isProblem(403)
			during = func(*Hoard) { closed.Store(true) } // nothing but the rule changes
			for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1"} {
				closed.Store(false)
				c.as("ann", request, `{"name":"mine","owner":1}`).isProblem(403)
			}
			if runs.Load() != 6 {
				t.Errorf("the hook ran %d times, want 6", runs.Load())
			}
			closed.Store(false)
			c.as("bob", "GET /api/hoards", "").has("X-Total-Count", "2").mentions("gold", "draft")
		})
	}
}

func TestAFilterOfARuleIsAskedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	name, runs := "gold", 0
	policy := access.Filter("policy", func(context.Context, *Captain) ([]store.Condition, error) {
		return []store.Condition{{Fields: []string{"name"}, Operator: store.Equal, Values: []any{name}}}, nil
	})
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Store:      memory.New(Hoard{Name: "gold", Owner: 1}),
		Access:     access.Rules{Read: access.Public, Update: policy},
		Operations: []operation.Operation{operation.Get{}, operation.Patch{}},
		BeforeTransaction: func(context.Context, *operation.Request, *Hoard) error {
			runs++
			name = "silver"
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	client{t, api}.as("ann", "PATCH /api/hoards/1", `{"worth":3}`).isProblem(403)
	if runs != 1 {
		t.Errorf("the hook ran %d times, want 1", runs)
	}
}

func TestARuleOfAFieldIsAskedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	closed := &atomic.Bool{}
	open := access.Check("open", func(context.Context, *Hoard) (bool, error) { return !closed.Load(), nil })
	hoards := memory.New(Hoard{Name: "gold", Owner: 1})
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Store: hoards,
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			Members: map[string]access.Member{"worth": {Write: open}},
		},
		BeforeTransaction: func(context.Context, *operation.Request, *Hoard) error { closed.Store(true); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	c := client{t, api}
	for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1"} {
		closed.Store(false)
		c.send(request, `{"name":"new","worth":3}`).isProblem(401)
		closed.Store(false)
		c.send(request, `{"name":"silver`+request[:3]+`"}`).hasStatus(map[string]int{"POS": 201, "PAT": 200}[request[:3]])
	}
}

// plain is a store of a user's own, which does not check references.
type plain[T any] struct{ inner store.Store[T] }

func (p plain[T]) Get(ctx context.Context, id any) (*T, error) { return p.inner.Get(ctx, id) }

func (p plain[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return p.inner.List(ctx, query)
}

func (p plain[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	return p.inner.Transact(ctx, fn)
}

func TestAReferenceThatIsDeletedDuringTheHookIsAnError(t *testing.T) {
	t.Parallel()
	berths, ships := plain[Berth]{memory.New(Berth{}, Berth{})}, plain[Good]{memory.New[Good]()}
	var during func(ctx context.Context) error
	c := newClient(t, resource.Config{}, resource.Of[Berth]{Store: berths}, resource.Of[Good]{
		Store: ships,
		BeforeTransaction: func(ctx context.Context, _ *operation.Request, g *Good) error {
			if g.Name == "far" {
				g.Berth = new(int64(9))
			}
			return during(ctx)
		},
	})
	during = func(context.Context) error { return nil }
	c.send("POST /api/goods", `{"name":"tea","berth":"/api/berths/1"}`).hasStatus(201)
	c.send("POST /api/goods", `{"name":"far"}`).hasStatus(400).mentions(`"berth"`)
	during = func(ctx context.Context) error { return store.Delete(ctx, berths, int64(2)) }
	c.send("POST /api/goods", `{"name":"rum","berth":"/api/berths/2"}`).hasStatus(400).mentions(`"berth"`)
	during = func(context.Context) error { return errors.New("no harbour") }
	c.send("POST /api/goods", `{"name":"gin","berth":"/api/berths/1"}`).isProblem(500)
}
