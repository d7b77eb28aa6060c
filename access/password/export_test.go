package password

import "context"

// Occupy makes other calls wait until release is called.
func (h *Hasher) Occupy() (release func()) {
	_, _ = h.sum(context.Background(), "", hash{memory: 8, passes: 1, threads: 1}, sumBytes) // makes the places
	for range cap(h.places) {
		h.places <- struct{}{}
	}
	return func() {
		for range cap(h.places) {
			<-h.places
		}
	}
}
