package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

var (
	errContended = errors.New("store/memory: another transaction holds the record; this one is run again")
	errEnded     = errors.New("store/memory: the transaction has ended")
	errPanicked  = errors.New("store/memory: a function within the transaction panicked")
)

// Transact runs fn in a transaction; twice at most. It honours the context while it waits for records, which it does for 10
// seconds at most, or as [Store.LockTimeout] says, and saves nothing when the context is cancelled before fn returns.
func (s *Store) Transact(ctx context.Context, fn compiled.Runner) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	domain := s.domain.root()
	if outer, ok := ctx.Value(jointKey{domain}).(*joint); ok {
		return s.join(ctx, outer, fn)
	}
	whole, err := s.outermost(ctx, fn, domain)
	if err == nil {
		whole.report.send(ctx)
	}
	return err
}

// outermost runs fn in a transaction of its own, which has given back all that it held.
func (s *Store) outermost(ctx context.Context, fn compiled.Runner, domain *domain) (*joint, error) {
	entry, err := reentry.Enter(ctx, domain)
	if err != nil {
		return nil, fmt.Errorf("store/memory: %w", err)
	}
	defer entry.Leave()
	whole, err := s.attempt(ctx, fn, domain, false)
	if !whole.contended {
		return whole, err
	}
	if err := patience.Take(ctx, domain.turn, s.table.patience); err != nil {
		return nil, lockError(err)
	}
	defer func() { <-domain.turn }()
	return s.attempt(ctx, fn, domain, true)
}

// lockError says of an error of waiting what was waited for.
func lockError(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("store/memory: another transaction holds the record: %w", err)
	}
	return err
}

// beginning is the transaction that a joint one begins with, in one piece.
type beginning struct {
	scope scope
	joint joint
	part  Tx
}

// attempt runs fn in a new transaction and saves what it staged, unless the
// transaction was contended. A patient transaction never is: it waits for any record.
// There is one at most in a domain, and the others hold nothing while they wait, so that it gets
// every record in the end.
func (s *Store) attempt(ctx context.Context, fn compiled.Runner, domain *domain, patient bool) (*joint, error) {
	begun := &beginning{
		joint: joint{domain: domain, patient: patient, report: domain.report()},
		part:  Tx{in: s, staged: staged{columns: &s.shape.columns}},
	}
	whole := &begun.joint
	begun.scope, begun.part.joint = scope{ctx, whole}, whole
	whole.parts = append(whole.first[:0], &begun.part)
	defer whole.end()
	err := run(&begun.scope, fn, &begun.part)
	switch {
	case whole.contended || err != nil:
		return whole, err
	case whole.failed != nil:
		return whole, whole.failed
	case ctx.Err() != nil:
		return whole, ctx.Err()
	}
	if err = whole.save(); errors.Is(err, errOvertaken) {
		if patient {
			return whole, fmt.Errorf("store/memory: new records refer to what is deleted: %w", store.ErrUnavailable)
		}
		whole.contended = true
	}
	return whole, err
}

// join runs fn as a part of a transaction, which fails if fn does.
func (s *Store) join(ctx context.Context, whole *joint, fn compiled.Runner) error {
	if whole.failed != nil {
		return whole.failed
	}
	err := errPanicked
	defer func() {
		if err != nil && whole.failed == nil {
			whole.failed = err
		}
	}()
	err = run(ctx, fn, whole.join(s))
	return err
}

func run(ctx context.Context, fn compiled.Runner, in *Tx) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn.Run(ctx, in)
}
