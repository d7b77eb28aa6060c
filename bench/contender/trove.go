package contender

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func newTrove(items []catalog.Item) (http.Handler, error) {
	return resource.New(resource.Config{}, resource.Of[catalog.Item]{Store: memory.New(items...)})
}

// newHooked is the same with a hook.
func newHooked(items []catalog.Item) (http.Handler, error) {
	return troveHooked(items)
}

// newBoth is the same with a hook and a middleware.
func newBoth(items []catalog.Item) (http.Handler, error) {
	return troveHooked(items, middleware)
}

func troveHooked(items []catalog.Item, middleware ...func(http.Handler) http.Handler) (http.Handler, error) {
	return resource.New(resource.Config{Middleware: middleware}, resource.Of[catalog.Item]{
		Store: memory.New(items...),
		Prepare: func(ctx context.Context, req *operation.Request, item *catalog.Item) error {
			return hook(ctx, req.Variables()["id"], item.Name, item.Category)
		},
	})
}
