package password

import (
	"context"
	"time"

	"github.com/trove-api/trove/internal/passwords"
)

// Occupy makes other calls wait until release is called.
func (h *Hasher) Occupy() (release func()) {
	_, _ = h.sum(context.Background(), "", passwords.Hash{Costs: passwords.Costs{Memory: 8, Passes: 1, Threads: 1}}, passwords.SumBytes) // makes the places
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
func (h *Hasher) Observe(observe func(passwords.Costs)) { h.observe = observe }

// Entries is the maximum number of entries.
const Entries = entries

// Fill counts ten failures of one key, and then one failure of each of many others. It returns how long the first key still
// has to wait, and the largest number of entries.
func Fill(others int) (wait time.Duration, most int) {
	f, now := failures{}, time.Now()
	f.add(0, now, ofPair, ofPair.most)
	for i := range others {
		f.add(uint64(i+1), now, ofPair, 1)
		most = max(most, len(f))
	}
	return f.wait(0, now, ofPair), most
}

// Normal returns the normal form of a name.
func Normal(name string) string { return normal(name) }
