//go:build !race

package resource_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Jewel has what most records have: an identifier, texts, numbers, times and rules.
type Jewel struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name" validate:"required,max=100" api:"filter=exact"`
	Category string    `json:"category" validate:"oneof=ring crown"`
	Email    string    `json:"email" validate:"email"`
	Carats   int       `json:"carats" validate:"gte=0,lte=1000"`
	Rating   int       `json:"rating" validate:"gte=0,lte=5"`
	Sold     bool      `json:"sold"`
	Made     time.Time `json:"made" api:"created"`
}

const (
	jewel      = `{"name":"Star","category":"crown","email":"hoard@example.com","carats":4,"rating":5,"sold":true}`
	wrongJewel = `{"name":"","category":"spoon","email":"nobody","carats":-1,"rating":9,"sold":true}`
)

// TestAllocations guards what requests allocate: what is kept, the fields of the answer, and
// little more. The race detector empties pools, which the figures rest on.
//
//nolint:paralleltest // AllocsPerRun counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	prepare := func(context.Context, *operation.Request, *Jewel) error { return nil }
	jewels := slices.Repeat([]Jewel{{Name: "Moon", Category: "ring", Email: "hoard@example.com"}}, 1000)
	plain := newClient(t, resource.Config{}, resource.Of[Jewel]{Store: memory.New(jewels...)})
	hooked := newClient(t, resource.Config{}, resource.Of[Jewel]{Store: memory.New(jewels...), Prepare: prepare})
	for _, test := range []struct {
		name          string
		api           client
		request, body string
		status        int
		most          float64
	}{
		{"a record", plain, "GET /api/jewels/500", "", 200, 3},
		{"a record that is not there", plain, "GET /api/jewels/5000", "", 404, 1},
		{"a page", plain, "GET /api/jewels?page=3", "", 200, 4},
		{"a page of a filter", plain, "GET /api/jewels?page=2&name=Moon", "", 200, 8},
		{"a page of a filter with a space", plain, "GET /api/jewels?page=2&name=Full%20Moon", "", 200, 9},
		{"a page behind a cursor", plain, "GET /api/jewels?cursor=", "", 200, 16},
		{"a creation", plain, "POST /api/jewels", jewel, 201, 11},
		{"a creation that breaks five rules", plain, "POST /api/jewels", wrongJewel, 400, 12},
		{"a patch", plain, "PATCH /api/jewels/500", `{"carats":7,"rating":2}`, 200, 6},
		{"a put", plain, "PUT /api/jewels/500", jewel, 200, 7},
		{"a patch with a hook", hooked, "PATCH /api/jewels/500", `{"carats":7,"rating":2}`, 200, 13},
	} {
		send, status := repeated(t, test.request, test.body)
		allocs := testing.AllocsPerRun(200, func() { send(test.api.handler) })
		if *status != test.status || allocs > test.most {
			t.Errorf("%s is answered %d and allocates %v times; want %d and at most %v", test.name, *status, allocs, test.status, test.most)
		}
	}
}

// repeated returns what sends a request without allocating anything itself, and where the
// status of the answer is.
func repeated(t testing.TB, request, body string) (send func(http.Handler), status *int) {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	content := strings.NewReader(body)
	pattern, err := http.NewRequestWithContext(t.Context(), method, target, io.NopCloser(content))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		pattern.Header.Set("Content-Type", "application/json")
	}
	pattern.ContentLength = int64(len(body))
	again, w := new(http.Request), &quietWriter{header: http.Header{}}
	return func(api http.Handler) {
		*again = *pattern
		content.Reset(body)
		clear(w.header)
		api.ServeHTTP(w, again)
	}, &w.status
}

// quietWriter forgets what is written.
type quietWriter struct {
	header http.Header
	status int
}

func (w *quietWriter) Header() http.Header            { return w.header }
func (w *quietWriter) WriteHeader(status int)         { w.status = status }
func (w *quietWriter) Write(text []byte) (int, error) { return len(text), nil }
