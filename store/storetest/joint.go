package storetest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
)

// RunJoint tests stores that share one transaction, as [Run] does: those of the tables of one
// database, or of one API in memory. Each case calls open for three new and empty ones.
func RunJoint(t *testing.T, open func(t *testing.T) (store.Store[Record], store.Store[Keyed], store.Store[Token])) {
	t.Helper()
	for _, rule := range jointRules() {
		t.Run(rule.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the rule: %s", rule.reason)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			a, b, c := open(t)
			rule.check(&jointTrial{t, ctx, a, b, c})
		})
	}
}

// jointRule is one case, as [rule] is.
type jointRule struct {
	name   string
	reason string
	check  func(*jointTrial)
}

// jointTrial is the test of one rule on stores that share transactions.
type jointTrial struct {
	reporter

	ctx     context.Context //nolint:containedctx // as that of a trial
	records store.Store[Record]
	keyed   store.Store[Keyed]
	tokens  store.Store[Token]
}

func jointRules() []jointRule {
	return []jointRule{
		{
			"three stores are changed by one transaction",
			"Each joins by the context of the others, in any order, and sees what it has done before.",
			jointlySaved,
		},
		{
			"a transaction of three stores that fails saves nothing in any",
			"Neither what it did before nor what it did after the others.",
			func(c *jointTrial) {
				c.fails("Transact", c.all(c.ctx, func() error { return errRefused }), errRefused)
				c.counts(0)
			},
		},
		{
			"a transaction of three stores fails when one that joined it does",
			"Even if the outer function returns nil.",
			jointlyFailed,
		},
		{
			"a transaction of three stores that panics saves nothing in any",
			"The panic passes on, and no lock stays.",
			jointlyPanicked,
		},
		{
			"a transaction of three stores that is cancelled saves nothing in any",
			"Nobody waits for its answer.",
			func(c *jointTrial) {
				ctx, cancel := context.WithCancel(c.ctx)
				err := c.all(ctx, func() error {
					cancel()
					return nil
				})
				c.fails("Transact", err, context.Canceled)
				c.counts(0)
			},
		},
		{
			"a value that one of three stores cannot save keeps all from being saved",
			"Whether it is told when it is written or when the transaction ends.",
			jointlyTaken,
		},
		{
			"transactions over two stores in opposite orders all end",
			"They may be run again, but none hangs and no change is lost.",
			jointlyOpposed,
		},
		{
			"transactions of one store go on beside those of several",
			"No increment is lost.",
			jointlyBeside,
		},
	}
}

// all inserts a record into each of the stores, in a transaction of the first that the others
// join, and then runs last in it.
func (c *jointTrial) all(ctx context.Context, last func() error) error {
	return c.records.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
		if err := tx.Insert(ctx, named("a")); err != nil {
			return err
		}
		if err := c.keyed.Transact(ctx, inserting(keyed("a", 1))); err != nil {
			return err
		}
		if err := c.tokens.Transact(ctx, inserting(&Token{Label: "a"})); err != nil {
			return err
		}
		return last()
	})
}

// counts checks that each of the stores has so many records.
func (c *jointTrial) counts(want int) {
	c.Helper()
	records, err := c.records.List(c.ctx, store.Query{})
	keys, keysErr := c.keyed.List(c.ctx, store.Query{})
	tokens, tokensErr := c.tokens.List(c.ctx, store.Query{})
	if err := errors.Join(err, keysErr, tokensErr); err != nil {
		c.Fatalf("List: %v", err)
	}
	if len(records.Items) != want || len(keys.Items) != want || len(tokens.Items) != want {
		c.Errorf("the stores have %d, %d and %d records, want %d each", len(records.Items), len(keys.Items), len(tokens.Items), want)
	}
}

func (c *jointTrial) fails(call string, got, want error) {
	c.Helper()
	if !errors.Is(got, want) {
		c.Errorf("%s: %v, want %v", call, got, want)
	}
}

func jointlySaved(c *jointTrial) {
	err := c.all(c.ctx, func() error {
		c.counts(0)
		return nil
	})
	if err != nil {
		c.Fatalf("Transact: %v", err)
	}
	c.counts(1)
	err = c.keyed.Transact(c.ctx, func(ctx context.Context, outer store.Tx[Keyed]) error {
		if err := c.records.Transact(ctx, inserting(named("b"))); err != nil {
			return err
		}
		return c.tokens.Transact(ctx, func(ctx context.Context, _ store.Tx[Token]) error {
			err := c.keyed.Transact(ctx, func(ctx context.Context, tx store.Tx[Keyed]) error { return tx.Delete(ctx, "a") })
			if err != nil {
				return err
			}
			if _, err := outer.Get(ctx, "a"); !errors.Is(err, store.ErrNotFound) {
				c.Errorf("the outer transaction does not see a delete of one that joined: %v", err)
			}
			return c.records.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error { return tx.Insert(ctx, named("c")) })
		})
	})
	if err != nil {
		c.Fatalf("Transact: %v", err)
	}
	page, err := c.records.List(c.ctx, store.Query{})
	if _, missing := c.keyed.Get(c.ctx, "a"); err != nil || len(page.Items) != 3 || !errors.Is(missing, store.ErrNotFound) {
		c.Errorf("%d records (%v), and the deleted one: %v", len(page.Items), err, missing)
	}
}

func jointlyFailed(c *jointTrial) {
	err := c.records.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Record]) error {
		if err := tx.Insert(ctx, named("a")); err != nil {
			return err
		}
		if err := c.keyed.Transact(ctx, inserting(keyed("a", 1))); err != nil {
			return err
		}
		inner := c.tokens.Transact(ctx, func(ctx context.Context, tx store.Tx[Token]) error {
			return errors.Join(tx.Insert(ctx, &Token{}), errRefused)
		})
		c.fails("the inner Transact", inner, errRefused)
		if err := tx.Insert(ctx, named("b")); err == nil {
			c.Errorf("a transaction goes on that cannot be saved any more")
		}
		return nil
	})
	c.fails("the outer Transact", err, errRefused)
	c.counts(0)
}

func jointlyPanicked(c *jointTrial) {
	for range 2 {
		func() {
			defer func() {
				if thrown := recover(); thrown != "thrown" {
					c.Errorf("recovered %v", thrown)
				}
			}()
			_ = c.all(c.ctx, func() error { panic("thrown") })
		}()
		c.counts(0)
	}
	if err := c.all(c.ctx, func() error { return nil }); err != nil {
		c.Errorf("the next transaction: %v", err)
	}
	c.counts(1)
}

func jointlyTaken(c *jointTrial) {
	if err := c.records.Transact(c.ctx, inserting(named("taken"))); err != nil {
		c.Fatalf("Transact: %v", err)
	}
	err := c.keyed.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Keyed]) error {
		if err := tx.Insert(ctx, keyed("a", 1)); err != nil {
			return err
		}
		if err := c.tokens.Transact(ctx, inserting(&Token{})); err != nil {
			return err
		}
		return c.records.Transact(ctx, inserting(named("taken")))
	})
	c.fails("Transact", err, store.UniqueError{Field: "email"})
	keys, err := c.keyed.List(c.ctx, store.Query{})
	tokens, tokensErr := c.tokens.List(c.ctx, store.Query{})
	if err := errors.Join(err, tokensErr); err != nil || len(keys.Items)+len(tokens.Items) != 0 {
		c.Errorf("%d records are saved beside one that cannot be (%v)", len(keys.Items)+len(tokens.Items), err)
	}
}

// jointlyOpposed lets transactions increment a record of each of two stores, half of them in the
// opposite order.
func jointlyOpposed(c *jointTrial) {
	const workers, rounds = 4, 5
	record, key := named("a"), keyed("a", 0)
	if err := errors.Join(c.records.Transact(c.ctx, inserting(record)), c.keyed.Transact(c.ctx, inserting(key))); err != nil {
		c.Fatalf("Transact: %v", err)
	}
	first := func(ctx context.Context, then func(context.Context) error) error {
		return c.records.Transact(ctx, func(ctx context.Context, tx store.Tx[Record]) error {
			return errors.Join(updating(record.ID, func(r *Record) { r.Count++ })(ctx, tx), then(ctx))
		})
	}
	second := func(ctx context.Context, then func(context.Context) error) error {
		return c.keyed.Transact(ctx, func(ctx context.Context, tx store.Tx[Keyed]) error {
			return errors.Join(updating("a", func(k *Keyed) { k.Points++ })(ctx, tx), then(ctx))
		})
	}
	nothing := func(context.Context) error { return nil }
	saved := c.eventually(workers, rounds, func(worker int) error {
		if worker%2 == 0 {
			return first(c.ctx, func(ctx context.Context) error { return second(ctx, nothing) })
		}
		return second(c.ctx, func(ctx context.Context) error { return first(ctx, nothing) })
	})
	c.both(record.ID, saved, saved)
}

// jointlyBeside lets transactions of one store increment what those of two do.
func jointlyBeside(c *jointTrial) {
	const workers, rounds = 4, 5
	record, key := named("a"), keyed("a", 0)
	if err := errors.Join(c.records.Transact(c.ctx, inserting(record)), c.keyed.Transact(c.ctx, inserting(key))); err != nil {
		c.Fatalf("Transact: %v", err)
	}
	points := updating("a", func(k *Keyed) { k.Points++ })
	var mu sync.Mutex
	joint := 0
	saved := c.eventually(workers, rounds, func(worker int) error {
		if worker%2 == 0 {
			return c.keyed.Transact(c.ctx, points)
		}
		err := c.records.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Record]) error {
			return errors.Join(updating(record.ID, func(r *Record) { r.Count++ })(ctx, tx), c.keyed.Transact(ctx, points))
		})
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			joint++
		}
		return err
	})
	c.both(record.ID, joint, saved)
}

// eventually runs transactions at once, and returns how many were saved. One that the store has
// given up, because others were in its way too often, is none, but most must be.
func (c *jointTrial) eventually(workers, rounds int, run func(worker int) error) (saved int) {
	c.Helper()
	var all sync.WaitGroup
	errs := make(chan error, workers*rounds)
	for worker := range workers {
		all.Go(func() {
			for range rounds {
				errs <- run(worker)
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		switch {
		case err == nil:
			saved++
		case !errors.Is(err, store.ErrUnavailable):
			c.Errorf("Transact: %v", err)
		}
	}
	if saved < workers*rounds/2 {
		c.Errorf("%d of %d transactions were saved", saved, workers*rounds)
	}
	return saved
}

// both checks the counts of the two records.
func (c *jointTrial) both(id int64, count, points int) {
	c.Helper()
	record, err := c.records.Get(c.ctx, id)
	key, keyErr := c.keyed.Get(c.ctx, "a")
	if err := errors.Join(err, keyErr); err != nil {
		c.Fatalf("Get: %v", err)
	}
	if record.Count != int64(count) || key.Points != int64(points) {
		c.Errorf("the counts are %s and %s, want %d and %d",
			strconv.FormatInt(record.Count, 10), strconv.FormatInt(key.Points, 10), count, points)
	}
}
