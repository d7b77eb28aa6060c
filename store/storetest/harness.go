package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// patience limits the calls of one rule. It detects a store that waits for itself, and is long enough for the race
// detector on a busy machine.
const patience = time.Minute

// rule is one test: its name, the reason for it, and a check on new, empty stores.
type rule[C any] struct {
	name   string
	reason string
	check  func(C)
}

// scene has the reporter and the context of one check.
type scene struct {
	reporter

	ctx context.Context //nolint:containedctx // a scene is one call of its rule's check
}

// reporter is the part of a *testing.T that rules use.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// run runs each rule in a subtest on the stores that begin opens.
func run[C any](t *testing.T, rules []rule[C], begin func(t *testing.T, at scene) C) {
	t.Helper()
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("reason for the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			rule.check(begin(t, scene{t, ctx}))
		})
	}
}

// trial is the test of a rule on one store.
type trial[R any] struct {
	scene

	store store.Store[R]
	id    model.Identifier
	// supportsAll reports that the store must support each query of the rule.
	supportsAll bool
}

func newTrial[R any](at scene, s store.Store[R]) *trial[R] {
	record, _ := model.Compile(reflect.TypeFor[R]()) // tests of all structs show that it succeeds
	return &trial[R]{scene: at, store: s, id: record.Identifier()}
}

// idsOf returns the identifiers of records.
func (c *trial[R]) idsOf(records []*R) []any {
	ids := make([]any, len(records))
	for i, record := range records {
		ids[i] = c.id.Of(record)
	}
	return ids
}

// work is the function of a transaction.
type work[R any] = func(ctx context.Context, tx store.Tx[R]) error

// transact runs a transaction that must succeed.
func (c *trial[R]) transact(fn work[R]) {
	c.Helper()
	if err := c.store.Transact(c.ctx, fn); err != nil {
		c.Fatalf("Transact: %v", err)
	}
}

// rollsBack runs a transaction that fails after fn.
func (c *trial[R]) rollsBack(fn work[R]) {
	c.Helper()
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[R]) error { return errors.Join(fn(ctx, tx), errRollback) })
	c.fails("Transact", err, errRollback)
}

// insert adds each record in a transaction of its own.
func (c *trial[R]) insert(records ...*R) {
	c.Helper()
	for _, record := range records {
		c.transact(inserting(record))
	}
}

// insertTogether adds records in one transaction.
func (c *trial[R]) insertTogether(records ...*R) {
	c.Helper()
	writes := make([]work[R], len(records))
	for i, record := range records {
		writes[i] = inserting(record)
	}
	c.transact(inTurn(writes...))
}

// inTurn runs functions in one transaction, until one returns an error.
func inTurn[R any](writes ...work[R]) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error {
		for _, write := range writes {
			if err := write(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}
}

func inserting[R any](record *R) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error { return tx.Insert(ctx, record) }
}

// updating reads, changes and writes a record.
func updating[R any](id any, change func(*R)) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error {
		record, err := tx.Get(ctx, id)
		if err != nil {
			return err
		}
		change(record)
		return tx.Update(ctx, id, record)
	}
}

// overwriting updates a record with another one, and reads it first if isRead.
func overwriting[R any](id any, record *R, isRead bool) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error {
		if isRead {
			if _, err := tx.Get(ctx, id); err != nil {
				return err
			}
		}
		return tx.Update(ctx, id, record)
	}
}

// remove deletes a record, which must succeed.
func (c *trial[R]) remove(id any) {
	c.Helper()
	c.transact(removing[R](id))
}

func removing[R any](id any) work[R] {
	return func(ctx context.Context, tx store.Tx[R]) error { return tx.Delete(ctx, id) }
}

// get returns a record that must exist.
func (c *trial[R]) get(id any) *R {
	c.Helper()
	record, err := c.store.Get(c.ctx, id)
	if err != nil {
		c.Fatalf("Get(%v): %v", id, err)
	}
	if record == nil {
		c.Fatalf("Get(%v) returned neither a record nor an error", id)
	}
	return record
}

// list returns all records.
func (c *trial[R]) list() []*R {
	c.Helper()
	page, err := c.store.List(c.ctx, store.Query{})
	if err != nil {
		c.Fatalf("List: %v", err)
	}
	return page.Items
}

// holds checks that List returns these records, in this order.
func (c *trial[R]) holds(want ...*R) {
	c.Helper()
	c.same("List", want, c.list())
}

// holdsAlike checks that List, Get, GetMany and the transaction's Get return these records.
func (c *trial[R]) holdsAlike(want ...*R) {
	c.Helper()
	c.holds(want...)
	ids := c.idsOf(want)
	for i, id := range ids {
		c.same("Get", want[i], c.get(id))
		c.transact(func(ctx context.Context, tx store.Tx[R]) error {
			got, err := tx.Get(ctx, id)
			c.same("Get in a transaction", want[i], got)
			return err
		})
	}
	c.getsMany(ids, want)
}

// same compares a result with the expected one. Nil and empty lists are equal, as are times of one instant in different
// zones. Lists of one length are compared one element at a time, up to the first that differs: cmp aligns lists, which
// takes the square of their length.
func (c scene) same(call string, want, got any) {
	c.Helper()
	a, b := reflect.ValueOf(want), reflect.ValueOf(got)
	if a.Kind() == reflect.Slice && b.IsValid() && a.Type() == b.Type() && a.Len() == b.Len() {
		for i := range a.Len() {
			if x, y := a.Index(i).Interface(), b.Index(i).Interface(); !alike(x, y) {
				c.Errorf("%s: element %d (-want +got):\n%.5000s", call, i, cmp.Diff(x, y, differences))
				return
			}
		}
		return
	}
	if !alike(want, got) {
		c.Errorf("%s (-want +got):\n%.5000s", call, cmp.Diff(want, got, differences))
	}
}

// alike reports whether same considers two values equal. Package reflect is much faster than cmp.
func alike(a, b any) bool { return reflect.DeepEqual(a, b) || cmp.Equal(a, b, differences) }

// differences are those that same reports: also in structs that are embedded without being exported.
var differences = cmp.Options{cmpopts.EquateEmpty(), cmp.Exporter(func(reflect.Type) bool { return true })}

// fails checks that an error is want.
func (c scene) fails(call string, got, want error) {
	c.Helper()
	if !errors.Is(got, want) {
		c.Errorf("%s: error %v, want %v", call, got, want)
	}
}

// taken checks that an error is a store.UniqueError for the field.
func (c scene) taken(call string, got error, field string) {
	c.Helper()
	c.fails(call, got, store.UniqueError{Field: field})
}

// together runs a function n times concurrently, and returns the errors.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = fn(i) })
	}
	all.Wait()
	return errs
}

// oneSucceeds checks that exactly one of several calls succeeded, checks the errors of the others with fails, and
// returns the index of the first.
func (c scene) oneSucceeds(errs []error, fails func(error)) int {
	c.Helper()
	winner := slices.Index(errs, nil)
	if winner < 0 {
		c.Fatalf("none of the calls succeeded: %v", errors.Join(errs...))
	}
	for i, err := range errs {
		if i != winner {
			fails(err)
		}
	}
	return winner
}

// succeed checks that all errors are nil.
func (c scene) succeed(call string, errs []error) {
	c.Helper()
	if err := errors.Join(errs...); err != nil {
		c.Fatalf("%s: %v", call, err)
	}
}
