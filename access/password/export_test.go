package password

import (
	"context"

	"github.com/trove-api/trove/internal/passwords"
)

// Occupy makes other calls wait until release is called.
func (h *Hasher) Occupy() (release func()) {
	_, _ = h.sum(context.Background(), "", passwords.Hash{Memory: 8, Passes: 1, Threads: 1}, passwords.SumBytes) // makes the places
	for range cap(h.places) {
		h.places <- struct{}{}
	}
	return func() {
		for range cap(h.places) {
			<-h.places
		}
	}
}

// Observe calls a function with the costs of each computation. Call it before the first one.
func (h *Hasher) Observe(observe func(memory, passes uint32)) { h.observe = observe }
