package bulk_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestAChangeWhoseRecordChangedMeanwhileStartsOver(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c spec.Client, h *hashed, accounts store.Store[Account]) {
		c.Send("POST /api/accounts", `{"name":"ann"}`).HasStatus(201)
		h.ran(t, 1)
		h.during = func(_ context.Context, run int32) {
			if run < 3 {
				change(t, accounts, 1, func(a *Account) { a.Visits++ })
			}
		}
		c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`).Is(200, `{"id":1,"name":"ann","secret":"hash of cow","visits":2}`)
		h.ran(t, 3)
	})
}

func TestAChangeWhoseRecordAlwaysChangesIsUnavailable(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c spec.Client, h *hashed, accounts store.Store[Account]) {
		c.Send("POST /api/accounts", `{"name":"ann"}`).HasStatus(201)
		h.ran(t, 1)
		h.during = func(context.Context, int32) { change(t, accounts, 1, func(a *Account) { a.Visits++ }) }
		c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`).IsProblem(503).Has("Retry-After", "1")
		h.ran(t, 5)
		c.Send("GET /api/accounts/1", "").Is(200, `{"id":1,"name":"ann","secret":"hash of ","visits":5}`)
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
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{Store: &cached{Store: accounts}, BeforeTransaction: h.hash})
	c.Send("GET /api/accounts/1", "").HasStatus(200)
	change(t, accounts, 1, func(a *Account) { a.Visits = 7 })
	c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`).Is(200, `{"id":1,"name":"ann","secret":"hash of cow","visits":7}`)
	h.ran(t, 2)
}

func TestAConditionHoldsInTheTransactionToo(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c spec.Client, h *hashed, accounts store.Store[Account]) {
		tag := c.Send("POST /api/accounts", `{"name":"ann"}`).HasStatus(201).Header.Get("ETag")
		h.ran(t, 1)
		h.during = func(context.Context, int32) { change(t, accounts, 1, func(a *Account) { a.Visits++ }) }
		c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`, "If-Match", tag).IsProblem(412)
		h.ran(t, 1)
	})
}

func TestARecordThatIsDeletedMeanwhileIsMissing(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c spec.Client, h *hashed, accounts store.Store[Account]) {
		c.Send("POST /api/accounts", `{"name":"ann"}`).HasStatus(201)
		h.during = func(ctx context.Context, _ int32) {
			if err := store.Delete(ctx, accounts, int64(1)); err != nil {
				t.Error(err)
			}
		}
		c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`).IsProblem(404)
		h.ran(t, 2)
	})
}

func TestARepeatedRequestRunsNoHook(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{Idempotency: time.Hour}, func(c spec.Client, h *hashed, _ store.Store[Account]) {
		first := c.Send("POST /api/accounts", `{"name":"ann","secret":"horse"}`, "Idempotency-Key", "one").HasStatus(201)
		h.ran(t, 1)
		c.Send("POST /api/accounts", `{"name":"ann","secret":"horse"}`, "Idempotency-Key", "one").Is(201, first.Body).Has("Idempotent-Replayed", "true")
		c.Send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "one").IsProblem(422)
		h.ran(t, 0)
		h.during = func(_ context.Context, run int32) { // the same request once more, which is the first to end
			if run == 1 {
				c.Send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "two").HasStatus(201)
			}
		}
		c.Send("POST /api/accounts", `{"name":"bob","secret":"horse"}`, "Idempotency-Key", "two").HasStatus(201).Has("Idempotent-Replayed", "true")
		h.ran(t, 2)
		c.Send("GET /api/accounts", "").Has("X-Total-Count", "2")
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
	for name, s := range spec.Stores[Signet](t) {
		t.Run(name, func(t *testing.T) {
			var during func()
			c := spec.NewClient(t, resource.Config{}, resource.Of[Signet]{
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
			c.Send("PUT /api/signets/a", `{"name":"a","wax":"red"}`).Is(200, `{"name":"a","wax":"red again","marks":3}`)
			during = func() {
				if err := store.Delete(t.Context(), s, "a"); err != nil {
					t.Error(err)
				}
			}
			c.Send("PUT /api/signets/a", `{"name":"a","wax":"blue"}`).Is(201, `{"name":"a","wax":"blue new","marks":3}`)
			c.Send("PUT /api/signets/b", `{"name":"b"}`, "If-None-Match", "*").Is(201, `{"name":"b","wax":" new","marks":3}`)
			during = func() {
				if err := store.Insert(t.Context(), s, &Signet{Name: "c"}); err != nil {
					t.Error(err)
				}
			}
			c.Send("PUT /api/signets/c", `{"name":"c"}`, "If-None-Match", "*").IsProblem(412)
		})
	}
}

// guardedAccounts are accounts with access rules, one of which can change at any time.
func guardedAccounts(t *testing.T, s store.Store[spec.Hoard], h func(ctx context.Context, hoard *spec.Hoard)) (spec.Client, *atomic.Int32, *atomic.Bool) {
	t.Helper()
	runs, closed := &atomic.Int32{}, &atomic.Bool{}
	open := access.Check("open", func(context.Context, *spec.Hoard) (bool, error) { return !closed.Load(), nil })
	rules := access.Rules{
		Read: access.Any(spec.Published, spec.IsOwner), Create: access.All(spec.IsOwner, open), Update: access.All(spec.IsOwner, open), Delete: spec.IsOwner,
		Fields: map[string]access.Field{"worth": {Write: open}, "name": {Write: access.Authenticated}},
	}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Store: s, Access: rules,
		BeforeTransaction: func(ctx context.Context, _ *operation.Request, hoard *spec.Hoard) error {
			runs.Add(1)
			h(ctx, hoard)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return spec.Client{T: t, Handler: api}, runs, closed
}

func TestTheHookBeforeTheTransactionNeverRunsForACallerWhoIsRejected(t *testing.T) {
	t.Parallel()
	hoards := memory.New(spec.Hoard{Name: "gold", Published: true, Owner: 1}, spec.Hoard{Name: "draft", Owner: 1})
	c, runs, closed := guardedAccounts(t, hoards, func(context.Context, *spec.Hoard) {})
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
		c.As(rejected.caller, rejected.request, rejected.body).HasStatus(rejected.status)
	}
	closed.Store(true)
	c.As("ann", "POST /api/hoards", `{"name":"x","owner":1}`).IsProblem(403)
	c.As("ann", "PATCH /api/hoards/1", `{"name":"x"}`).IsProblem(403)
	if runs.Load() != 0 {
		t.Errorf("the hook ran %d times", runs.Load())
	}
}

func TestRulesAreCheckedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	for name, s := range spec.Stores[spec.Hoard](t) {
		t.Run(name, func(t *testing.T) {
			if err := store.Insert(t.Context(), s, &spec.Hoard{Name: "gold", Published: true, Owner: 1}, &spec.Hoard{Name: "draft", Owner: 1}); err != nil {
				t.Fatal(err)
			}
			var during func(h *spec.Hoard)
			c, runs, closed := guardedAccounts(t, s, func(_ context.Context, h *spec.Hoard) { during(h) })
			give := func(id, owner int64) {
				err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[spec.Hoard]) error {
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
			during = func(*spec.Hoard) { give(1, 2) } // to bob: ann may still see it
			c.As("ann", "PATCH /api/hoards/1", `{"name":"mine"}`).IsProblem(403)
			during = func(*spec.Hoard) { give(2, 2) } // to bob: ann may not see it any more
			c.As("ann", "PATCH /api/hoards/2", `{"name":"mine"}`).IsProblem(404)
			give(1, 1)
			during = func(h *spec.Hoard) { h.Owner = 2 } // the hook breaks the rule
			c.As("ann", "PATCH /api/hoards/1", `{"name":"mine"}`).IsProblem(403)
			c.As("ann", "POST /api/hoards", `{"name":"new","owner":1}`).IsProblem(403)
			during = func(*spec.Hoard) { closed.Store(true) } // nothing but the rule changes
			for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1"} {
				closed.Store(false)
				c.As("ann", request, `{"name":"mine","owner":1}`).IsProblem(403)
			}
			if runs.Load() != 6 {
				t.Errorf("the hook ran %d times, want 6", runs.Load())
			}
			closed.Store(false)
			c.As("bob", "GET /api/hoards", "").Has("X-Total-Count", "2").Mentions("gold", "draft")
		})
	}
}

func TestAFilterRuleRunsAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	name, runs := "gold", 0
	policy := access.Filter("policy", func(context.Context, *spec.Captain) ([]store.Condition, error) {
		return []store.Condition{{Fields: []string{"name"}, Operator: store.Equal, Values: []any{name}}}, nil
	})
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Store:      memory.New(spec.Hoard{Name: "gold", Owner: 1}),
		Access:     access.Rules{Read: access.Public, Update: policy},
		Operations: []operation.Operation{operation.Get{}, operation.Patch{}},
		BeforeTransaction: func(context.Context, *operation.Request, *spec.Hoard) error {
			runs++
			name = "silver"
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec.Client{T: t, Handler: api}.As("ann", "PATCH /api/hoards/1", `{"worth":3}`).IsProblem(403)
	if runs != 1 {
		t.Errorf("the hook ran %d times, want 1", runs)
	}
}

func TestARuleOfAFieldIsCheckedAgainInTheTransaction(t *testing.T) {
	t.Parallel()
	closed := &atomic.Bool{}
	open := access.Check("open", func(context.Context, *spec.Hoard) (bool, error) { return !closed.Load(), nil })
	hoards := memory.New(spec.Hoard{Name: "gold", Owner: 1})
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Store: hoards,
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			Fields: map[string]access.Field{"worth": {Write: open}},
		},
		BeforeTransaction: func(context.Context, *operation.Request, *spec.Hoard) error { closed.Store(true); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1"} {
		closed.Store(false)
		c.Send(request, `{"name":"new","worth":3}`).IsProblem(401)
		closed.Store(false)
		c.Send(request, `{"name":"silver`+request[:3]+`"}`).HasStatus(map[string]int{"POS": 201, "PAT": 200}[request[:3]])
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
	c := spec.NewClient(t, resource.Config{}, resource.Of[Berth]{Store: berths}, resource.Of[Good]{
		Store: ships,
		BeforeTransaction: func(ctx context.Context, _ *operation.Request, g *Good) error {
			if g.Name == "far" {
				g.Berth = new(int64(9))
			}
			return during(ctx)
		},
	})
	during = func(context.Context) error { return nil }
	c.Send("POST /api/goods", `{"name":"tea","berth":"/api/berths/1"}`).HasStatus(201)
	c.Send("POST /api/goods", `{"name":"far"}`).HasStatus(400).Mentions(`"berth"`)
	during = func(ctx context.Context) error { return store.Delete(ctx, berths, int64(2)) }
	c.Send("POST /api/goods", `{"name":"rum","berth":"/api/berths/2"}`).HasStatus(400).Mentions(`"berth"`)
	during = func(context.Context) error { return errors.New("no harbour") }
	c.Send("POST /api/goods", `{"name":"gin","berth":"/api/berths/1"}`).IsProblem(500)
}
