package shop_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// shops opens the shop with each sort of store: ann buys, root is of the staff.
func shops(t *testing.T, test func(t *testing.T, c spec.Client, api *resource.API)) {
	t.Helper()
	root := Buyer{Name: "Root", Email: "root@example.com", Staff: true}
	run := func(t *testing.T, s *shop) {
		t.Helper()
		api, err := s.api(resource.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		c := spec.Client{T: t, Handler: api}
		c.Send("POST /api/buyers", `{"name":"Ann","email":"ann@example.com"}`).HasStatus(http.StatusCreated)
		c.Shop("root", "POST /api/articles", `{"name":"Rope","cents":200}`).HasStatus(http.StatusCreated)
		c.Shop("root", "POST /api/articles", `{"name":"Lamp","cents":1500}`).HasStatus(http.StatusCreated)
		c.Shop("root", "POST /api/articles/1/restock", `{"quantity":10}`).HasStatus(http.StatusOK)
		c.Shop("root", "POST /api/articles/2/restock", `{"quantity":2}`).HasStatus(http.StatusOK)
		c.Shop("root", "POST /api/coupons", `{"code":"TEN","percent":10}`).HasStatus(http.StatusCreated)
		test(t, c, api)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, &shop{
			memory.New(root), memory.New[Article](), memory.New[Purchase](), memory.New[Opinion](), memory.New[Coupon](), memory.New[AuditEntry](),
		})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			buyers, articles, purchases := sqlstore.Table[Buyer](db), sqlstore.Table[Article](db), sqlstore.Table[Purchase](db)
			opinions, coupons, audit := sqlstore.Table[Opinion](db), sqlstore.Table[Coupon](db), sqlstore.Table[AuditEntry](db)
			if err := db.Create(t.Context(), audit, opinions, purchases, coupons, articles, buyers); err != nil {
				t.Fatal(err)
			}
			err := buyers.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Buyer]) error {
				first := root
				return tx.Insert(ctx, &first)
			})
			if err != nil {
				t.Fatal(err)
			}
			run(t, &shop{buyers, articles, purchases, opinions, coupons, audit})
		})
	}
}

func TestAShopSellsWhatItHasAndNoMore(t *testing.T) {
	t.Parallel()
	shops(t, func(_ *testing.T, c spec.Client, _ *resource.API) {
		const basket = `{"buyer":"/api/buyers/2","coupon":"/api/coupons/TEN","lines":[{"article":"/api/articles/1","quantity":3},{"article":"/api/articles/2","quantity":1}]}`
		c.Shop("", "POST /api/purchases", basket).HasStatus(http.StatusUnauthorized)
		c.Shop("root", "POST /api/purchases", basket).HasStatus(http.StatusForbidden) // users buy only for themselves
		c.Shop("ann", "POST /api/purchases", basket).HasStatus(http.StatusCreated).Has("Location", "/api/purchases/1").
			Mentions(`"cents":1890`, `"cents":600`, `"coupon":"/api/coupons/TEN"`)
		c.Shop("ann", "GET /api/articles/1", "").Mentions(`"stock":7`)

		c.Shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":2}]}`).HasStatus(http.StatusBadRequest).Mentions(`"lines[0].quantity":"`)
		// Both lines pass the check and together they are too many: nothing of it is saved.
		c.Shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":1},{"article":"/api/articles/2","quantity":1}]}`).
			IsProblem(http.StatusConflict).Mentions("Lamp is sold out.")
		c.Shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/9","quantity":1}]}`).HasStatus(http.StatusBadRequest).Mentions(`"lines[0].article":"`)
		c.Shop("ann", "GET /api/buyers/2/purchases", "").Has("X-Total-Count", "1")
		c.Shop("ann", "GET /api/articles/2", "").Mentions(`"stock":1`)
		c.Shop("root", "GET /api/audit_entries?what=bought", "").Has("X-Total-Count", "1").Mentions(`"buyer":"/api/buyers/2"`)
		c.Shop("ann", "GET /api/audit_entries", "").HasStatus(http.StatusForbidden)

		c.Shop("ann", "PATCH /api/purchases/1", `{"paid":true}`).HasStatus(http.StatusForbidden)
		c.Shop("root", "PATCH /api/purchases/1", `{"paid":true}`).Mentions(`"paid":true`, `"cents":1890`)
		c.Shop("root", "PATCH /api/purchases/1", `{"buyer":"/api/buyers/1"}`).HasStatus(http.StatusBadRequest).Mentions(`"buyer":"`)
	})
}

func TestAShopKeepsWhatItsRecordsReferTo(t *testing.T) {
	t.Parallel()
	shops(t, func(_ *testing.T, c spec.Client, _ *resource.API) {
		c.Shop("ann", "POST /api/buyers/2/purchases", `{"coupon":"/api/coupons/TEN","lines":[{"article":"/api/articles/1","quantity":1}]}`).
			HasStatus(http.StatusCreated)
		c.Shop("ann", "POST /api/articles/2/opinions", `{"buyer":"/api/buyers/2","stars":5,"text":"Bright."}`).HasStatus(http.StatusCreated)
		c.Shop("ann", "POST /api/articles/2/opinions", `{"buyer":"/api/buyers/1","stars":1}`).HasStatus(http.StatusBadRequest).Mentions(`"buyer":"`)
		c.Shop("", "GET /api/articles/2/opinions?expand=article", "").Mentions(`"stars":5`, `"_embedded":{"article":{"id":2`)
		c.Shop("", "GET /api/articles/2/opinions?expand=buyer", "").Mentions(`"_embedded":{"buyer":null}`)
		c.Shop("ann", "GET /api/articles/2/opinions?expand=buyer", "").Mentions(`"_embedded":{"buyer":{"id":2,"name":"Ann"`)

		c.Shop("root", "DELETE /api/buyers/2", "").IsProblem(http.StatusConflict).Mentions("references it")
		c.Shop("root", "DELETE /api/coupons/TEN", "").HasStatus(http.StatusNoContent)
		c.Shop("ann", "GET /api/purchases/1", "").Mentions(`"coupon":null`, `"cents":180`)
		c.Shop("root", "DELETE /api/articles/2", "").HasStatus(http.StatusNoContent)
		c.Shop("", "GET /api/opinions", "").Is(http.StatusOK, "[]")
	})
}

func TestAShopSellsTheLastOneOnce(t *testing.T) {
	t.Parallel()
	shops(t, func(t *testing.T, c spec.Client, _ *resource.API) {
		t.Helper()
		var sold sync.Map
		var buyers sync.WaitGroup
		for i := range 8 {
			buyers.Go(func() {
				status := c.Shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":1}]}`).Status
				sold.Store(i, status)
			})
		}
		buyers.Wait()
		count := map[int]int{}
		sold.Range(func(_, status any) bool {
			count[status.(int)]++ //nolint:forcetypeassert // it is what was stored
			return true
		})
		if count[http.StatusCreated] != 2 || count[http.StatusCreated]+count[http.StatusBadRequest]+count[http.StatusConflict] != 8 {
			t.Errorf("two lamps were sold as %v", count)
		}
		c.Shop("", "GET /api/articles/2", "").Mentions(`"stock":0`)
		c.Shop("root", "GET /api/audit_entries?what=bought", "").Has("X-Total-Count", fmt.Sprint(2))
	})
}

func TestAShopIsAsItsDocumentSays(t *testing.T) {
	t.Parallel()
	shops(t, func(t *testing.T, _ spec.Client, api *resource.API) {
		t.Helper()
		bearer := func(who string) http.Header { return http.Header{"Authorization": {"Bearer " + who}} }
		openapitest.Conform(t, api, openapitest.As("ann", bearer("ann")), openapitest.As("root", bearer("root")), openapitest.Requests(20))
	})
}
