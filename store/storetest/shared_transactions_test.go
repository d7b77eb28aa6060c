package storetest_test

import (
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

func TestStoresThatDoNotShareTransactionsAreNoticed(t *testing.T) {
	t.Parallel()
	broken := storetest.JointBreaks(t, func() (store.Store[storetest.Record], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
		return memory.New[storetest.Record](), memory.New[storetest.Keyed](), memory.New[storetest.Token]()
	})
	notices(t, broken,
		"one transaction changes three stores",
		"a transaction over three stores that fails, panics or is cancelled saves nothing",
		"a transaction over three stores fails if one that joined it fails",
		"if one of three stores cannot save a value, nothing is saved",
	)
}
