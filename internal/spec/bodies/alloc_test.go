//go:build !race

package bodies_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/spec"
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

// TestAllocations limits what requests allocate: what is stored, the header fields of the response, and little
// more. A write copies the blocks of the store's tree that it changes. The race detector empties pools, on which the
// numbers depend.
//
//nolint:paralleltest // counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	prepare := func(context.Context, *operation.Request, *Jewel) error { return nil }
	jewels := slices.Repeat([]Jewel{{Name: "Moon", Category: "ring", Email: "hoard@example.com"}}, 1000)
	plain := spec.NewClient(t, resource.Config{}, resource.Of[Jewel]{Store: memory.New(jewels...)})
	hooked := spec.NewClient(t, resource.Config{}, resource.Of[Jewel]{Store: memory.New(jewels...), Prepare: prepare})
	idle := func(next http.Handler) http.Handler { return next }
	within := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{idle}}, resource.Of[Jewel]{Store: memory.New(jewels...)})
	for _, test := range []struct {
		name          string
		api           spec.Client
		request, body string
		status        int
		most          float64
		bytes         uint64 // at most, of which each costs the collector about a nanosecond
	}{
		{"a record", plain, "GET /api/jewels/500", "", 200, 3, 90},
		{"a record that is not there", plain, "GET /api/jewels/5000", "", 404, 1, 30},
		{"a page", plain, "GET /api/jewels?page=3", "", 200, 4, 800},
		{"a page of a filter", plain, "GET /api/jewels?page=2&name=Moon", "", 200, 9, 1100},
		{"a page of a filter with a space", plain, "GET /api/jewels?page=2&name=Full%20Moon", "", 200, 12, 1100},
		{"a page behind a cursor", plain, "GET /api/jewels?cursor=", "", 200, 16, 1400},
		{"a creation", plain, "POST /api/jewels", jewel, 201, 15, 1350},
		{"a creation that breaks five rules", plain, "POST /api/jewels", wrongJewel, 400, 9, 1500},
		{"a patch", plain, "PATCH /api/jewels/500", `{"carats":7,"rating":2}`, 200, 12, 1250},
		{"a put", plain, "PUT /api/jewels/500", jewel, 200, 15, 1350},
		{"a record behind a middleware", within, "GET /api/jewels/500", "", 200, 4, 500},
		{"no record behind a middleware", within, "GET /api/jewels/5000", "", 404, 2, 430},
		{"a patch with a hook", hooked, "PATCH /api/jewels/500", `{"carats":7,"rating":2}`, 200, 14, 1500},
	} {
		send, status := spec.Repeated(t, test.request, test.body)
		allocs, bytes := alloctest.Count(200, func() { send(test.api.Handler) })
		if *status != test.status || allocs > test.most || bytes > test.bytes {
			t.Errorf("%s returns %d and allocates %v times, %d bytes; want %d and at most %v, %d bytes",
				test.name, *status, allocs, bytes, test.status, test.most, test.bytes)
		}
	}
}
