package aggregates_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestTheTableOfPermissionsHasAggregates(t *testing.T) {
	t.Parallel()
	key := access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil })
	rules := spec.Open()
	rules.Read = access.Authenticated
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{key}}, resource.Of[booking]{ShortName: "Thing", Operations: []operation.Operation{operation.Aggregate{}}, Access: rules})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "access.golden")
	want := "aggregateThings  -       401        200"
	accesstest.Matrix(t, api, file, accesstest.Callers{{Name: "anonymous"}, {Name: "ann", Header: http.Header{"X-Api-Key": {"ann"}}}}, nil)
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v: %s", err, text)
	}
}
