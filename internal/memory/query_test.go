package memory_test

import (
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

func TestQueriesConform(t *testing.T) {
	t.Parallel()
	storetest.RunQueries(t, func(*testing.T) store.Store[storetest.Item] { return memory.New[storetest.Item]() })
}
