package openapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// mirrored is a store whose reads may be old, and which cannot be written to.
type mirrored struct{ store.Store[Category] }

func (mirrored) Staleness() time.Duration { return 10 * time.Second }

func (mirrored) Transact(context.Context, func(context.Context, store.Tx[Category]) error) error {
	return store.ErrUnavailable
}

func TestPositionsAreDocumentedIfReadsMayBeOld(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		store store.Store[Category]
		is    bool
	}{
		"replicas":    {mirrored{memory.New[Category]()}, true},
		"no replicas": {memory.New[Category](), false},
	} {
		api := mounted(t, resource.Of[Category]{Store: test.store})
		paths := documentOf(t, api).at(t, "paths").(map[string]any)
		for path, methods := range paths {
			for method, operation := range methods.(map[string]any) {
				if method == "parameters" {
					continue
				}
				of := operation.(map[string]any)
				takes := strings.Contains(fmt.Sprint(of["parameters"]), "Trove-Position")
				gives := strings.Contains(fmt.Sprint(of["responses"]), "Trove-Position")
				if reads := method == "get" || method == "query"; takes != (test.is && reads) || gives != (test.is && !reads) {
					t.Errorf("%s: %s %s takes a position: %t, and gives one: %t", name, method, path, takes, gives)
				}
			}
		}
	}
}

func TestAWriteThatMayHaveBeenSavedLeadsToThePrimary(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{Store: mirrored{memory.New[Category]()}})
	w := send(t, api, http.MethodPost, "/api/categories", `{"name":"x"}`)
	if got := w.Header().Get("Trove-Position"); w.Code != http.StatusServiceUnavailable || got != "unknown" {
		t.Errorf("the response %d has the position %q: %s", w.Code, got, w.Body)
	}
}
