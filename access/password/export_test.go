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
