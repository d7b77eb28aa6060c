package main

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

var (
	_       = flag.Bool("update", false, "write golden files")
	asStaff = http.Header{"Authorization": {"Bearer staff-token"}}
)

// withOrders returns the API with an order in each state, of which the first has a line.
func withOrders(t *testing.T) *resource.API {
	t.Helper()
	api, err := newAPI()
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"customer":"Ann","lines":[{"product":"Tea"}]}`, `{"customer":"Ben","status":"sent"}`} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/orders", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, r); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	return api
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	accesstest.Matrix(t, withOrders(t), "testdata/access.golden",
		accesstest.Callers{{Name: "anonymous"}, {Name: "staff", Header: asStaff}},
		accesstest.Records{"Order": {"open": "1", "sent": "2"}, "Line": {"open": "1"}})
}

func TestTheAPIConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, withOrders(t), openapitest.As("staff", asStaff), openapitest.Requests(200))
}
