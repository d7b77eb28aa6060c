package storetest_test

import (
	"slices"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

func TestStoresThatDoNotShareTransactionsAreNoticed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("stores that do not share wait for each other until they give up")
	}
	broken := storetest.JointBreaks(t, func() (store.Store[storetest.Record], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
		return memory.New[storetest.Record](), memory.New[storetest.Keyed](), memory.New[storetest.Token]()
	})
	for _, want := range []string{
		"three stores are changed by one transaction",
		"a transaction of three stores that fails saves nothing in any",
		"a transaction of three stores fails when one that joined it does",
		"a transaction of three stores that panics saves nothing in any",
		"a transaction of three stores that is cancelled saves nothing in any",
		"a value that one of three stores cannot save keeps all from being saved",
	} {
		if !slices.Contains(broken, want) {
			t.Errorf("the rule %q does not notice", want)
		}
	}
}
