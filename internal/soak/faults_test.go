package soak_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// These are the planted faults, as they are logged.
const (
	unreachable  = "planted: the store is out of reach"
	failing      = "planted: the store fails"
	panicking    = "planted: the store panics"
	stalling     = "planted: the store does not answer"
	spoiled      = "planted: the transaction fails after the work"
	spoiledPanic = "planted: the transaction panics after the work"
	preparePanic = "planted: Prepare panics"
	saveFails    = "planted: the processor fails after the save"
	savePanics   = "planted: the processor panics after the save"
)

// allFaults are the faults that the log must contain at the end.
var allFaults = []string{
	unreachable, failing, panicking, stalling, spoiled, spoiledPanic, preparePanic, saveFails, savePanics,
}

// A mark with one of these prefixes makes a hook fail.
var traps = map[string]string{
	"trap-prepare-": preparePanic,
	"trap-fail-":    saveFails,
	"trap-panic-":   savePanics,
}

// faults plants faults: one of each kind in a number of calls.
type faults struct {
	armed   atomic.Bool
	before  atomic.Int64 // calls of a store
	after   atomic.Int64 // transactions at their end
	mu      sync.Mutex
	planted map[string]int
}

func newFaults() *faults { return &faults{planted: map[string]int{}} }

// plant counts a fault, and returns its text.
func (f *faults) plant(kind string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planted[kind]++
	return kind
}

func (f *faults) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.planted[kind]
}

// strike is called at the beginning of each call of a store.
func (f *faults) strike(ctx context.Context) error {
	if !f.armed.Load() {
		return nil
	}
	switch n := f.before.Add(1); {
	case n%89 == 0:
		return fmt.Errorf("%s: %w", f.plant(unreachable), store.ErrUnavailable)
	case n%97 == 0:
		return errors.New(f.plant(failing))
	case n%101 == 0:
		panic(f.plant(panicking))
	case n%701 == 200: // occupies a place until the operation times out
		f.plant(stalling)
		<-ctx.Done()
		return fmt.Errorf("%s: %w", stalling, ctx.Err())
	}
	return nil
}

// spoil is called at the end of each transaction, which must then be rolled back.
func (f *faults) spoil() error {
	if !f.armed.Load() {
		return nil
	}
	switch n := f.after.Add(1); {
	case n%53 == 0:
		return errors.New(f.plant(spoiled))
	case n%59 == 0:
		panic(f.plant(spoiledPanic))
	}
	return nil
}

// prepare panics for marked records.
func (f *faults) prepare(mark string) {
	if strings.HasPrefix(mark, "trap-prepare-") {
		panic(f.plant(preparePanic))
	}
}

// save saves a record, and then fails or panics if the record is marked for that.
func (f *faults) save(mark string, save func() error) error {
	err := save()
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(mark, "trap-fail-"):
		return errors.New(f.plant(saveFails))
	case strings.HasPrefix(mark, "trap-panic-"):
		panic(f.plant(savePanics))
	}
	return nil
}

// prepareNote and the following functions add the faults to the two resources.
func (f *faults) prepareNote(_ context.Context, _ *operation.Request, n *Note) error {
	f.prepare(n.Mark)
	return nil
}

func (f *faults) prepareParcel(_ context.Context, _ *operation.Request, p *Parcel) error {
	f.prepare(p.Mark)
	return nil
}

func (f *faults) processNote(ctx context.Context, _ *operation.Request, n *Note, save operation.Save[Note]) error {
	return f.save(n.Mark, func() error { return save(ctx, n) })
}

func (f *faults) processParcel(ctx context.Context, _ *operation.Request, p *Parcel, save operation.Save[Parcel]) error {
	return f.save(p.Mark, func() error { return save(ctx, p) })
}
