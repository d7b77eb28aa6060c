package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// shop is an app under test.
type shop struct {
	*app

	t   *testing.T
	api *resource.API

	mu   sync.Mutex
	sent []string
}

// start returns a shop with the records of seed.json.
func start(t *testing.T) *shop {
	t.Helper()
	a, err := newApp(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.db.Close() })
	s := &shop{app: a, t: t}
	a.send = s.note
	if s.api, err = a.newAPI(); err != nil {
		t.Fatal(err)
	}
	if err := a.seed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// note is the mail server of tests.
func (s *shop) note(_ context.Context, to, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, to+": "+text)
	return nil
}

// is sends a request of the staff and checks the status. It returns the body.
func (s *shop) is(want int, request, body string) string {
	s.t.Helper()
	return s.as("Bearer staff-token", want, request, body)
}

// public sends a request without credentials.
func (s *shop) public(want int, request, body string) string {
	s.t.Helper()
	return s.as("", want, request, body)
}

func (s *shop) as(authorization string, want int, request, body string) string {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	if w.Code != want {
		s.t.Fatalf("%s %s: %d, want %d: %s", request, body, w.Code, want, w.Body)
	}
	return w.Body.String()
}

// has fails unless the body has each of the parts.
func (s *shop) has(body string, parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(body, part) {
			s.t.Errorf("%s is not in %s", part, body)
		}
	}
}

func TestPricesAreValidatedSortedAndDocumented(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.has(s.is(400, "POST /api/products", `{"sku":"A","name":"A","price":"free"}`), `"price":"price must be an amount such as 12.50 EUR"`)
	s.has(s.is(400, "POST /api/products", `{"sku":"A","name":"A","price":"0.00 EUR"}`), `"price":"price must be more than 0.00"`)
	s.has(s.is(201, "POST /api/products", `{"sku":"A","name":"A","price":"100.00 EUR"}`), `"price":"100.00 EUR"`)
	sorted := s.public(200, "GET /api/products?sort=price", "")
	if tea, cup := strings.Index(sorted, "9.00 EUR"), strings.Index(sorted, `"10.00 EUR`); tea < 0 || tea > cup {
		t.Errorf("the prices are not sorted as numbers: %s", sorted)
	}
	cheap := s.public(200, "GET /api/products?price%5Blte%5D=10.00%20EUR", "")
	if strings.Contains(cheap, "24.90") || !strings.Contains(cheap, "10.00 EUR") {
		t.Errorf("filtered: %s", cheap)
	}
	s.has(s.public(200, "GET /api/docs.json", ""), `"pattern":"^([0-9]{1,12})`)
}

func TestADeletedProductIsHiddenUntilItIsRestored(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.is(204, "DELETE /api/products/1", "")
	s.public(404, "GET /api/products/1", "")
	if body := s.public(200, "GET /api/products", ""); strings.Contains(body, "Green tea") {
		t.Errorf("the list has it: %s", body)
	}
	s.public(400, "POST /api/orders", `{"email":"ann@example.com","product":"/api/products/1"}`)
	s.has(s.is(200, "GET /api/products?deleted=only", ""), "Green tea")
	s.public(401, "GET /api/products?deleted=only", "")
	s.is(201, "POST /api/products", `{"id":9,"sku":"TEA-1","name":"Other","price":"1.00 EUR"}`)
	s.has(s.is(409, "POST /api/products/1/restore", ""), `"field":"sku"`)
	s.is(204, "DELETE /api/products/4", "")
	s.public(401, "POST /api/products/1/restore", "")
	s.has(s.is(200, "POST /api/products/1/restore", ""), `"deletedAt":null`)
	s.public(200, "GET /api/products/1", "")
	s.is(404, "DELETE /api/products/1/trash", "")
	s.is(204, "DELETE /api/products/1", "")
	s.is(404, "DELETE /api/products/1", "")
	s.is(204, "DELETE /api/products/1/trash", "")
	s.is(404, "GET /api/products/1?deleted=with", "")
}

func TestAProductHasEachSizeOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.is(201, "POST /api/variants", `{"product":"/api/products/1","size":"S"}`)
	s.is(201, "POST /api/variants", `{"product":"/api/products/1","size":"M"}`)
	s.is(201, "POST /api/variants", `{"product":"/api/products/2","size":"S"}`)
	s.has(s.is(409, "POST /api/variants", `{"product":"/api/products/1","size":"S"}`), "The product has this size already.")
	s.is(409, "PATCH /api/variants/3", `{"size":"S"}`)
	s.is(200, "PATCH /api/variants/3", `{"size":"L"}`)
	s.is(201, "POST /api/variants", `{"product":"/api/products/1","size":"M"}`)
}

func TestARoomIsNotBookedTwice(t *testing.T) {
	t.Parallel()
	s := start(t)
	booking := func(room, from, to string) string {
		return `{"room":"` + room + `","from":"2026-12-01T` + from + `:00Z","to":"2026-12-01T` + to + `:00Z"}`
	}
	s.is(201, "POST /api/bookings", booking("east", "09:00", "10:00"))
	s.has(s.is(409, "POST /api/bookings", booking("east", "09:30", "10:30")), `"detail":"The room is booked in that time.","fields":["from","to","room"]`)
	s.is(201, "POST /api/bookings", booking("east", "10:00", "11:00"))
	s.is(201, "POST /api/bookings", booking("west", "09:30", "10:30"))
	s.is(400, "POST /api/bookings", booking("west", "12:00", "11:00"))
	s.is(200, "PATCH /api/bookings/1", `{"status":"cancelled"}`)
	s.is(201, "POST /api/bookings", booking("east", "09:30", "10:00"))
	s.is(409, "PATCH /api/bookings/1", `{"status":"booked"}`)
}

func TestMailIsSentAfterTheCommit(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.public(409, "POST /api/orders", `{"email":"ann@example.com","product":"/api/products/2"}`) // sold out
	s.public(400, "POST /api/orders", `{"email":"ann","product":"/api/products/1"}`)
	if len(s.sent) > 0 {
		t.Errorf("mails about orders that were not saved: %q", s.sent)
	}
	s.public(201, "POST /api/orders", `{"email":"ann@example.com","product":"/api/products/1"}`)
	if len(s.sent) != 1 || s.sent[0] != "ann@example.com: Thank you for order 1." {
		t.Errorf("the mails are %q", s.sent)
	}
	s.has(s.is(200, "GET /api/products/1", ""), `"stock":2`)
}

func TestMailIsSentLaterIfTheServerIsOutOfOrder(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.send = func(context.Context, string, string) error { return errors.New("no mail today") }
	s.public(201, "POST /api/orders", `{"email":"ann@example.com","product":"/api/products/1"}`)
	s.send = s.note
	later := func() {
		t.Helper()
		if err := s.deliverRest(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	later() // too early
	err := store.Update(t.Context(), s.mails, int64(1), func(m *Mail) error { m.Created = m.Created.Add(-time.Hour); return nil })
	if err != nil {
		t.Fatal(err)
	}
	later()
	later() // it is sent once
	if len(s.sent) != 1 {
		t.Errorf("the mails are %q", s.sent)
	}
}

func TestAnImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	body := s.is(400, "POST /api/products/import", `[{"sku":"X-1","name":"X","price":"1.00 EUR"},{"sku":"X-2","name":" ","price":"1.00 EUR"}]`)
	s.has(body, `"[1].name":"name must not be blank"`)
	s.is(409, "POST /api/products/import", `[{"sku":"X-1","name":"X","price":"1.00 EUR"},{"sku":"TEA-1","name":"X","price":"1.00 EUR"}]`)
	if body := s.public(200, "GET /api/products?sku=X-1", ""); body != "[]" {
		t.Errorf("a part was saved: %s", body)
	}
	s.has(s.is(200, "POST /api/products/import", `[{"sku":"X-1","name":"X","price":"1.00 EUR"},{"sku":"X-2","name":"Y","price":"1.00 EUR"}]`), `{"count":2}`)
	s.public(401, "POST /api/products/import", `[]`)
}

func TestSeedsAreSavedOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.is(204, "DELETE /api/products/2", "")
	if err := s.seed(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.is(404, "GET /api/products/2", "")
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	s := start(t)
	openapitest.Conform(t, s.api, openapitest.Requests(20), openapitest.As("staff", http.Header{"Authorization": {"Bearer staff-token"}}))
}

func TestALimitedStockIsSoldOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	var sold atomic.Int64
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			body := strings.NewReader(`{"email":"ann@example.com","product":"/api/products/1"}`)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/orders", body)
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			s.api.ServeHTTP(w, r)
			switch w.Code {
			case http.StatusCreated:
				sold.Add(1)
			case http.StatusConflict:
			default:
				t.Errorf("an order is %d: %s", w.Code, w.Body)
			}
		})
	}
	group.Wait()
	if sold.Load() != 3 {
		t.Errorf("%d of 3 are sold", sold.Load())
	}
	s.has(s.is(200, "GET /api/products/1", ""), `"stock":0`)
}
