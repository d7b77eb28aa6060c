package hooks_test

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type (
	// Carton is packed with nails by handlers.
	Carton struct {
		ID    int64  `json:"id"`
		Label string `json:"label"`
	}
	// Nail is in a carton.
	Nail struct {
		ID     int64 `json:"id"`
		Carton int64 `json:"carton"`
	}
	packing struct {
		Label string `json:"label"`
		Nails int    `json:"nails"`
	}
	packed struct {
		Weight float64 `json:"weight"`
	}
)

// yard has the stores of cartons and nails, which share a database.
type yard struct {
	cartons store.Store[Carton]
	nails   store.Store[Nail]
}

// yards opens a yard of each kind: PostgreSQL only where there is a server.
func yards(t *testing.T) map[string]yard {
	t.Helper()
	light, err := sqlite.Open(filepath.Join(t.TempDir(), "yard.db"))
	if err != nil {
		t.Fatal(err)
	}
	opened := map[string]*sqlstore.DB{"SQLite": light}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		if opened["PostgreSQL"], err = postgres.Open(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]yard{"memory": {memory.New[Carton](), memory.New[Nail]()}}
	for name, db := range opened {
		suffix := strings.ToLower(rand.Text())
		cartons, nails := sqlstore.Table[Carton](db, sqlstore.Named("cartons_"+suffix)), sqlstore.Table[Nail](db, sqlstore.Named("nails_"+suffix))
		if err := db.Create(t.Context(), cartons, nails); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, err := db.Exec(context.Background(), "DROP TABLE cartons_"+suffix)
			_, err2 := db.Exec(context.Background(), "DROP TABLE nails_"+suffix)
			if err := errors.Join(err, err2, db.Close()); err != nil {
				t.Error(err)
			}
		})
		all[name] = yard{cartons, nails}
	}
	return all
}

// pack inserts a carton and its nails, each by a Transact of its own, and then fails as the label says.
func (y yard) pack(ctx context.Context, in packing) (packed, error) {
	carton := &Carton{Label: in.Label}
	if err := store.Insert(ctx, y.cartons, carton); err != nil {
		return packed{}, err
	}
	for range in.Nails {
		if err := store.Insert(ctx, y.nails, &Nail{Carton: carton.ID}); err != nil {
			return packed{}, err
		}
	}
	switch in.Label {
	case "error":
		return packed{}, errors.New("the crane has stopped")
	case "rejected":
		return packed{}, operation.Error{Status: 422, Detail: "Too heavy."}
	case "panic":
		panic("the crane has fallen")
	case "unencodable":
		return packed{Weight: math.NaN()}, nil
	}
	return packed{Weight: 3}, nil
}

// operations are handlers without a record of each writing kind, with and without a body.
func (y yard) operations() []operation.Operation {
	withBody := operation.Handle(func(ctx context.Context, _ *Carton, in packing) (packed, error) { return y.pack(ctx, in) })
	without := operation.Handle(func(ctx context.Context, _ *Carton, _ struct{}) (packed, error) {
		req, _ := operation.RequestFrom(ctx)
		return y.pack(ctx, packing{Label: req.Variables()["how"], Nails: 2})
	})
	return []operation.Operation{
		operation.GetCollection{},
		operation.Post{Name: "pack", URITemplate: "/pack", Handler: withBody},
		operation.Put{Name: "putPack", URITemplate: "/pack", Handler: withBody},
		operation.Patch{Name: "repack", URITemplate: "/pack", Handler: withBody},
		operation.Post{Name: "packEmpty", URITemplate: "/packing/{how}", Handler: without},
		operation.Delete{Name: "unpack", URITemplate: "/packing/{how}", Handler: without},
	}
}

func (y yard) client(t *testing.T) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{}, resource.Of[Carton]{Store: y.cartons, Operations: y.operations()},
		resource.Of[Nail]{Store: y.nails, Operations: []operation.Operation{operation.GetCollection{}}})
}

// packings are requests that pack. HOW is replaced by the name of how they end.
var packings = []struct{ request, body string }{
	{"POST /api/pack", `{"label":"HOW","nails":2}`},
	{"PUT /api/pack", `{"label":"HOW","nails":2}`},
	{"PATCH /api/pack", `{"label":"HOW","nails":2}`},
	{"POST /api/packing/HOW", ""},
	{"DELETE /api/packing/HOW", ""},
}

func TestAHandlerWithoutARecordSavesAllOrNothing(t *testing.T) {
	t.Parallel()
	for name, y := range yards(t) {
		t.Run(name, func(t *testing.T) {
			c := y.client(t)
			for how, status := range map[string]int{"error": 500, "rejected": 422, "panic": 500, "unencodable": 500} {
				for _, p := range packings {
					c.Send(strings.ReplaceAll(p.request, "HOW", how), strings.ReplaceAll(p.body, "HOW", how)).HasStatus(status)
					c.Send("GET /api/cartons", "").Is(200, `[]`)
					c.Send("GET /api/nails", "").Is(200, `[]`)
				}
			}
			for i, p := range packings {
				c.Send(strings.ReplaceAll(p.request, "HOW", "fine"), strings.ReplaceAll(p.body, "HOW", "fine")).Is(200, `{"weight":3}`)
				if page, err := y.nails.List(t.Context(), store.Query{}); err != nil || len(page.Items) != 2*(i+1) {
					t.Errorf("%s: there are %d nails (%v), want %d", p.request, len(page.Items), err, 2*(i+1))
				}
			}
		})
	}
}

// crated wraps a store, as a user's own type does.
type crated[T any] struct{ store.Store[T] }

func TestAHandlerReadsWhatItWrote(t *testing.T) {
	t.Parallel()
	for name, y := range yards(t) {
		wrapped := yard{crated[Carton]{y.cartons}, crated[Nail]{y.nails}}
		for name, y := range map[string]yard{name: y, name + ", wrapped": wrapped} {
			t.Run(name, func(t *testing.T) {
				weigh := func(ctx context.Context, _ *Carton, in packing) (packed, error) {
					if _, err := y.pack(ctx, in); err != nil {
						return packed{}, err
					}
					carton, err := store.Find(ctx, y.cartons, "label", in.Label)
					if err != nil {
						return packed{}, err
					}
					if carton, err = y.cartons.Get(ctx, carton.ID); err != nil {
						return packed{}, err
					}
					page, err := y.nails.List(ctx, store.Query{Count: true, Where: []store.Condition{
						{Fields: []string{"carton"}, Operator: store.Equal, Values: []any{carton.ID}},
					}})
					return packed{Weight: float64(len(page.Items) * page.Total)}, err
				}
				c := spec.NewClient(t, resource.Config{}, resource.Of[Nail]{Store: y.nails}, resource.Of[Carton]{
					Store: y.cartons, Operations: []operation.Operation{operation.Post{Name: "weigh", URITemplate: "/weigh", Handler: operation.Handle(weigh)}},
				})
				c.Send("POST /api/weigh", `{"label":"`+name+`","nails":3}`).Is(200, `{"weight":9}`)
			})
		}
	}
}

// lone is a store of a user's own. It counts its transactions, and shares them with no other store.
type lone[T any] struct {
	store.Store[T]

	transactions int
}

func (l *lone[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	l.transactions++
	return l.Store.Transact(ctx, fn)
}

func TestAHandlerWithoutARecordRunsInTheTransactionOfAUsersOwnStore(t *testing.T) {
	t.Parallel()
	cartons := &lone[Carton]{Store: memory.New[Carton]()}
	y := yard{cartons, memory.New[Nail]()}
	c := y.client(t)
	for _, p := range packings {
		cartons.transactions = 0
		c.Send(strings.ReplaceAll(p.request, "HOW", "error"), strings.ReplaceAll(p.body, "HOW", "error")).HasStatus(500)
		if cartons.transactions != 2 { // that of the operation, which the handler's joins
			t.Errorf("%s: %d transactions, want 2", p.request, cartons.transactions)
		}
		c.Send("GET /api/cartons", "").Is(200, `[]`)
	}
}

func TestAHandlerThatReadsRunsInNoTransaction(t *testing.T) {
	t.Parallel()
	cartons := &lone[Carton]{Store: memory.New(Carton{Label: "tea"})}
	count := operation.Handle(func(context.Context, *Carton, struct{}) (packed, error) { return packed{Weight: 1}, nil })
	c := spec.NewClient(t, resource.Config{}, resource.Of[Carton]{Store: cartons, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Get{Name: "weigh", URITemplate: "/cartons/{id}/weight", Handler: count},
		operation.Get{Name: "weighAll", URITemplate: "/weight", Handler: count},
		operation.GetCollection{Name: "weights", URITemplate: "/weights", Handler: count},
	}})
	for _, path := range []string{"/api/cartons", "/api/cartons/1", "/api/cartons/1/weight", "/api/weight", "/api/weights"} {
		c.Send("GET "+path, "").HasStatus(200)
	}
	if cartons.transactions != 0 {
		t.Errorf("%d transactions, want none", cartons.transactions)
	}
}

func TestATransactionBesideThatOfAHandlerWithoutARecordIsAnError(t *testing.T) {
	t.Parallel()
	for name, y := range yards(t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Carton]{Store: y.cartons, Operations: []operation.Operation{
				operation.Post{Name: "pack", URITemplate: "/pack", Handler: operation.Handle(func(ctx context.Context, _ *Carton, _ struct{}) (struct{}, error) {
					req, _ := operation.RequestFrom(ctx)
					return struct{}{}, store.Insert(req.HTTP().Context(), y.cartons, &Carton{})
				})},
			}})
			c.Send("POST /api/pack", "").HasStatus(500)
		})
	}
}
