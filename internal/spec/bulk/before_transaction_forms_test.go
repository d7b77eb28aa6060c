package bulk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestARecordOfAHandlersBodyPassesThroughTheHook(t *testing.T) {
	t.Parallel()
	create := func(ctx context.Context, _ *Account, in []operation.CreateOf[Account]) ([]*Account, error) {
		var made []*Account
		for _, each := range in {
			if each.Record.Secret == "" {
				each.Record.Secret = "default"
			}
			record, err := each.Save(ctx)
			if err != nil {
				return nil, err
			}
			made = append(made, record)
		}
		return made, nil
	}
	update := func(ctx context.Context, _ *Account, in []operation.PatchOf[Account]) ([]*Account, error) {
		var made []*Account
		for _, each := range in {
			record, err := each.Save(ctx)
			if err != nil {
				return nil, err
			}
			made = append(made, record)
		}
		return made, nil
	}
	hashing(t, resource.Of[Account]{Operations: append(operation.Standard(),
		operation.Post{Name: "import", URITemplate: "/accounts/import", Handler: operation.Handle(create)},
		operation.Patch{Name: "patchAll", URITemplate: "/accounts/batch", Handler: operation.Handle(update)},
	)}, func(c spec.Client, h *hashed, _ store.Store[Account]) {
		c.Send("POST /api/accounts/import", `[{"name":"a","secret":"horse"},{"name":"b"}]`).
			Is(200, `[{"id":1,"name":"a","secret":"hash of horse","visits":0},{"id":2,"name":"b","secret":"hash of default","visits":0}]`)
		h.ran(t, 2)
		c.Send("PATCH /api/accounts/batch", `[{"id":1,"secret":"cow"},{"id":2,"visits":7}]`).
			Is(200, `[{"id":1,"name":"a","secret":"hash of cow","visits":0},{"id":2,"name":"b","secret":"hash of default","visits":7}]`)
		h.ran(t, 2)
		c.Send("POST /api/accounts/import", `[{"name":"c"},{"name":""}]`).HasStatus(400)
		h.ran(t, 0)
		c.Send("POST /api/accounts/import", `[{"name":"c"},{"name":"a"}]`).HasStatus(409)
		h.ran(t, 2)
		c.Send("GET /api/accounts", "").Has("X-Total-Count", "2")
	})
}

func TestTheHookBeforeTheTransactionGetsTheRecordOfAnInput(t *testing.T) {
	t.Parallel()
	type signUp struct {
		Name     string `json:"name" validate:"notblank"`
		Password string `json:"password" validate:"min=4"`
	}
	type shown struct {
		Name string `json:"name"`
		Hash string `json:"hash"`
	}
	o := resource.Of[Account]{
		Input: operation.InputOf(
			func(a *Account) signUp { return signUp{Name: a.Name, Password: "unchanged"} },
			func(_ context.Context, in signUp, a *Account) error {
				if a.Name = in.Name; in.Password != "unchanged" {
					a.Secret = in.Password
				}
				return nil
			}),
		Output: operation.Output(func(_ context.Context, a *Account) (shown, error) { return shown{a.Name, a.Secret}, nil }),
	}
	hashing(t, o, func(c spec.Client, h *hashed, _ store.Store[Account]) {
		c.Send("POST /api/accounts", `{"name":"ann","password":"horse"}`).Is(201, `{"name":"ann","hash":"hash of horse"}`)
		c.Send("POST /api/accounts", `{"name":"ann","password":"x"}`).HasStatus(400)
		h.ran(t, 1)
		c.Send("PATCH /api/accounts/1", `{"password":"sheep"}`).Is(200, `{"name":"ann","hash":"hash of sheep"}`)
		c.Send("PUT /api/accounts/1", `{"name":"eve"}`).Is(200, `{"name":"eve","hash":"hash of sheep"}`)
		h.ran(t, 2)
	})
}

// Rope is one of the ropes of a mast.
type (
	Rope struct {
		ID int64 `json:"id"`
	}
	Mast struct {
		ID    int64   `json:"id"`
		Ropes []int64 `json:"ropes" validate:"max=5" api:"ref=Rope"`
		Note  string  `json:"note"`
	}
)

func TestAMembershipRunsNoHook(t *testing.T) {
	t.Parallel()
	runs := 0
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, resource.Of[Rope]{Store: memory.New(Rope{}, Rope{})}, resource.Of[Mast]{
		BeforeTransaction: func(_ context.Context, _ *operation.Request, m *Mast) error {
			runs++
			m.Note = "has " + strings.Repeat("r", len(m.Ropes))
			return nil
		},
		Operations: append(operation.Standard(), operation.Put{URITemplate: "/masts/{id}/ropes/{ropes}"}),
	})
	c.Send("POST /api/masts", `{}`).Is(201, `{"id":1,"ropes":[],"note":"has "}`)
	c.Send("PUT /api/masts/1/ropes/1", "").HasStatus(204)
	if runs != 1 {
		t.Errorf("the hook ran %d times, want 1", runs)
	}
}

// signing is what the slow handlers of the tests take.
type signing struct {
	Secret string `json:"secret" validate:"min=3"`
	Hash   string `json:"-"`
}

type signed struct {
	Hash string `json:"hash"`
}

func TestTheSlowWorkOfAHandlerRunsBeforeItsTransaction(t *testing.T) {
	t.Parallel()
	for name, s := range spec.Stores[Account](t) {
		t.Run(name, func(t *testing.T) {
			runs, during := 0, func(context.Context) {}
			before := func(ctx context.Context, req *operation.Request, in *signing) error {
				runs++
				if in.Secret == "leaked" {
					return operation.Error{Status: 422, Detail: "The secret is known."}
				}
				in.Hash = "hash of " + in.Secret
				if was, ok := req.Previous.(*Account); ok {
					in.Hash += " after " + was.Secret
				}
				req.ResponseHeader.Set("X-Signed", "yes")
				during(ctx)
				return nil
			}
			set := func(_ context.Context, a *Account, in signing) (signed, error) {
				if a.ID == 0 && in.Secret == "fails" {
					return signed{}, errors.Join(store.Insert(t.Context(), s), errors.New("no seal"))
				}
				a.Secret = in.Hash
				return signed{in.Hash}, nil
			}
			header := map[string]string{"X-Signed": "Whether it is signed."}
			c := spec.NewClient(t, resource.Config{}, resource.Of[Account]{Store: twice[Account]{s}, Operations: append(operation.Standard(),
				operation.Post{Name: "sign", URITemplate: "/sign", Handler: operation.HandleAfter(before, set), ResponseHeader: header},
				operation.Post{Name: "resign", URITemplate: "/accounts/{id}/sign", Handler: operation.HandleAfter(before, set), ResponseHeader: header},
			)})
			c.Send("POST /api/sign", `{"secret":"horse"}`).Is(200, `{"hash":"hash of horse"}`).Has("X-Signed", "yes")
			c.Send("POST /api/sign", `{"secret":"leaked"}`).IsProblem(422)
			c.Send("POST /api/sign", `{"secret":"fails"}`).IsProblem(500)
			if runs != 3 {
				t.Errorf("the slow work ran %d times, want 3", runs)
			}
			c.Send("POST /api/sign", `{"secret":"x"}`).HasStatus(400)
			c.Send("POST /api/accounts/99/sign", `{"secret":"horse"}`).IsProblem(404)
			if runs != 3 {
				t.Errorf("the slow work ran for an invalid request")
			}
			at := c.Send("POST /api/accounts", `{"name":"ann","secret":"old"}`).HasStatus(201).Header.Get("Location")
			runs, during = 0, func(ctx context.Context) { // what it writes is saved by itself
				if runs == 1 {
					page, err := s.List(ctx, store.Query{})
					if err != nil {
						t.Fatal(err)
					}
					change(t, s, page.Items[0].ID, func(a *Account) { a.Secret = "other" })
				}
			}
			c.Send("POST "+at+"/sign", `{"secret":"cow"}`).Is(200, `{"hash":"hash of cow after other"}`).Has("X-Signed", "yes")
			if runs != 2 {
				t.Errorf("the slow work ran %d times, want 2", runs)
			}
			c.Send("GET "+at, "").Mentions(`"secret":"hash of cow after other"`)
		})
	}
}

func TestSlowWorkOfAHandlerThatCannotComeFirstIsAnError(t *testing.T) {
	t.Parallel()
	before := func(context.Context, *operation.Request, *struct{}) error { return nil }
	read := func(context.Context, *Account, struct{}) (signed, error) { return signed{}, nil }
	beforeBulk := func(context.Context, *operation.Request, *operation.CreateOf[Account]) error { return nil }
	bulk := func(context.Context, *Account, operation.CreateOf[Account]) (signed, error) { return signed{}, nil }
	for want, o := range map[string]operation.Operation{
		`operation.HandleAfter needs a transaction, which a Get does not have; use operation.Handle`: operation.Get{
			Name: "x", URITemplate: "/x", Handler: operation.HandleAfter(before, read),
		},
		`operation.HandleAfter does not support a CreateOf or PatchOf; use operation.Handle`: operation.Post{
			Name: "x", URITemplate: "/x", Handler: operation.HandleAfter(beforeBulk, bulk),
		},
		`the function of Handler is nil`: operation.Post{
			Name: "x", URITemplate: "/x", Handler: operation.HandleAfter(nil, read),
		},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[Account]{Operations: []operation.Operation{o}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
