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

// newHooked makes the same with a hook, which is told of the request.
func newHooked(items []catalog.Item) (http.Handler, error) {
	return resource.New(resource.Config{}, resource.Of[catalog.Item]{
		Store:   memory.New(items...),
		Prepare: func(context.Context, *operation.Request, *catalog.Item) error { return nil },
	})
}
