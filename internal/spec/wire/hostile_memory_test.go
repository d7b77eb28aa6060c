package wire_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

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
