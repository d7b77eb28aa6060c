package main

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore/database"
)

var _ = flag.Bool("update", false, "write golden files")

// business is a rental under test, with the demonstration's records.
type business struct {
	t    *testing.T
	api  *resource.API
	mu   sync.Mutex
	sent []string
}

func start(t *testing.T) *business {
	t.Helper()
	db, err := database.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	r, err := open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	b := &business{t: t}
	r.rate = 0 // no limit
	r.send = func(_ context.Context, to, _ string) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.sent = append(b.sent, to)
		return nil
	}
	if b.api, err = r.newAPI(); err == nil {
		err = openapi.Mount(b.api, documentation)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// headerOf returns the credentials of a user, none for "".
func headerOf(name string) http.Header {
	r := &http.Request{Header: http.Header{}}
	if name != "" {
		r.SetBasicAuth(name+"@example.com", "correct horse battery")
	}
	return r.Header
}

// send sends a request such as "GET /items" as a user, and checks the status. The body has each of the parts.
func (b *business) send(as, request, body string, want int, parts ...string) {
	b.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(b.t.Context(), method, "/api"+path, strings.NewReader(body))
	r.Header = headerOf(as)
	if body != "" {
		r.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[method == http.MethodPatch])
	}
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, r)
	if w.Code != want {
		b.t.Errorf("%s by %s is %d, want %d: %s", request, as, w.Code, want, w.Body)
	}
	for _, part := range parts {
		if !strings.Contains(w.Body.String(), part) {
			b.t.Errorf("%s by %s has no %s: %s", request, as, part, w.Body)
		}
	}
}

func TestABookingGoesThroughItsWorkflow(t *testing.T) {
	t.Parallel()
	b := start(t)
	const first = `{"item":"/api/items/1","from":"2030-06-01","to":"2030-06-04"}`
	b.send("ann", "POST /bookings", `{"item":"/api/items/9","from":"2030-06-01","to":"2030-06-04"}`, 400, `"item":"item must be the path of an existing Item`)
	b.send("ann", "POST /bookings", first, 201, `"customer":"/api/users/4"`, `"total":7500`, `"status":"requested"`)
	b.send("ann", "POST /bookings", first, 409, `"detail":"The item is booked in that time."`)
	if len(b.sent) != 1 || b.sent[0] != "ann@example.com" {
		t.Errorf("mails were sent to %q", b.sent)
	}
	b.send("ann", "POST /bookings/4/approve", "", 403)
	b.send("lena", "POST /bookings/4/approve", "", 404) // she works elsewhere
	b.send("harry", "POST /bookings/4/lend", "", 409, "status is approved")
	b.send("harry", "POST /bookings/4/approve", "", 200, `"status":"approved"`)
	b.send("ann", "PATCH /bookings/4", `{"to":"2030-06-05"}`, 409)
	b.send("harry", "POST /bookings/4/lend", "", 200)
	b.send("harry", "POST /bookings/4/return", "", 200)
	b.send("ann", "POST /bookings", first, 201) // the item is free again
	b.send("ann", "GET /bookings/4/history", "", 200, `"by":"harry@example.com","operation":"returnBooking","changes":{"status":{"from":"out","to":"returned"}}`)
	b.send("harry", "POST /notes", `{"booking":"/api/bookings/4","text":"A paddle is missing."}`, 201, `"author":"/api/users/2"`)
	b.send("ann", "GET /notes", "", 200, "[]")
}

func TestTotalsAreByLocationAndMonth(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.send("ann", "POST /bookings", `{"item":"/api/items/1","from":"2030-06-01","to":"2030-06-04"}`, 201)
	b.send("ann", "POST /bookings", `{"item":"/api/items/2","from":"2030-06-02","to":"2030-06-03"}`, 201)
	const june = "/bookings/aggregate?group=location,from:month&sum=total&from[gte]=2030-01-01"
	b.send("harry", "GET "+june, "", 200, `[{"group":{"location":"/api/locations/1","from":"2030-06"},"count":2,"sum":{"total":19500}}]`)
	b.send("lena", "GET "+june, "", 200, "[]")
	b.send("harry", "GET /bookings/aggregate.csv?group=location&sum=total&from[gte]=2030-01-01", "", 200, "/api/locations/1,2,19500")
}

func TestItemsGoToATrash(t *testing.T) {
	t.Parallel()
	b := start(t)
	const raft = `{"location":"/api/locations/1","number":3,"name":"Raft","price":100}`
	b.send("lena", "POST /items", raft, 403)
	b.send("harry", "POST /items", strings.Replace(raft, "3", "2", 1), 409, "The location has an item with this number.")
	b.send("harry", "DELETE /items/2", "", 409) // it is booked
	b.send("harry", "POST /items", raft, 201)
	b.send("harry", "DELETE /items/4", "", 204)
	b.send("harry", "GET /items/4", "", 404)
	b.send("ann", "GET /items?deleted=only", "", 200, "[]")
	b.send("harry", "GET /items?deleted=only", "", 200, `"name":"Raft"`)
	b.send("harry", "POST /items/4/restore", "", 200, `"deleted":null`)
	b.send("harry", "DELETE /items/4", "", 204)
	b.send("root", "DELETE /items/4/trash", "", 204)
	b.send("harry", "POST /items/4/restore", "", 404)
}

func TestAnInvoiceIsSavedWithItsLines(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.send("harry", "POST /invoices", `{"booking":"/api/bookings/1","due":"2030-07-01","lines":[{"text":"2 days","quantity":2,"price":2500},{"text":" ","quantity":1,"price":1}]}`,
		400, `"lines[1].text"`)
	b.send("harry", "POST /invoices", `{"booking":"/api/bookings/1","due":"2030-07-01","lines":[{"text":"2 days","quantity":2,"price":2500},{"text":"Paddle","quantity":1,"price":300}]}`,
		201, `"amount":5000`, `"text":"Paddle"`)
	b.send("harry", "PATCH /invoices/1", `{"lines":[{"id":1},{"text":"Vest","quantity":3,"price":100}]}`, 200, `"amount":5000`, `"text":"Vest"`)
	b.send("ann", "GET /invoices/1/lines/aggregate?sum=amount", "", 200, `[{"group":{},"count":2,"sum":{"amount":5300}}]`)
	b.send("lena", "GET /invoices/1/lines/aggregate?sum=amount", "", 404)
	b.send("ann", "POST /invoices/1/send", "", 403)
	b.send("harry", "POST /invoices/1/send", "", 200)
	b.send("harry", "PATCH /invoices/1", `{"lines":[]}`, 409, "status is draft")
	b.send("harry", "POST /invoices/1/pay", "", 200, `"status":"paid"`)
}

func TestAccessIsAsInTheTable(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.send("harry", "POST /invoices", `{"booking":"/api/bookings/1","due":"2030-07-01","lines":[{"text":"2 days","quantity":2,"price":2500}]}`, 201)
	b.send("harry", "POST /notes", `{"booking":"/api/bookings/1","text":"Fine."}`, 201)
	var callers accesstest.Callers
	for _, name := range []string{"", "ann", "harry", "lena", "root"} {
		caller := accesstest.Caller{Name: name, Header: headerOf(name)}
		if name == "" {
			caller.Name = "anonymous"
		}
		callers = append(callers, caller)
	}
	accesstest.Matrix(t, b.api, "testdata/access.golden", callers, accesstest.Records{
		"User": {"ann": "4"}, "Location": {"harbour": "1"}, "Job": {"harry": "1"}, "Item": {"canoe": "1"},
		"Booking": {"returned": "1", "approved": "2", "requested": "3"}, "Note": {"fine": "1"}, "Invoice": {"draft": "1"}, "Line": {"days": "1"},
	})
}

func TestTheAPIDoesWhatItsDocumentSays(t *testing.T) {
	t.Parallel()
	b := start(t)
	openapitest.Conform(t, b.api, openapitest.Requests(20), openapitest.As("ann", headerOf("ann")), openapitest.As("root", headerOf("root")))
}

// README says how long the program is.
func TestTheProgramHasAtMost450LinesWithoutSQL(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		lines += strings.Count(string(text), "\n")
		for _, word := range []string{"SELECT", "INSERT INTO", "UPDATE ", "DELETE FROM"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s has SQL: %s", file, word)
			}
		}
	}
	if lines > 450 || lines == 0 {
		t.Errorf("the program has %d lines", lines)
	}
}
