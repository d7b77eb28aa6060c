package bulk_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
	"github.com/trove-api/trove/validation"
)

// Account has a secret of which only a hash is kept.
type Account struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" validate:"notblank,max=20" api:"unique,filter"`
	Secret string `json:"secret" validate:"omitempty,min=3,max=30"`
	Visits int    `json:"visits" validate:"gte=0"`
}

// hashed is a BeforeTransaction that hashes a new secret and counts its runs. It calls during first, if that is set.
type hashed struct {
	runs   atomic.Int32
	during func(ctx context.Context, run int32)
}

func (h *hashed) hash(ctx context.Context, req *operation.Request, a *Account) error {
	run := h.runs.Add(1)
	if h.during != nil {
		h.during(ctx, run)
	}
	if before, ok := req.Previous.(*Account); !ok || before.Secret != a.Secret {
		a.Secret = "hash of " + a.Secret
	}
	return nil
}

// ran asserts how often the hook has run since the last call.
func (h *hashed) ran(t *testing.T, want int32) {
	t.Helper()
	if runs := h.runs.Swap(0); runs != want {
		t.Errorf("the hook ran %d times, want %d", runs, want)
	}
}

// hashing runs a test on accounts with the hook, in stores of each kind. The store is handed over, too.
func hashing(t *testing.T, o resource.Of[Account], check func(c spec.Client, h *hashed, accounts store.Store[Account])) {
	t.Helper()
	for name, s := range spec.Stores[Account](t) {
		t.Run(name, func(t *testing.T) {
			h := &hashed{}
			o.Store, o.BeforeTransaction = s, h.hash
			check(spec.NewClient(t, resource.Config{}, o), h, s)
		})
	}
}

// change changes a stored record by other means than the API.
func change(t testing.TB, in store.Store[Account], id int64, edit func(a *Account)) {
	t.Helper()
	err := in.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Account]) error {
		a, err := tx.Get(ctx, id)
		if err == nil {
			edit(a)
			err = tx.Update(ctx, id, a)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatAHookBeforeTheTransactionSetsIsSaved(t *testing.T) {
	t.Parallel()
	hashing(t, resource.Of[Account]{}, func(c spec.Client, h *hashed, _ store.Store[Account]) {
		c.Send("POST /api/accounts", `{"name":"ann","secret":"horse"}`).Is(201, `{"id":1,"name":"ann","secret":"hash of horse","visits":0}`)
		c.Send("PATCH /api/accounts/1", `{"secret":"cow"}`).Is(200, `{"id":1,"name":"ann","secret":"hash of cow","visits":0}`)
		c.Send("PUT /api/accounts/1", `{"secret":"pig"}`).Is(200, `{"id":1,"name":"ann","secret":"hash of pig","visits":0}`)
		h.ran(t, 3)
		c.Send("GET /api/accounts/1", "").Is(200, `{"id":1,"name":"ann","secret":"hash of pig","visits":0}`)
		c.Send("GET /api/accounts", "").HasStatus(200)
		c.Send("DELETE /api/accounts/1", "").HasStatus(204)
		h.ran(t, 0)
	})
}

func TestWhatAHookBeforeTheTransactionSetsIsNotValidated(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{BeforeTransaction: func(_ context.Context, _ *operation.Request, a *Account) error {
		a.Visits = -1
		return nil
	}})
	c.Send("POST /api/accounts", `{"name":"ann"}`).Is(201, `{"id":1,"name":"ann","secret":"","visits":-1}`)
}

func TestAWriteDoesNotWaitForTheHookOfAnother(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "accounts.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	accounts := sqlstore.Table[Account](db)
	if err := db.Create(t.Context(), accounts); err != nil {
		t.Fatal(err)
	}
	h, waiting, goOn := &hashed{}, make(chan struct{}), make(chan struct{})
	h.during = func(_ context.Context, run int32) {
		if run == 1 {
			close(waiting)
			<-goOn
		}
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{Store: accounts, BeforeTransaction: h.hash})
	slow := make(chan spec.Response)
	go func() { slow <- c.Send("POST /api/accounts", `{"name":"slow","secret":"horse"}`) }()
	<-waiting
	made := c.Send("POST /api/accounts", `{"name":"quick","secret":"horse"}`) // with a hook of its own
	changed := c.Send("PATCH /api/accounts/1", `{"visits":1}`)
	err = store.Insert(t.Context(), accounts, &Account{Name: "other"})
	close(goOn)
	(<-slow).HasStatus(201)
	made.HasStatus(201)
	if changed.HasStatus(200); err != nil {
		t.Error(err)
	}
}

func TestTheHookBeforeTheTransactionRunsOnlyForRequestsThatPass(t *testing.T) {
	t.Parallel()
	o := resource.Of[Account]{
		RequirePrecondition: true,
		Prepare: func(_ context.Context, _ *operation.Request, a *Account) error {
			if a.Name == "bad" {
				return validation.Fail("name", "is bad")
			}
			return nil
		},
	}
	hashing(t, o, func(c spec.Client, h *hashed, accounts store.Store[Account]) {
		if err := store.Insert(t.Context(), accounts, &Account{Name: "ann"}); err != nil {
			t.Fatal(err)
		}
		tag := c.Send("GET /api/accounts/1", "").Header.Get("ETag")
		for _, rejected := range []struct {
			request, body string
			status        int
			header        []string
		}{
			{"POST /api/accounts", `{"name"`, 400, nil},
			{"POST /api/accounts", `{"name":""}`, 400, nil},
			{"POST /api/accounts", `{"name":"ann","secret":"a text of more than thirty bytes"}`, 400, nil},
			{"POST /api/accounts", `{"name":"bad"}`, 400, nil},
			{"PATCH /api/accounts/1", `{"secret":1}`, 428, nil},
			{"PATCH /api/accounts/2", `{"secret":1}`, 404, []string{"If-Match", tag}},
			{"PATCH /api/accounts/1", `{"secret":1}`, 412, []string{"If-Match", `"old"`}},
			{"PATCH /api/accounts/1", `{"secret":1}`, 400, []string{"If-Match", tag}},
			{"PUT /api/accounts/1", `{"name":" "}`, 400, []string{"If-Match", tag}},
		} {
			c.Send(rejected.request, rejected.body, rejected.header...).HasStatus(rejected.status)
		}
		h.ran(t, 0)
		c.Send("PATCH /api/accounts/1", `{"secret":"horse"}`, "If-Match", tag).HasStatus(200)
		h.ran(t, 1)
	})
}

func TestAnErrorOfTheHookBeforeTheTransactionSavesNothing(t *testing.T) {
	t.Parallel()
	for name, s := range spec.Stores[Account](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{Store: s, BeforeTransaction: func(_ context.Context, _ *operation.Request, a *Account) error {
				switch a.Name {
				case "taken":
					return operation.Error{Status: 409, Detail: "Taken."}
				case "leaked":
					return validation.Fail("secret", "is known to be leaked")
				case "panic":
					panic("out of memory")
				}
				return errors.New("no entropy")
			}})
			c.Send("POST /api/accounts", `{"name":"taken"}`).IsProblem(409)
			c.Send("POST /api/accounts", `{"name":"leaked"}`).IsInvalid("secret", "is known to be leaked")
			c.Send("POST /api/accounts", `{"name":"panic"}`).IsProblem(500)
			c.Send("POST /api/accounts", `{"name":"other"}`).IsProblem(500)
			c.Send("GET /api/accounts", "").Is(200, `[]`)
		})
	}
}

// twice is a store that runs each transaction twice, as one does after a conflict.
type twice[T any] struct{ store.Store[T] }

var errFirstRun = errors.New("the first run conflicts")

func (s twice[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	err := s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errFirstRun
	})
	if !errors.Is(err, errFirstRun) {
		return err
	}
	return s.Store.Transact(ctx, fn)
}

func TestAStoreThatRunsItsTransactionAgainDoesNotRepeatTheHook(t *testing.T) {
	t.Parallel()
	h, saves := &hashed{}, 0
	header := map[string]string{"X-Hashed": "By what.", "X-Saved": "Once."}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{
		Store: twice[Account]{memory.New[Account]()},
		BeforeTransaction: func(ctx context.Context, req *operation.Request, a *Account) error {
			req.ResponseHeader.Add("X-Hashed", "yes")
			return h.hash(ctx, req, a)
		},
		Processor: operation.Process(func(ctx context.Context, req *operation.Request, a *Account, save operation.Save[Account]) error {
			saves++
			req.ResponseHeader.Add("X-Saved", "yes")
			a.Name += "!" // of a copy, so once
			return save(ctx, a)
		}),
		Operations: []operation.Operation{operation.Get{}, operation.Post{ResponseHeader: header}, operation.Patch{ResponseHeader: header}},
	})
	made := c.Send("POST /api/accounts", `{"name":"ann","secret":"horse"}`).HasStatus(201).Has("X-Hashed", "yes").Has("X-Saved", "yes")
	made.Mentions(`"name":"ann!","secret":"hash of horse"`)
	changed := c.Send("PATCH "+made.Header.Get("Location"), `{"secret":"cow"}`).HasStatus(200).Has("X-Hashed", "yes").Has("X-Saved", "yes")
	changed.Mentions(`"name":"ann!!","secret":"hash of cow"`)
	if h.ran(t, 2); saves != 4 {
		t.Errorf("the Processor ran %d times, want 4", saves)
	}
}

func TestTheHookBeforeTheTransactionCannotChangeWhatIsStored(t *testing.T) {
	t.Parallel()
	var kept *Account
	c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{BeforeTransaction: func(_ context.Context, _ *operation.Request, a *Account) error {
		kept = a
		return nil
	}})
	c.Send("POST /api/accounts", `{"name":"ann"}`).HasStatus(201)
	kept.Name = "changed"
	c.Send("GET /api/accounts/1", "").Mentions(`"name":"ann"`)
	c.Send("PATCH /api/accounts/1", `{"visits":1}`).HasStatus(200)
	kept.Name = "changed"
	c.Send("GET /api/accounts/1", "").Mentions(`"name":"ann"`)
}

func TestAHookBeforeTheTransactionThatNothingRunsIsAnError(t *testing.T) {
	t.Parallel()
	hook := (&hashed{}).hash
	_, err := resource.New(resource.Config{}, resource.Of[Account]{BeforeTransaction: hook, Operations: []operation.Operation{
		operation.Get{},
		operation.Delete{},
		operation.Post{Name: "visit", URITemplate: "/accounts/{id}/visits", Handler: operation.Handle(func(context.Context, *Account, struct{}) (struct{}, error) {
			return struct{}{}, nil
		})},
	}})
	if err == nil || !strings.Contains(err.Error(), "Account: no operation runs BeforeTransaction; add a Post") {
		t.Errorf("the error is %v", err)
	}
}
