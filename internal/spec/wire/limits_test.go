package wire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
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
	for _, test := range []edge{
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
			spec.OverTheWire(t, crates, func(w spec.Wire) { test.play(w, list) })
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

// Ledger accepts strings from clients in every possible way.
type Ledger struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"max=10" api:"filter=partial,sort,search"`
	Kind   string            `json:"kind" validate:"omitempty,oneof=a b" api:"filter=exact"`
	Count  int               `json:"count" api:"filter=range,sort"`
	Rate   float64           `json:"rate"`
	Words  []string          `json:"words" validate:"unique"`
	Labels map[string]string `json:"labels"`
	Any    any               `json:"any"`
	Mail   string            `json:"mail" validate:"omitempty,email"`
	Page   string            `json:"page" validate:"omitempty,url"`
}

// TestWhatATextOfAClientCostsIsLinear sends each text twice, the second one four times as long, and compares the
// memory. Times vary too much on a busy machine, but quadratic memory shows.
//
//nolint:paralleltest // others would allocate meanwhile
func TestWhatATextOfAClientCostsIsLinear(t *testing.T) {
	api := spec.NewClient(t, resource.Config{MaxURLBytes: 1 << 20, MaxBodyValues: 1 << 20, MaxBodyDepth: 9_000},
		resource.Of[Ledger]{SparseFields: true, RequirePrecondition: false})
	api.Send("POST /api/ledgers", `{"any":{"a":{"b":1}}}`).HasStatus(201)
	repeat := strings.Repeat
	numbered := func(n int, before, behind string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(before)
			for ; i > 0; i /= 26 {
				b.WriteByte('a' + byte(i%26))
			}
			b.WriteString(behind)
		}
		return b.String()
	}
	const query, post, patch = "GET /api/ledgers?", "POST /api/ledgers", "PATCH /api/ledgers/1"
	for name, send := range map[string]func(n int) spec.Response{
		"a long unknown parameter":     func(n int) spec.Response { return api.Send(query+repeat("x", n)+"=1", "") },
		"many unknown parameters":      func(n int) spec.Response { return api.Send(query+numbered(n/4, "x", "&"), "") },
		"a known parameter many times": func(n int) spec.Response { return api.Send(query+repeat("kind=a&", n/8), "") },
		"escapes":                      func(n int) spec.Response { return api.Send(query+"name="+repeat("%2B", n/3), "") },
		"fields":                       func(n int) spec.Response { return api.Send(query+"fields=name"+repeat(",name", n/5), "") },
		"sort":                         func(n int) spec.Response { return api.Send(query+"sort=name"+repeat(",-name", n/6), "") },
		"a search":                     func(n int) spec.Response { return api.Send(query+"q="+repeat("a+", n/2), "") },
		"a filter":                     func(n int) spec.Response { return api.Send(query+"name="+repeat("a", n), "") },
		"a range":                      func(n int) spec.Response { return api.Send(query+"count[between]="+repeat("1..", n/3), "") },
		"a number in a filter":         func(n int) spec.Response { return api.Send(query+"count[gte]=1"+repeat("0", n), "") },
		"a cursor":                     func(n int) spec.Response { return api.Send(query+"cursor="+repeat("A", n), "") },
		"a path of suffixes":           func(n int) spec.Response { return api.Send("GET /api/ledgers/1"+repeat(".json", n/5), "") },
		"a path of slashes":            func(n int) spec.Response { return api.Send("GET /api"+repeat("/a", n/2), "") },
		"Accept": func(n int) spec.Response {
			return api.Send("GET /api/ledgers", "", "Accept", repeat("a/b;q=0.1,", n/10))
		},
		"parameters in Accept": func(n int) spec.Response { return api.Send("GET /api/ledgers", "", "Accept", "a/b"+repeat(";q", n/2)) },
		"If-None-Match": func(n int) spec.Response {
			return api.Send("GET /api/ledgers", "", "If-None-Match", repeat(`"a",`, n/4))
		},
		"If-Match": func(n int) spec.Response { return api.Send(patch, `{}`, "If-Match", repeat(`W/"a",`, n/6)) },
		"Content-Type": func(n int) spec.Response {
			return api.Send(post, `{}`, "Content-Type", "application/json"+numbered(n/8, ";x", "=y"))
		},
		"zeros of a number":    func(n int) spec.Response { return api.Send(post, `{"count":1.`+repeat("0", n)+`}`) },
		"an exponent":          func(n int) spec.Response { return api.Send(post, `{"count":1e`+repeat("9", n)+`}`) },
		"digits of a fraction": func(n int) spec.Response { return api.Send(post, `{"rate":0.`+repeat("9", n)+`}`) },
		"nested arrays":        func(n int) spec.Response { return api.Send(post, `{"any":`+repeat("[", n/256)+repeat("]", n/256)+`}`) },
		"nested objects": func(n int) spec.Response {
			return api.Send(post, `{"any":`+repeat(`{"a":`, n/256)+"1"+repeat("}", n/256)+`}`)
		},
		"nested where nothing is": func(n int) spec.Response { return api.Send(post, `{"x":`+repeat(`[`, n/256)+repeat("]", n/256)+`}`) },
		"one name many times":     func(n int) spec.Response { return api.Send(post, `{`+repeat(`"name":"a",`, n/11)+`"count":1}`) },
		"many unknown names":      func(n int) spec.Response { return api.Send(post, `{`+numbered(n/8, `"x`, `":1,`)+`"count":1}`) },
		"many names of one map": func(n int) spec.Response {
			return api.Send(post, `{"labels":{`+numbered(n/8, `"x`, `":"",`)+`"":"a"}}`)
		},
		"a merge patch": func(n int) spec.Response {
			return api.Send(patch, `{"any":{"a":{`+numbered(n/8, `"x`, `":null,`)+`"y":1}}}`)
		},
		"elements that must be unique": func(n int) spec.Response { return api.Send(post, `{"words":[`+numbered(n/8, `"x`, `",`)+`""]}`) },
		"a text that is no address":    func(n int) spec.Response { return api.Send(post, `{"mail":"`+repeat("a.", n/2)+`@b"}`) },
		"a text that is no link":       func(n int) spec.Response { return api.Send(post, `{"page":"http://`+repeat("%41[", n/4)+`"}`) },
		"escapes in a text":            func(n int) spec.Response { return api.Send(post, `{"name":"`+repeat(`\u00e9`, n/6)+`"}`) },
		"a body that ends":             func(n int) spec.Response { return api.Send(post, repeat(`{"any":`, n/64)) },
	} {
		took := func(n int) uint64 {
			least := ^uint64(0)
			for range 3 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if got := send(n); got.Status >= 500 {
					t.Fatalf("%s returns %d: %s", name, got.Status, got.Body)
				}
				runtime.ReadMemStats(&after)
				least = min(least, after.TotalAlloc-before.TotalAlloc)
			}
			return least
		}
		const size = 1 << 14
		if short, long := took(size), took(4*size); long > 8*short+1<<15 {
			t.Errorf("%s: %d bytes take %d, four times as many %d", name, size, short, long)
		}
	}
}

// trickle is a body that comes in small pieces. It records the size of the buffers that it is read into, because
// the request has allocated them.
type trickle struct {
	text     string
	came     int
	piece    int
	overdone int // the greatest buffer beyond twice what had come
}

func (b *trickle) Read(room []byte) (int, error) {
	b.overdone = max(b.overdone, b.came+len(room)-2*b.came)
	n := copy(room[:min(len(room), b.piece)], b.text[b.came:])
	b.came += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (*trickle) Close() error { return nil }

// vats are crates that accept long bodies.
func vats(t testing.TB) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{MaxBodyBytes: 8 << 20}, resource.Of[Crate]{
		Store: memory.New(Crate{Name: "a"}), Operations: operation.Standard(),
	})
}

// send sends a body with a declared length, -1 for unknown.
func (b *trickle) send(c spec.Client, request string, declared int64) spec.Response {
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.T.Context(), method, target, http.NoBody)
	r.Body, r.ContentLength = b, declared
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.Handler.ServeHTTP(w, r)
	return spec.Response{T: c.T, Status: w.Code, Header: w.Header(), Body: ""}
}

func TestTheMemoryOfABodyGrowsWithWhatHasCome(t *testing.T) {
	t.Parallel()
	const most = 4 << 10
	for _, test := range []struct {
		rule, request  string
		declared, sent int
		status         int
	}{
		{"a long body that never comes", "POST /api/crates", 8 << 20, 0, 400},
		{"a long body of which little comes", "PUT /api/crates/1", 8 << 20, 100, 400},
		{"a long body of which half comes", "PATCH /api/crates/1", 1 << 20, 1 << 19, 400},
		{"a long body", "POST /api/crates", 1 << 20, 1 << 20, 201},
		{"a long body of unknown length", "PATCH /api/crates/1", -1, 1 << 20, 200},
		{"a short body", "PATCH /api/crates/1", 20, 20, 200},
		{"the longest body", "POST /api/crates", 8 << 20, 8 << 20, 201},
		{"more than the longest body", "POST /api/crates", -1, 9 << 20, 413},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			text := long(max(test.sent, test.declared, 20))[:test.sent]
			body := &trickle{text: text, piece: 10_000}
			body.send(vats(t), test.request, int64(test.declared)).HasStatus(test.status)
			if body.overdone > most {
				t.Errorf("the body was given %d bytes of room beyond twice what had come, want %d at most", body.overdone, most)
			}
		})
	}
}

// TestTheMemoryOfALongBodyIsReleased checks the buffer of the next request.
func TestTheMemoryOfALongBodyIsReleased(t *testing.T) {
	t.Parallel()
	c := vats(t)
	for range 20 {
		(&trickle{text: long(1 << 20), piece: 1 << 20}).send(c, "POST /api/crates", 1<<20).HasStatus(201)
		next := &trickle{text: `{"name":"x"}`, piece: 12}
		if next.send(c, "POST /api/crates", 12).HasStatus(201); next.overdone > 64<<10 {
			t.Fatalf("a short body is read into %d bytes", next.overdone)
		}
	}
}
