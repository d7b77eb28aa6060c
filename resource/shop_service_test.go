package resource_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// shops opens the shop with each sort of store: ann buys, root is of the staff.
func shops(t *testing.T, test func(t *testing.T, c client, api *resource.API)) {
	t.Helper()
	root := Buyer{Name: "Root", Email: "root@example.com", Staff: true}
	run := func(t *testing.T, s *shop) {
		t.Helper()
		api, err := s.api(resource.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		c := client{t, api}
		c.send("POST /api/buyers", `{"name":"Ann","email":"ann@example.com"}`).hasStatus(http.StatusCreated)
		c.shop("root", "POST /api/articles", `{"name":"Rope","cents":200}`).hasStatus(http.StatusCreated)
		c.shop("root", "POST /api/articles", `{"name":"Lamp","cents":1500}`).hasStatus(http.StatusCreated)
		c.shop("root", "POST /api/articles/1/restock", `{"quantity":10}`).hasStatus(http.StatusOK)
		c.shop("root", "POST /api/articles/2/restock", `{"quantity":2}`).hasStatus(http.StatusOK)
		c.shop("root", "POST /api/coupons", `{"code":"TEN","percent":10}`).hasStatus(http.StatusCreated)
		test(t, c, api)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, &shop{
			memory.New(root), memory.New[Article](), memory.New[Purchase](), memory.New[Opinion](), memory.New[Coupon](), memory.New[AuditEntry](),
		})
	})
	for name, open := range databases(t) {
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

// shop sends a request as a buyer, "" for nobody.
func (c client) shop(who, request, body string) answer {
	c.t.Helper()
	if who == "" {
		return c.send(request, body)
	}
	return c.send(request, body, "Authorization", "Bearer "+who)
}

func TestAShopSellsWhatItHasAndNoMore(t *testing.T) {
	t.Parallel()
	shops(t, func(_ *testing.T, c client, _ *resource.API) {
		const basket = `{"buyer":"/api/buyers/2","coupon":"/api/coupons/TEN","lines":[{"article":"/api/articles/1","quantity":3},{"article":"/api/articles/2","quantity":1}]}`
		c.shop("", "POST /api/purchases", basket).hasStatus(http.StatusUnauthorized)
		c.shop("root", "POST /api/purchases", basket).hasStatus(http.StatusForbidden) // nobody buys for another
		c.shop("ann", "POST /api/purchases", basket).hasStatus(http.StatusCreated).has("Location", "/api/purchases/1").
			mentions(`"cents":1890`, `"cents":600`, `"coupon":"/api/coupons/TEN"`)
		c.shop("ann", "GET /api/articles/1", "").mentions(`"stock":7`)

		c.shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":2}]}`).hasStatus(http.StatusBadRequest).mentions(`"lines[0].quantity":"`)
		// Both lines pass the check and together they are too many: nothing of it is saved.
		c.shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":1},{"article":"/api/articles/2","quantity":1}]}`).
			isProblem(http.StatusConflict).mentions("Lamp is sold out.")
		c.shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/9","quantity":1}]}`).hasStatus(http.StatusBadRequest).mentions(`"lines[0].article":"`)
		c.shop("ann", "GET /api/buyers/2/purchases", "").has("X-Total-Count", "1")
		c.shop("ann", "GET /api/articles/2", "").mentions(`"stock":1`)
		c.shop("root", "GET /api/audit_entries?what=bought", "").has("X-Total-Count", "1").mentions(`"buyer":"/api/buyers/2"`)
		c.shop("ann", "GET /api/audit_entries", "").hasStatus(http.StatusForbidden)

		c.shop("ann", "PATCH /api/purchases/1", `{"paid":true}`).hasStatus(http.StatusForbidden)
		c.shop("root", "PATCH /api/purchases/1", `{"paid":true}`).mentions(`"paid":true`, `"cents":1890`)
		c.shop("root", "PATCH /api/purchases/1", `{"buyer":"/api/buyers/1"}`).hasStatus(http.StatusBadRequest).mentions(`"buyer":"`)
	})
}

func TestAShopKeepsWhatItsRecordsReferTo(t *testing.T) {
	t.Parallel()
	shops(t, func(_ *testing.T, c client, _ *resource.API) {
		c.shop("ann", "POST /api/buyers/2/purchases", `{"coupon":"/api/coupons/TEN","lines":[{"article":"/api/articles/1","quantity":1}]}`).
			hasStatus(http.StatusCreated)
		c.shop("ann", "POST /api/articles/2/opinions", `{"buyer":"/api/buyers/2","stars":5,"text":"Bright."}`).hasStatus(http.StatusCreated)
		c.shop("ann", "POST /api/articles/2/opinions", `{"buyer":"/api/buyers/1","stars":1}`).hasStatus(http.StatusBadRequest).mentions(`"buyer":"`)
		c.shop("", "GET /api/articles/2/opinions?expand=article", "").mentions(`"stars":5`, `"_embedded":{"article":{"id":2`)
		c.shop("", "GET /api/articles/2/opinions?expand=buyer", "").mentions(`"_embedded":{"buyer":null}`)
		c.shop("ann", "GET /api/articles/2/opinions?expand=buyer", "").mentions(`"_embedded":{"buyer":{"id":2,"name":"Ann"`)

		c.shop("root", "DELETE /api/buyers/2", "").isProblem(http.StatusConflict).mentions("refers to it")
		c.shop("root", "DELETE /api/coupons/TEN", "").hasStatus(http.StatusNoContent)
		c.shop("ann", "GET /api/purchases/1", "").mentions(`"coupon":null`, `"cents":180`)
		c.shop("root", "DELETE /api/articles/2", "").hasStatus(http.StatusNoContent)
		c.shop("", "GET /api/opinions", "").is(http.StatusOK, "[]")
	})
}

func TestAShopSellsTheLastOneOnce(t *testing.T) {
	t.Parallel()
	shops(t, func(t *testing.T, c client, _ *resource.API) {
		t.Helper()
		var sold sync.Map
		var buyers sync.WaitGroup
		for i := range 8 {
			buyers.Go(func() {
				status := c.shop("ann", "POST /api/buyers/2/purchases", `{"lines":[{"article":"/api/articles/2","quantity":1}]}`).status
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
		c.shop("", "GET /api/articles/2", "").mentions(`"stock":0`)
		c.shop("root", "GET /api/audit_entries?what=bought", "").has("X-Total-Count", fmt.Sprint(2))
	})
}

func TestAShopIsAsItsDocumentSays(t *testing.T) {
	t.Parallel()
	shops(t, func(t *testing.T, _ client, api *resource.API) {
		t.Helper()
		bearer := func(who string) http.Header { return http.Header{"Authorization": {"Bearer " + who}} }
		openapitest.Conform(t, api, openapitest.As("ann", bearer("ann")), openapitest.As("root", bearer("root")), openapitest.Requests(20))
	})
}
