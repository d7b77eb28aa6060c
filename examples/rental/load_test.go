package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/store"
)

// load is what clients do with two instances of the rental, and what these have acknowledged. Clients repeat a request that
// was not acknowledged, on the other instance, with its Idempotency-Key.
type load struct {
	t         *testing.T
	ctx       context.Context //nolint:containedctx // it ends the load
	end       context.CancelFunc
	instances [2]*instance
	group     sync.WaitGroup
	stop      atomic.Bool

	staff, admin string          // cookies
	items        []string        // paths
	counters     [3]string       // one for both instances, and one for each
	counted      [3]atomic.Int64 // increments that were acknowledged
	uncertain    [3]atomic.Int64 // and others that were sent
	faults       atomic.Int64    // requests that an outage has failed

	mu       sync.Mutex
	bookings []*booked
}

// booked is a booking, as it was acknowledged.
type booked struct {
	path, item, from, to, status string
	operations                   []string
	isInvoiced                   bool
}

const (
	customers = 6
	secret    = "correct horse battery"
)

// newLoad starts clients of two instances.
func newLoad(t *testing.T, limit time.Duration, dbs ...string) *load {
	t.Helper()
	l := &load{t: t}
	l.ctx, l.end = context.WithTimeout(t.Context(), limit)
	t.Cleanup(func() {
		l.end()
		l.group.Wait()
	})
	for n := range l.instances {
		l.instances[n] = newInstance(t, dbs[n])
	}
	l.admin, l.staff = l.signIn("root"), l.signIn("harry")
	for n := range len(l.counters) + 2 {
		created := l.send(n, l.admin, "POST /api/items", fmt.Sprintf(`{"location":%q,"number":%d,"name":"Raft","price":100}`, l.location("Harbour"), 11+n), 201)
		path := created.header.Get("Location")
		if n < len(l.counters) {
			l.counters[n] = path
		} else {
			l.items = append(l.items, path)
		}
	}
	for n := range customers {
		name := fmt.Sprint("customer", n)
		l.send(n, "", "POST /api/users", fmt.Sprintf(`{"name":%q,"email":"%[1]s@example.com","password":%q}`, name, secret), 201)
		cookie := l.signIn(name)
		l.group.Go(func() {
			for round := 0; l.runs(); round++ {
				l.rent(n, round, cookie)
			}
		})
	}
	for n, i := range l.instances {
		i.writes.reset()
		i.readiness.reset()
		for _, c := range []int{0, 1 + n} {
			l.group.Go(func() {
				for l.runs() {
					if l.count(n, c) && c > 0 { // another client can prevent the others
						i.writes.beat()
					}
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		l.group.Go(func() {
			for l.runs() {
				if r, ok := l.try(n, "", "GET /readyz", "", 200); ok && r.status == 200 {
					i.readiness.beat()
				} else {
					i.unready.Add(1)
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	return l
}

func (l *load) runs() bool { return !l.stop.Load() && l.ctx.Err() == nil && !l.t.Failed() }

// try sends a request to an instance once. It reports false if the instance is not available. It is an error if the instance
// then does not return 503 with Retry-After, or if the response is another one than those that are wanted.
func (l *load) try(n int, cookie, request, body string, want int, header ...string) (response, bool) {
	i := l.instances[n]
	kills := i.kills.Load()
	r, err := i.send(l.ctx, cookie, request, body, header...)
	switch {
	case l.ctx.Err() != nil:
	case err != nil && (kills%2 == 1 || i.kills.Load() != kills): // it was killed meanwhile
	case err != nil:
		l.t.Errorf("%s to %s: %v", request, i.address, err)
	case r.status == http.StatusServiceUnavailable && r.header.Get("Retry-After") == "":
		l.t.Errorf("%s to %s is 503 without Retry-After: %s", request, i.address, r.body)
	case r.status != http.StatusServiceUnavailable && r.status != want && r.status != http.StatusConflict && r.status != http.StatusPreconditionFailed:
		l.t.Errorf("%s to %s is %d, want %d: %s", request, i.address, r.status, want, r.body)
	}
	if err != nil || r.status == http.StatusServiceUnavailable {
		l.faults.Add(1)
		return r, false
	}
	return r, true
}

// send sends a request until it has a response other than that of an outage, to the instances in turn. It is a conflict, or the
// one that is wanted.
func (l *load) send(n int, cookie, request, body string, want int, header ...string) response {
	for ; l.ctx.Err() == nil; n++ {
		if r, ok := l.try(n%2, cookie, request, body, want, header...); ok {
			return r
		}
		time.Sleep(20 * time.Millisecond)
	}
	return response{header: http.Header{}}
}

// signIn returns the cookie of a user.
func (l *load) signIn(name string) string {
	r := l.send(0, "", "POST /api/login", fmt.Sprintf(`{"email":"%s@example.com","password":%q}`, name, secret), 204)
	cookie, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
	return cookie
}

// location returns the path of a location.
func (l *load) location(name string) string {
	var found []struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	r := l.send(0, "", "GET /api/locations", "", 200)
	if err := json.Unmarshal([]byte(r.body), &found); err != nil {
		l.t.Fatal(err)
	}
	for _, each := range found {
		if each.Name == name {
			return fmt.Sprint("/api/locations/", each.ID)
		}
	}
	l.t.Fatalf("there is no location %s in %s", name, r.body)
	return ""
}

// rent is how a customer rents an item. All customers want one of two items in a round, in the same days.
func (l *load) rent(n, round int, cookie string) {
	item := l.items[round%len(l.items)]
	from := date.New(2031, 1, 1).AddDays(5*round + n%3)
	b := &booked{item: item, from: from.String(), to: from.AddDays(3).String(), status: "requested"}
	step := func(as, name, status string) {
		l.send(n, as, "POST "+b.path+"/"+name, "", 200, "Idempotency-Key", name+b.path)
		b.status, b.operations = status, append(b.operations, name+"Booking")
	}
	r := l.send(n, cookie, "POST /api/bookings", fmt.Sprintf(`{"item":%q,"from":%q,"to":%q}`, b.item, b.from, b.to), 201, "Idempotency-Key", fmt.Sprintf("%d-%d", n, round))
	if r.status != http.StatusCreated || l.ctx.Err() != nil {
		return
	}
	b.path, b.operations = r.header.Get("Location"), []string{"createBooking"}
	defer func() {
		if l.ctx.Err() == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.bookings = append(l.bookings, b)
		}
	}()
	to := from.AddDays(2).String()
	if r := l.send(n+1, cookie, "PATCH "+b.path, fmt.Sprintf(`{"to":%q}`, to), 200); r.status == http.StatusOK {
		b.to, b.operations = to, append(b.operations, "patchBooking")
	}
	if round%4 == 0 {
		step(cookie, "cancel", "cancelled")
		return
	}
	step(l.staff, "approve", "approved")
	if round%2 == 0 {
		return
	}
	step(l.staff, "lend", "out")
	l.invoice(n, b)
	if round%3 == 0 {
		step(l.staff, "return", "returned")
	}
}

// invoice sends the invoice of a booking to both instances at once, of which one saves it.
func (l *load) invoice(n int, b *booked) {
	body := fmt.Sprintf(`{"booking":%q,"due":"2032-01-01","lines":[{"text":"2 days","quantity":2,"price":100},{"text":"Vest","quantity":1,"price":30}]}`, b.path)
	var got [2]response
	var both sync.WaitGroup
	for k := range got {
		both.Go(func() {
			got[k] = l.send(n+k, l.staff, "POST /api/invoices", body, 201, "Idempotency-Key", fmt.Sprint("invoice", k, b.path))
		})
	}
	both.Wait()
	if l.ctx.Err() != nil {
		return
	}
	if got[0].status+got[1].status != http.StatusCreated+http.StatusConflict {
		l.t.Errorf("the two invoices of %s are %d and %d, want 201 and 409: %s %s", b.path, got[0].status, got[1].status, got[0].body, got[1].body)
		return
	}
	b.isInvoiced = true
	path := got[0].header.Get("Location") + got[1].header.Get("Location")
	for _, name := range []string{"send", "pay"} {
		l.send(n, l.staff, "POST "+path+"/"+name, "", 200, "Idempotency-Key", name+path)
	}
}

// count adds one to the price of an item, if that is still the version that it has read. It reports whether it was.
func (l *load) count(n, c int) bool {
	read, ok := l.try(n, l.staff, "GET "+l.counters[c], "", 200)
	if !ok || read.status != http.StatusOK {
		return false
	}
	var counter struct {
		Price int64 `json:"price"`
	}
	if err := json.Unmarshal([]byte(read.body), &counter); err != nil {
		l.t.Errorf("%s: %v", read.body, err)
		return false
	}
	l.uncertain[c].Add(1)
	saved, ok := l.try(n, l.staff, "PATCH "+l.counters[c], fmt.Sprintf(`{"price":%d}`, counter.Price+1), 200, "If-Match", read.header.Get("ETag"))
	if !ok {
		return false
	}
	l.uncertain[c].Add(-1)
	if saved.status != http.StatusOK {
		return false
	}
	l.counted[c].Add(1)
	return true
}

// wait waits until each instance has saved some more changes.
func (l *load) wait(instances ...*instance) {
	l.t.Helper()
	for _, i := range instances {
		for _, before := i.writes.read(); l.runs(); time.Sleep(5 * time.Millisecond) {
			if _, now := i.writes.read(); now > before+30 {
				break
			}
		}
	}
	if l.t.Failed() || l.ctx.Err() != nil {
		l.t.Fatalf("the load has ended: %v", l.ctx.Err())
	}
}

// finish ends the load, and compares what each database has with what was acknowledged.
func (l *load) finish() {
	l.t.Helper()
	l.stop.Store(true)
	l.group.Wait()
	if l.ctx.Err() != nil {
		l.t.Fatal("the load took too long")
	}
	for n, i := range l.instances {
		l.checkHistories(n)
		db, err := openDatabase(l.t.Context(), i.db)
		if err != nil {
			l.t.Fatal(err)
		}
		r, err := open(l.t.Context(), db)
		if err == nil {
			err = errors.Join(l.checkBookings(r), l.checkInvoices(r), l.checkCounters(r))
		}
		if err := errors.Join(err, db.Close()); err != nil {
			l.t.Error(err)
		}
	}
	l.t.Logf("%d bookings, %d increments of one counter, %d requests failed", len(l.bookings), l.counted[0].Load(), l.faults.Load())
}

// checkHistories checks that each change of a booking has happened once.
func (l *load) checkHistories(n int) {
	for _, b := range l.bookings {
		var entries []struct {
			Operation string `json:"operation"`
		}
		r := l.send(n, l.staff, "GET "+b.path+"/history", "", 200)
		if err := json.Unmarshal([]byte(r.body), &entries); err != nil {
			l.t.Errorf("the history of %s: %v: %s", b.path, err, r.body)
		}
		var found []string
		for _, each := range entries {
			found = append(found, each.Operation)
		}
		slices.Sort(found)
		slices.Sort(b.operations)
		if !slices.Equal(found, b.operations) {
			l.t.Errorf("the history of %s is %q, want %q", b.path, found, b.operations)
		}
	}
}

// checkBookings checks that there are those bookings that were acknowledged, and that no two of an item overlap.
func (l *load) checkBookings(r *rental) error {
	all, err := r.bookings.List(l.t.Context(), store.Query{})
	if err != nil {
		return err
	}
	there := map[string]*Booking{}
	for n, a := range all.Items {
		there[fmt.Sprint("/api/bookings/", a.ID)] = a
		for _, b := range all.Items[:n] {
			isOver := slices.ContainsFunc([]string{"returned", "cancelled"}, func(s string) bool { return a.Status == s || b.Status == s })
			if a.Item == b.Item && !isOver && a.From.Before(b.To) && b.From.Before(a.To) {
				l.t.Errorf("two bookings of an item overlap: %+v and %+v", a, b)
			}
		}
	}
	for _, want := range l.bookings {
		got := there[want.path]
		if got == nil {
			l.t.Errorf("%s was acknowledged and does not exist", want.path)
		} else if got.From.String() != want.from || got.To.String() != want.to || got.Status != want.status || fmt.Sprint("/api/items/", got.Item) != want.item {
			l.t.Errorf("the booking is %+v, want %+v", got, want)
		}
	}
	const seeded = 3
	if len(there) != len(l.bookings)+seeded {
		l.t.Errorf("there are %d bookings, of which %d were acknowledged", len(there)-seeded, len(l.bookings))
	}
	return nil
}

// checkInvoices checks that each invoice exists once, with its lines.
func (l *load) checkInvoices(r *rental) error {
	invoices, err := r.invoices.List(l.t.Context(), store.Query{})
	lines, err2 := r.lines.List(l.t.Context(), store.Query{})
	if err = errors.Join(err, err2); err != nil {
		return err
	}
	amounts := map[int64]int64{}
	for _, line := range lines.Items {
		amounts[line.Invoice] += line.Amount
	}
	want := 0
	for _, b := range l.bookings {
		if b.isInvoiced {
			want++
		}
	}
	if len(invoices.Items) != want || len(lines.Items) != 2*want {
		l.t.Errorf("there are %d invoices with %d lines, want %d", len(invoices.Items), len(lines.Items), want)
	}
	for _, invoice := range invoices.Items {
		if invoice.Status != "paid" || amounts[invoice.ID] != 230 {
			l.t.Errorf("the invoice is %+v of %d", invoice, amounts[invoice.ID])
		}
	}
	return nil
}

// checkCounters checks that no increment is lost, and that each is a version.
func (l *load) checkCounters(r *rental) error {
	for c, path := range l.counters {
		var id int64
		if _, err := fmt.Sscanf(path, "/api/items/%d", &id); err != nil {
			return err
		}
		item, err := r.items.Get(l.t.Context(), id)
		if err != nil {
			return err
		}
		sum, least, most := item.Price-100, l.counted[c].Load(), l.counted[c].Load()+l.uncertain[c].Load()
		if sum < least || sum > most || item.Version != 1+sum {
			l.t.Errorf("%s has counted %d with version %d, after %d to %d increments", path, sum, item.Version, least, most)
		}
	}
	return nil
}
