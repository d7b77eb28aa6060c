package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func answerTransactionRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"a transaction reads the answer that it keeps", "As it reads its own records.", readsOwnAnswer},
		{"the answer of a transaction whose function fails is not kept", "What was not saved was not answered: the request can be sent again under its key.", failureKeepsNoAnswer},
		{"the answer of a transaction whose function panics is not kept", "Nor do its locks stay.", panicKeepsNoAnswer},
		{"the answer of a transaction that cannot be saved is not kept", "Where a unique value is taken, whenever the store finds it.", conflictKeepsNoAnswer},
		{"an answer is saved with the records of its transaction", "Both are there when Transact has returned, in whichever order they were written.", answerWithRecords},
		{"an answer is kept with the records of a transaction that joined", "A hook that opens a transaction within that of its request is answered with it.", answerOfJoined},
	}
}

// saveAnswered inserts a record, and keeps the answer under "key".
func saveAnswered(ctx context.Context, tx store.Tx[account], answers store.ResponseTx, email string) error {
	if _, err := answers.Response(ctx, "key"); !errors.Is(err, store.ErrNotFound) {
		return errors.Join(errors.New("there is an answer already"), err)
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return err
	}
	return answers.KeepResponse(ctx, "key", answerOf(email))
}

// nothingAnswered checks that nothing was saved, and that the key can be used.
func nothingAnswered(c *trial[account]) {
	c.Helper()
	c.holds()
	missesAnswer(c, "key")
	keep(c, "key", answerOf("later"))
	hasAnswer(c, "key", answerOf("later"))
}

func failureKeepsNoAnswer(c *trial[account]) {
	c.rollsBack(withAnswers(func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error {
		return saveAnswered(ctx, tx, answers, "a")
	}))
	nothingAnswered(c)
}

func panicKeepsNoAnswer(c *trial[account]) {
	func() {
		defer func() { _ = recover() }()
		_ = c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error {
			if err := saveAnswered(ctx, tx, answers, "a"); err != nil {
				return err
			}
			panic("thrown by the function")
		}))
	}()
	nothingAnswered(c)
}

func conflictKeepsNoAnswer(c *trial[account]) {
	record := named("taken")
	c.insert(record)
	err := c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error {
		return saveAnswered(ctx, tx, answers, "taken")
	}))
	c.taken("Transact", err, "email")
	missesAnswer(c, "key")
	c.holds(record)
}

func answerWithRecords(c *trial[account]) {
	record := named("a")
	answering(c, func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error {
		record = named("a")
		if err := keepNew(ctx, answers, "key", answerOf("a")); err != nil {
			return err
		}
		return tx.Insert(ctx, record)
	})
	hasAnswer(c, "key", answerOf("a"))
	c.holds(record)
}

func answerOfJoined(c *trial[account]) {
	c.transact(func(ctx context.Context, _ store.Tx[account]) error {
		return c.store.Transact(ctx, withAnswers(func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error {
			return saveAnswered(ctx, tx, answers, "a")
		}))
	})
	hasAnswer(c, "key", answerOf("a"))
}

func readsOwnAnswer(c *trial[account]) {
	answering(c, func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
		for _, key := range []string{"key", "another key"} {
			if err := keepNew(ctx, answers, key, answerOf(key)); err != nil {
				return err
			}
			got, err := answers.Response(ctx, key)
			if err != nil {
				return err
			}
			sameAnswer(c, answerOf(key), got)
		}
		return nil
	})
}

func answerRaceRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"of two requests with one key at once one is saved",
			"The other waits or is run again, and then sees the answer.",
			func(c *trial[account]) {
				for round := range 5 {
					race(c, 2, "key "+strconv.Itoa(round), nil)
				}
			},
		},
		{"of many requests with one key at once one is saved", "As of two.", func(c *trial[account]) { race(c, 12, "key", nil) }},
		{
			"of requests with one key at once one is saved where the old answer has expired",
			"As where there was none.",
			func(c *trial[account]) {
				old := expired()
				race(c, 6, "key", &old)
			},
		},
		{"requests with different keys at once are all saved", "Each with its own answer.", differentKeys},
		{"waiting for the answer of another transaction ends with the context", "A request that its client gave up does not go on waiting for the key.", cancelledForKey},
	}
}

// race sends one request n times at once, and checks that one record is saved and all got
// one answer.
func race(c *trial[account], n int, key string, old *store.StoredResponse) {
	c.Helper()
	before := len(c.list())
	if old != nil {
		keep(c, key, *old)
	}
	answers := make([]string, n)
	errs := together(n, func(i int) error {
		return c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[account], kept store.ResponseTx) (err error) {
			answers[i], err = answerOnce(ctx, tx, kept, key, key+" of "+strconv.Itoa(i))
			return err
		}))
	})
	c.succeed("Transact", errs)
	if saved := len(c.list()) - before; saved != 1 {
		c.Errorf("%d of %d requests with one key were saved, want 1", saved, n)
	}
	for _, answer := range answers {
		if answer != answers[0] {
			c.Errorf("requests with one key were answered %q and %q", answers[0], answer)
		}
	}
}

// answerOnce returns the answer that is kept, or saves a record and keeps one.
func answerOnce(ctx context.Context, tx store.Tx[account], kept store.ResponseTx, key, email string) (string, error) {
	answer, err := kept.Response(ctx, key)
	if !errors.Is(err, store.ErrNotFound) {
		return string(answer.Content), err
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return "", err
	}
	answer = answerOf(email)
	return string(answer.Content), kept.KeepResponse(ctx, key, answer)
}

func differentKeys(c *trial[account]) {
	const n = 12
	key := func(i int) string { return "key " + strconv.Itoa(i) }
	c.succeed("Transact", together(n, func(i int) error {
		return c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[account], kept store.ResponseTx) error {
			_, err := answerOnce(ctx, tx, kept, key(i), key(i))
			return err
		}))
	}))
	if saved := len(c.list()); saved != n {
		c.Errorf("%d of %d requests with different keys were saved", saved, n)
	}
	for i := range n {
		hasAnswer(c, key(i), answerOf(key(i)))
	}
}

func cancelledForKey(c *trial[account]) {
	endsWaiting(c, func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, withAnswers(func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
			_, err := answers.Response(ctx, "key")
			then()
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		}))
	})
}
