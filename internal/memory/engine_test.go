package memory_test

import (
	untyped "github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
)

// engine returns the untyped store.
func engine(of model.Holder) *untyped.Store {
	found, _ := model.Untyped(of)
	return found.(*untyped.Store)
}

// together makes stores share transactions, as those of one API do.
func together(first model.Holder, others ...model.Holder) {
	for _, other := range others {
		model.LinkerOf(first).Join(model.LinkerOf(other))
	}
}

// refer declares that a field of one store's records references another's.
func refer(from model.Holder, field string, to model.Holder) error {
	return model.LinkerOf(from).Refer(field, model.LinkerOf(to))
}
