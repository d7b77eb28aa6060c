package wire_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Crate is a record that accepts any data.
type Crate struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter"`
	Data any    `json:"data"`
}

func crates(t testing.TB) spec.Client {
	t.Helper()
	operations := append(operation.Standard(), operation.Post{Name: "note", URITemplate: "/notes", MaxBodyBytes: 20})
	return spec.NewClient(t, resource.Config{MaxBodyBytes: 100_000}, resource.Of[Crate]{Store: memory.New(Crate{Name: "a"}), Operations: operations})
}

func nested(depth int) string {
	return `{"data":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

// wide returns an object with that many fields and elements in total.
func wide(members int) string {
	return `{"data":[` + strings.Repeat("0,", members-2) + `0]}`
}

// long returns a body of that many bytes.
func long(n int) string { return `{"data":"` + strings.Repeat("x", n-len(`{"data":""}`)) + `"}` }

func TestLimits(t *testing.T) {
	t.Parallel()
	const list = "/api/crates"
	ofURL := 8<<10 - len(list+"name=")
	for _, test := range []spec.Edge{
		{Rule: "as many bytes as allowed", Request: "POST " + list, Body: long(100_000), Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "a byte more", Request: "POST " + list, Body: long(100_001), Header: nil, Status: 413, Fields: nil, Mentions: []string{"100000 bytes"}},
		{Rule: "as many bytes as the operation allows", Request: "POST /api/notes", Body: long(20), Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "a byte more than the operation allows", Request: "POST /api/notes", Body: long(21), Header: nil, Status: 413, Fields: nil, Mentions: []string{"20 bytes"}},
		{Rule: "64 levels", Request: "POST " + list, Body: nested(64), Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "65 levels", Request: "POST " + list, Body: nested(65), Header: nil, Status: 413, Fields: nil, Mentions: []string{"64 levels"}},
		{Rule: "65 levels of a patch", Request: "PATCH " + list + "/1", Body: nested(65), Header: nil, Status: 413, Fields: nil, Mentions: []string{"64 levels"}},
		{Rule: "brackets in a text are no levels", Request: "POST " + list, Body: `{"name":"` + strings.Repeat("[{", 100) + `"}`, Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "10,000 members", Request: "POST " + list, Body: wide(10_000), Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "10,001 members", Request: "POST " + list, Body: wide(10_001), Header: nil, Status: 413, Fields: nil, Mentions: []string{"10000 fields"}},
		{Rule: "commas in a text are no members", Request: "POST " + list, Body: `{"data":"` + strings.Repeat(",", 11_000) + `"}`, Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "an address of 8 KiB", Request: "GET " + list + "?name=" + strings.Repeat("x", ofURL), Body: "", Header: nil, Status: 200, Fields: nil, Mentions: []string{"[]"}},
		{Rule: "an address of more", Request: "GET " + list + "?name=" + strings.Repeat("x", ofURL+1), Body: "", Header: nil, Status: 414, Fields: nil, Mentions: []string{"8192 bytes"}},
		{Rule: "a long address of nothing", Request: "GET /" + strings.Repeat("x", 8<<10), Body: "", Header: nil, Status: 414, Fields: nil, Mentions: nil},
		{Rule: "100 values of a parameter", Request: "GET " + list + "?" + strings.Repeat("name=x&", 100), Body: "", Header: nil, Status: 200, Fields: nil, Mentions: []string{"[]"}},
		{Rule: "101 values of a parameter", Request: "GET " + list + "?" + strings.Repeat("name=x&", 101), Body: "", Header: nil, Status: 400, Fields: nil, Mentions: []string{"name must be given at most 100 times"}},
		{Rule: "a number beyond all numbers", Request: "POST " + list, Body: `{"id":1e999999,"name":"x"}`, Header: nil, Status: 201, Fields: nil, Mentions: nil}, // it is never read
	} {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, crates, func(w spec.Wire) { test.Play(w, list) })
		})
	}
}

func TestLimitsOfBodiesOfUnknownLength(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, crates, func(w spec.Wire) {
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
			r := w.Request(test.request, test.body)
			r.ContentLength, r.GetBody = -1, nil
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader(test.body)))
			if a := w.Do(r).HasStatus(test.status); test.status != 201 {
				a.IsProblem(test.status)
			}
		}
		w.Send("GET /api/crates", "").HasStatus(200).Has("X-Total-Count", "3")
	})
}

// slowly serves an operation that waits until its time is over.
func slowly(timeout time.Duration) func(t testing.TB) spec.Client {
	return func(t testing.TB) spec.Client {
		t.Helper()
		waiting := func(ctx context.Context, c *Crate, _ struct{}) (Crate, error) {
			c.Name = "late"
			<-ctx.Done()
			return *c, nil // a response, but too late
		}
		refusing := func(ctx context.Context, _ *Crate, _ struct{}) (Crate, error) {
			<-ctx.Done()
			return Crate{}, ctx.Err()
		}
		return spec.NewClient(t, resource.Config{}, resource.Of[Crate]{
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

func TestLateBodiesAreRejectedAndSaveNothing(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, slowly(20*time.Millisecond), func(w spec.Wire) {
		for _, request := range []string{"POST /api/crates/1/wait", "POST /api/crates/1/give", "GET /api/crates/1/look"} {
			w.Send(request, "").IsProblem(503).Has("Retry-After", "1").Mentions("took too long")
			w.Send("GET /api/crates/1", "").HasStatus(200).Mentions(`"name":"a"`)
		}
	})
}

func TestABodyThatIsLateIs408(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, slowly(50*time.Millisecond), func(w spec.Wire) {
		body, end := io.Pipe()
		r := w.Request("POST /api/crates", `{}`)
		r.Body, r.ContentLength, r.GetBody = body, -1, nil
		go func() { _, _ = io.WriteString(end, `{"name":`) }() // and no more
		w.Do(r).IsProblem(408).Mentions("in time")
		_ = end.Close()
		w.Send("GET /api/crates", "").HasStatus(200).Has("X-Total-Count", "1")
	})
}

func TestTooManyConcurrentRequestsAreRejected(t *testing.T) {
	t.Parallel()
	for major := 1; major <= 2; major++ {
		running, goOn := make(chan struct{}), make(chan struct{})
		busy := func(context.Context, *Crate, struct{}) (string, error) {
			running <- struct{}{}
			<-goOn
			return "done", nil
		}
		w := spec.NewWire(t, spec.NewClient(t, resource.Config{MaxConcurrent: 1}, resource.Of[Crate]{Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Get{Name: "busy", URITemplate: "/busy", Handler: operation.Handle(busy)},
		}}).Handler, major)
		first := make(chan spec.Response, 1)
		go func() { first <- w.Send("GET /api/busy", "") }()
		<-running
		w.Send("GET /api/crates", "").IsProblem(503).Has("Retry-After", "1")
		w.Send("POST /api/crates", `{"name":"x"}`).IsProblem(503).Has("Retry-After", "1")
		w.Send("OPTIONS /api/crates", "").Is(http.StatusNoContent, "")
		close(goOn)
		(<-first).Is(200, `"done"`)
	}
}
