package main

import (
	"flag"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
)

var _ = flag.Bool("update", false, "write the golden files anew")

func TestTheServiceIsAsItsDocumentSays(t *testing.T) {
	t.Parallel()
	db, err := open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err := newAPI(db, 0)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(1000))
	openapitest.Golden(t, api, "testdata/openapi.json")
}
