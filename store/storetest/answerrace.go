package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func answerRaceRules() []rule[Record] {
	return []rule[Record]{
		{
			"of two requests with one key at once one is saved",
			"The other waits or is run again, and then sees the answer.",
			func(c *trial[Record]) {
				for round := range 5 {
					race(c, 2, "key "+strconv.Itoa(round), nil)
				}
			},
		},
		{
			"of many requests with one key at once one is saved",
			"As of two.",
			func(c *trial[Record]) { race(c, 12, "key", nil) },
		},
		{
			"of requests with one key at once one is saved where the old answer has expired",
			"As where there was none.",
			func(c *trial[Record]) {
				old := expired()
				race(c, 6, "key", &old)
			},
		},
		{
			"requests with different keys at once are all saved",
			"Each with its own answer.",
			differentKeys,
		},
		{
			"waiting for the answer of another transaction ends with the context",
			"A request that its client gave up does not go on waiting for the key.",
			cancelledForKey,
		},
	}
}

// race sends one request n times at once, and checks that one record is saved and all got
// one answer.
func race(c *trial[Record], n int, key string, old *store.Answer) {
	c.Helper()
	before := len(c.list())
	if old != nil {
		keep(c, key, *old)
	}
	answers := make([]string, n)
	errs := together(n, func(i int) error {
		return c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], kept store.AnswerTx) (err error) {
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
func answerOnce(ctx context.Context, tx store.Tx[Record], kept store.AnswerTx, key, email string) (string, error) {
	answer, err := kept.Answer(ctx, key)
	if !errors.Is(err, store.ErrNotFound) {
		return string(answer.Content), err
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return "", err
	}
	answer = answerOf(email)
	return string(answer.Content), kept.KeepAnswer(ctx, key, answer)
}

func differentKeys(c *trial[Record]) {
	const n = 12
	key := func(i int) string { return "key " + strconv.Itoa(i) }
	c.succeed("Transact", together(n, func(i int) error {
		return c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], kept store.AnswerTx) error {
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

func cancelledForKey(c *trial[Record]) {
	endsWaiting(c, func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, withAnswers(func(ctx context.Context, _ store.Tx[Record], answers store.AnswerTx) error {
			_, err := answers.Answer(ctx, "key")
			then()
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		}))
	})
}
