package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/store"
)

// Join merges the domains of two stores with records, and with them all stores that already share these.
func (s *Store) Join(other model.Linker) {
	if with, ok := other.(*Store); ok && s.table != nil && with.table != nil {
		s.domain.merge(with.domain)
	}
}

// domain is shared by stores whose transactions join. Stores that were joined later have domains that were merged;
// their root counts.
type domain struct {
	merged atomic.Pointer[domain]
	rank   uint64 // the lower one is merged into the greater, so that no cycle arises
	// turn is held by the one transaction that may wait while it holds records.
	turn chan struct{}
	// saving is held by a transaction that locks more than one table.
	saving    sync.Mutex
	listeners atomic.Pointer[[]*store.Listener]
}

func newDomain() *domain {
	return &domain{rank: rand.Uint64(), turn: make(chan struct{}, 1)} //nolint:gosec // not a secret
}

// root returns the domain that counts.
func (d *domain) root() *domain {
	for next := d.merged.Load(); next != nil; next = d.merged.Load() {
		d = next
	}
	return d
}

// merge makes two domains one.
func (d *domain) merge(other *domain) {
	for {
		less, greater := d.root(), other.root()
		switch {
		case less == greater:
			return
		case less.rank > greater.rank:
			less, greater = greater, less
		}
		if less.merged.CompareAndSwap(nil, greater) {
			for _, listener := range loaded(&less.listeners) {
				greater.listen(listener)
			}
			return
		}
	}
}

// joint is a transaction over the stores of a domain: the state that its parts share.
type joint struct {
	domain  *domain
	failed  error // prevents the commit, even if the function returns nil
	patient bool  // may wait for a record while it holds others
	holds   bool  // holds a record or the key of a response
	// contended reports that it holds a record and needs one that another transaction holds, so that it must run again.
	contended bool

	report *report // nil without listeners

	parts []*Tx  // one for each store that takes part, beginning with the one where it began
	first [1]*Tx // the memory of parts: most transactions have one
}

// jointKey is the context key of the transaction of a domain.
type jointKey struct{ domain *domain }

// scope is the context passed to the function of a transaction.
type scope struct {
	context.Context //nolint:containedctx // scope is a context

	joint *joint
}

// Value returns the transaction, or the value of the outer context.
func (s *scope) Value(key any) any {
	if k, ok := key.(jointKey); ok && k.domain == s.joint.domain {
		return s.joint
	}
	return s.Context.Value(key)
}

// save saves all parts, or none. It locks all their tables, so that readers see either everything or nothing. Only one
// transaction at a time locks several tables.
func (j *joint) save() error {
	j.report.collect() // before the parts are cleared
	var checks []referenceCheck
	for _, p := range j.parts {
		checks = p.in.linked.concern(checks, &p.staged)
	}
	if len(j.parts) == 1 && checks == nil {
		return j.parts[0].save()
	}
	j.domain.saving.Lock()
	defer j.domain.saving.Unlock()
	for _, p := range j.parts {
		p.in.table.mu.Lock()
		defer p.in.table.mu.Unlock()
	}
	for _, other := range j.openOthers(checks) {
		defer other.mu.RUnlock()
	}
	for _, p := range j.parts {
		if err := p.in.table.conflict(&p.staged); err != nil {
			return err
		}
	}
	for i := range checks {
		if err := checks[i].run(j); err != nil {
			return err
		}
	}
	for _, p := range j.parts {
		p.in.table.apply(&p.staged)
		p.keepResponses()
	}
	return nil
}

// partOf returns the part of a store, nil if it does not take part.
func (j *joint) partOf(in *Store) *Tx {
	for _, p := range j.parts {
		if p.in == in {
			return p
		}
	}
	return nil
}

// staging returns the transaction's changes in a store, nil if it does not take part.
func (j *joint) staging(in *Store) *staged {
	if p := j.partOf(in); p != nil {
		return &p.staged
	}
	return nil
}

// writing returns the transaction of the context if it has changed records, in any store, else nil.
func (s *Store) writing(ctx context.Context) *joint {
	j, ok := ctx.Value(jointKey{s.domain.root()}).(*joint)
	if !ok || !slices.ContainsFunc(j.parts, func(p *Tx) bool { return slices.ContainsFunc(p.staged.changes, isChange) }) {
		return nil
	}
	return j
}

func isChange(c change) bool { return c.now != c.saved }

// row returns the row of a record as the transaction sees it, nil if it is deleted, and reports whether the transaction
// has locked the record. The transaction may be nil.
func (j *joint) row(in *Store, id any) (r *row, isStaged bool) {
	if j == nil {
		return nil, false
	}
	staged := j.staging(in)
	if staged == nil {
		return nil, false
	}
	c := staged.find(id)
	if c == nil {
		return nil, false
	}
	return c.now, true
}

// view returns a table to list records as the transaction sees them. It shares the unchanged parts of the trees.
func (j *joint) view(of *table) *table {
	made := &table{rows: rows{map[int64]*row{}, map[any]*row{}}, columns: of.columns}
	made.columns.within = j
	of.mu.Lock()
	for i := range of.trees {
		made.trees = append(made.trees, tree{rows: of.trees[i].rows.Copy()})
	}
	of.mu.Unlock()
	for _, p := range j.parts {
		if p.in.table == of {
			made.apply(&p.staged)
		}
	}
	return made
}

// join returns the part of a store, which it creates if necessary.
func (j *joint) join(in *Store) *Tx {
	found := j.partOf(in)
	if found == nil {
		found = &Tx{joint: j, in: in, staged: staged{columns: &in.shape.columns}}
		j.parts = append(j.parts, found)
	}
	return found
}

// end releases all records, whether the transaction was saved or not.
func (j *joint) end() {
	j.failed = errEnded
	for _, p := range j.parts {
		if len(p.staged.changes) > 0 {
			p.in.table.mu.Lock()
			p.in.table.unlock(&p.staged)
			p.in.table.mu.Unlock()
		}
	}
}

var (
	errContended = errors.New("store/memory: another transaction holds the record; this one runs again")
	errEnded     = errors.New("store/memory: the transaction has ended")
	errPanicked  = errors.New("store/memory: a function within the transaction panicked")
)

// Transact runs fn in a transaction, at most twice. It waits for records for at most 10 seconds, or the time set by
// [Store.LockTimeout], and stops waiting when the context ends. It saves nothing if the context is cancelled before fn
// returns.
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

// outermost runs fn in a new transaction, which has released all records when it returns.
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

// lockError adds to an error of waiting what was waited for.
func lockError(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("store/memory: another transaction holds the record: %w", err)
	}
	return err
}

// beginning is the initial memory of a joint transaction, in one allocation.
type beginning struct {
	scope scope
	joint joint
	part  Tx
}

// attempt runs fn in a new transaction and saves what it staged, unless the transaction was contended. A patient
// transaction is never contended, because it waits for any record. A domain has at most one, and the others hold
// nothing while they wait, so it gets every record eventually.
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
			return whole, fmt.Errorf("store/memory: new records reference deleted ones: %w", store.ErrUnavailable)
		}
		whole.contended = true
	}
	return whole, err
}

// join runs fn as part of a transaction, which fails if fn fails.
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

// Report registers a listener for each transaction that changes records of the store, or of a store that shares
// transactions with it. Records passed to [New] are not reported.
func (s *Store) Report(listener *store.Listener) {
	if s != nil && s.domain != nil && listener != nil {
		s.domain.listen(listener)
	}
}

// listen registers a listener for the transactions of a domain.
func (d *domain) listen(listener *store.Listener) {
	for {
		root := d.root()
		add(&root.listeners, listener, func(known *store.Listener) bool { return known == listener })
		if root.merged.Load() == nil { // otherwise it may have been merged without the listener
			return
		}
	}
}

// report collects the changes of a transaction for the listeners of its domain. It is nil without listeners.
type report struct {
	listeners []*store.Listener
	noted     []noted // in the order of the changes
	changes   store.Changes
}

// noted is a record that a part has changed.
type noted struct {
	part *Tx
	id   any
}

// report returns an empty report for a transaction, nil without listeners.
func (d *domain) report() *report {
	if listeners := loaded(&d.listeners); listeners != nil {
		return &report{listeners: listeners}
	}
	return nil
}

func (r *report) note(in *Tx, id any) {
	if r != nil {
		r.noted = append(r.noted, noted{in, id})
	}
}

// collect copies the changed records, before and after the transaction, because listeners may keep them.
func (r *report) collect() {
	if r == nil {
		return
	}
	for _, each := range r.noted {
		c, clone := each.part.staged.find(each.id), each.part.in.shape.clone
		made := store.Change{ID: each.id}
		if c.saved != nil {
			made.Before = clone(c.saved.record)
		}
		if c.now != nil {
			made.After = clone(c.now.record)
		}
		r.changes.Note(each.part.in, each.id, made)
	}
}

// send calls the listeners after the transaction was saved and has released all records.
func (r *report) send(ctx context.Context) {
	if r == nil {
		return
	}
	changes := r.changes.All()
	for i := 0; i < len(r.listeners) && len(changes) > 0; i++ {
		r.listeners[i].Committed(ctx, changes)
	}
}
