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
	return resource.New(resource.Config{}, resource.Of[catalog.Item]{
		Store:   memory.New(items...),
		Prepare: stamp,
	})
}

// stamp sets the time at which an item is made.
func stamp(_ context.Context, req *operation.Request, item *catalog.Item) error {
	if req.Previous == nil {
		item.CreatedAt = catalog.Now()
	}
	return nil
}
