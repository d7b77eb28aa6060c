package main

import (
	"context"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

var (
	_       = flag.Bool("update", false, "write golden files")
	asStaff = http.Header{"Authorization": {"Bearer staff-token"}}
)

// withBookings returns the API with a booking in each of some states.
func withBookings(t *testing.T, statuses ...string) *resource.API {
	t.Helper()
	bookings := memory.New[Booking]()
	for _, status := range statuses {
		err := bookings.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Booking]) error {
			return tx.Insert(ctx, &Booking{Item: "Canoe", Status: status})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	api, err := newAPI(bookings)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	accesstest.Matrix(t, withBookings(t, "requested", "approved", "returned"), "testdata/access.golden",
		accesstest.Callers{{Name: "anonymous"}, {Name: "staff", Header: asStaff}},
		accesstest.Records{"Booking": {"requested": "1", "approved": "2", "returned": "3"}})
}

func TestTheAPIConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, withBookings(t), openapitest.As("staff", asStaff), openapitest.Requests(200))
}

func TestTheRoutesAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	var routes strings.Builder
	if err := withBookings(t).WriteRoutes(&routes); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	if routes.String() != string(want) {
		t.Errorf("the routes are\n%s\nwant\n%s", routes.String(), want)
	}
}
