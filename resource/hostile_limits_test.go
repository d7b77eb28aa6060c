package resource_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Crate is a record that takes whatever is put into it.
type Crate struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter"`
	Data any    `json:"data"`
}

func crates(t testing.TB) client {
	t.Helper()
	operations := append(operation.Standard(), operation.Post{Name: "note", URITemplate: "/notes", MaxBodyBytes: 20})
	return newClient(t, resource.Config{MaxBodyBytes: 100_000}, resource.Of[Crate]{Store: memory.New(Crate{Name: "a"}), Operations: operations})
}

func nested(depth int) string {
	return `{"data":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

// wide returns an object with as many members and elements in all.
func wide(members int) string {
	return `{"data":[` + strings.Repeat("0,", members-2) + `0]}`
}

// long returns a body of as many bytes.
func long(n int) string { return `{"data":"` + strings.Repeat("x", n-len(`{"data":""}`)) + `"}` }

func TestLimits(t *testing.T) {
	t.Parallel()
	const list = "/api/crates"
	ofURL := 8<<10 - len(list+"name=")
	for _, test := range []edge{
		{"as many bytes as allowed", "POST " + list, long(100_000), nil, 201, nil, nil},
		{"a byte more", "POST " + list, long(100_001), nil, 413, nil, []string{"100000 bytes"}},
		{"as many bytes as the operation allows", "POST /api/notes", long(20), nil, 201, nil, nil},
		{"a byte more than the operation allows", "POST /api/notes", long(21), nil, 413, nil, []string{"20 bytes"}},
		{"64 levels", "POST " + list, nested(64), nil, 201, nil, nil},
		{"65 levels", "POST " + list, nested(65), nil, 413, nil, []string{"64 levels"}},
		{"65 levels of a patch", "PATCH " + list + "/1", nested(65), nil, 413, nil, []string{"64 levels"}},
		{"brackets in a text are no levels", "POST " + list, `{"name":"` + strings.Repeat("[{", 100) + `"}`, nil, 201, nil, nil},
		{"10,000 members", "POST " + list, wide(10_000), nil, 201, nil, nil},
		{"10,001 members", "POST " + list, wide(10_001), nil, 413, nil, []string{"10000 members"}},
		{"commas in a text are no members", "POST " + list, `{"data":"` + strings.Repeat(",", 11_000) + `"}`, nil, 201, nil, nil},
		{"an address of 8 KiB", "GET " + list + "?name=" + strings.Repeat("x", ofURL), "", nil, 200, nil, []string{"[]"}},
		{"an address of more", "GET " + list + "?name=" + strings.Repeat("x", ofURL+1), "", nil, 414, nil, []string{"8192 bytes"}},
		{"a long address of nothing", "GET /" + strings.Repeat("x", 8<<10), "", nil, 414, nil, nil},
		{"100 values of a parameter", "GET " + list + "?" + strings.Repeat("name=x&", 100), "", nil, 200, nil, []string{"[]"}},
		{"101 values of a parameter", "GET " + list + "?" + strings.Repeat("name=x&", 101), "", nil, 400, nil, []string{"name is given too often"}},
		{"a number beyond all numbers", "POST " + list, `{"id":1e999999,"name":"x"}`, nil, 201, nil, nil}, // nobody reads it
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, crates, func(w wire) { test.play(w, list) })
		})
	}
}

func TestLimitsOfBodiesWhoseLengthIsNotSaid(t *testing.T) {
	t.Parallel()
	overTheWire(t, crates, func(w wire) {
		for _, test := range []struct {
			request, body string
			status        int
		}{
			{"POST /api/crates", long(100_001), 413},
			{"POST /api/crates", long(3_000_000), 413},
			{"POST /api/notes", long(21), 413},
			{"POST /api/notes", long(20), 201},
			{"POST /api/crates", nested(65), 413},
			{"POST /api/crates", long(100_000), 201},
		} {
			r := w.request(test.request, test.body)
			r.ContentLength, r.GetBody = -1, nil
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader(test.body)))
			if a := w.do(r).hasStatus(test.status); test.status != 201 {
				a.isProblem(test.status)
			}
		}
		w.send("GET /api/crates", "").hasStatus(200).has("X-Total-Count", "3")
	})
}

// slowly serves an operation that waits until its time is over.
func slowly(timeout time.Duration) func(t testing.TB) client {
	return func(t testing.TB) client {
		t.Helper()
		waiting := func(ctx context.Context, c *Crate, _ struct{}) (Crate, error) {
			c.Name = "late"
			<-ctx.Done()
			return *c, nil // an answer all the same: it comes too late
		}
		refusing := func(ctx context.Context, _ *Crate, _ struct{}) (Crate, error) {
			<-ctx.Done()
			return Crate{}, ctx.Err()
		}
		return newClient(t, resource.Config{}, resource.Of[Crate]{
			Timeout: timeout, Store: memory.New(Crate{Name: "a"}),
			Operations: []operation.Operation{
				operation.Get{Timeout: -1},
				operation.GetCollection{Timeout: -1},
				operation.Post{},
				operation.Post{Name: "wait", URITemplate: "/crates/{id}/wait", Handler: operation.Handle(waiting)},
				operation.Post{Name: "give", URITemplate: "/crates/{id}/give", Handler: operation.Handle(refusing)},
				operation.Get{Name: "look", URITemplate: "/crates/{id}/look", Handler: operation.Handle(refusing)},
			},
		})
	}
}

func TestWhatTakesTooLongIsRefusedAndSavesNothing(t *testing.T) {
	t.Parallel()
	overTheWire(t, slowly(20*time.Millisecond), func(w wire) {
		for _, request := range []string{"POST /api/crates/1/wait", "POST /api/crates/1/give", "GET /api/crates/1/look"} {
			w.send(request, "").isProblem(503).has("Retry-After", "1").mentions("took too long")
			w.send("GET /api/crates/1", "").hasStatus(200).mentions(`"name":"a"`)
		}
	})
}

func TestABodyThatIsLateIs408(t *testing.T) {
	t.Parallel()
	overTheWire(t, slowly(50*time.Millisecond), func(w wire) {
		body, end := io.Pipe()
		r := w.request("POST /api/crates", `{}`)
		r.Body, r.ContentLength, r.GetBody = body, -1, nil
		go func() { _, _ = io.WriteString(end, `{"name":`) }() // and no more
		w.do(r).isProblem(408).mentions("in time")
		_ = end.Close()
		w.send("GET /api/crates", "").hasStatus(200).has("X-Total-Count", "1")
	})
}

func TestWhatIsTooMuchAtOnceIsRefused(t *testing.T) {
	t.Parallel()
	for major := 1; major <= 2; major++ {
		running, goOn := make(chan struct{}), make(chan struct{})
		busy := func(context.Context, *Crate, struct{}) (string, error) {
			running <- struct{}{}
			<-goOn
			return "done", nil
		}
		w := newWire(t, newClient(t, resource.Config{MaxConcurrent: 1}, resource.Of[Crate]{Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Get{Name: "busy", URITemplate: "/busy", Handler: operation.Handle(busy)},
		}}).handler, major)
		first := make(chan answer, 1)
		go func() { first <- w.send("GET /api/busy", "") }()
		<-running
		w.send("GET /api/crates", "").isProblem(503).has("Retry-After", "1")
		w.send("POST /api/crates", `{"name":"x"}`).isProblem(503).has("Retry-After", "1")
		w.send("OPTIONS /api/crates", "").is(http.StatusNoContent, "")
		close(goOn)
		(<-first).is(200, `"done"`)
	}
}
