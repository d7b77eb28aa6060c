package accesstest

import (
	"context"
	"errors"

	"github.com/trove-api/trove/internal/compiled"
)

// rehearsed is a store whose transactions are rolled back at their end, and reported to have
// ended well. It tells what they would have saved.
type rehearsed struct {
	compiled.Store

	away    any // identifier of the record that is taken away first; nil for none
	written int // changes of the last transaction, if it came to its end
}

// Errors that end a transaction without ending its request.
var (
	errOver  = errors.New("the rehearsal is over")
	errStays = errors.New("the record cannot be taken away")
)

// Transact runs all of a transaction but its end.
func (s *rehearsed) Transact(ctx context.Context, runner compiled.Runner) error {
	err := s.Store.Transact(ctx, &rehearsal{s, runner, s.away})
	if errors.Is(err, errStays) { // others refer to it
		err = s.Store.Transact(ctx, &rehearsal{s, runner, nil})
	}
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// rehearsal runs in a transaction that is rolled back.
type rehearsal struct {
	store  *rehearsed
	runner compiled.Runner
	away   any
}

// Run runs what the transaction is for, and then refuses it.
func (r *rehearsal) Run(ctx context.Context, tx compiled.Tx) error {
	r.store.written = 0
	if r.away != nil && tx.Delete(ctx, r.away) != nil {
		return errStays
	}
	counted := &counting{Tx: tx}
	if err := r.runner.Run(ctx, counted); err != nil {
		return err
	}
	r.store.written = counted.written
	return errOver
}

// counting counts changes.
type counting struct {
	compiled.Tx

	written int
}

func (c *counting) Insert(ctx context.Context, record any, stores bool) error {
	c.written++
	return c.Tx.Insert(ctx, record, stores)
}

func (c *counting) Update(ctx context.Context, id, record any, stores bool) error {
	c.written++
	return c.Tx.Update(ctx, id, record, stores)
}

func (c *counting) Delete(ctx context.Context, id any) error {
	c.written++
	return c.Tx.Delete(ctx, id)
}

// rehearse puts the stores of the API into rehearsal, and returns what ends it.
func (m *matrix) rehearse() (end func()) {
	model := compiled.Of(m.api)
	resources, speak := model.Resources, model.Overhear(&m.reason)
	m.stores = map[*compiled.Resource]*rehearsed{}
	for _, r := range resources {
		m.stores[r] = &rehearsed{Store: r.Store}
		r.Store = m.stores[r]
	}
	return func() {
		speak()
		for _, r := range resources {
			r.Store = m.stores[r].Store
		}
	}
}

// written returns how many changes the last request would have saved.
func (m *matrix) written() int {
	total := 0
	for _, s := range m.stores {
		total += s.written
	}
	return total
}

// forget begins a request.
func (m *matrix) forget(away any, of *compiled.Resource) {
	m.reason = ""
	for _, s := range m.stores {
		s.written, s.away = 0, nil
	}
	if away != nil {
		m.stores[of].away = away
	}
}
