package storetest

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

func answerTransactionRules() []rule[Record] {
	return []rule[Record]{
		{
			"a transaction reads the answer that it keeps",
			"As it reads its own records.",
			readsOwnAnswer,
		},
		{
			"the answer of a transaction whose function fails is not kept",
			"What was not saved was not answered: the request can be sent again under its key.",
			failureKeepsNoAnswer,
		},
		{
			"the answer of a transaction whose function panics is not kept",
			"Nor do its locks stay.",
			panicKeepsNoAnswer,
		},
		{
			"the answer of a transaction that cannot be saved is not kept",
			"Where a unique value is taken, whenever the store finds it.",
			conflictKeepsNoAnswer,
		},
		{
			"an answer is saved with the records of its transaction",
			"Both are there when Transact has returned, in whichever order they were written.",
			answerWithRecords,
		},
		{
			"an answer is kept with the records of a transaction that joined",
			"A hook that opens a transaction within that of its request is answered with it.",
			answerOfJoined,
		},
	}
}

// saveAnswered inserts a record, and keeps the answer under "key".
func saveAnswered(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx, email string) error {
	if _, err := answers.Answer(ctx, "key"); !errors.Is(err, store.ErrNotFound) {
		return errors.Join(errors.New("there is an answer already"), err)
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return err
	}
	return answers.KeepAnswer(ctx, "key", answerOf(email))
}

// nothingAnswered checks that nothing was saved, and that the key can be used.
func nothingAnswered(c *trial[Record]) {
	c.Helper()
	c.holds()
	missesAnswer(c, "key")
	keep(c, "key", answerOf("later"))
	hasAnswer(c, "key", answerOf("later"))
}

func failureKeepsNoAnswer(c *trial[Record]) {
	err := c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx) error {
		return errors.Join(saveAnswered(ctx, tx, answers, "a"), errRefused)
	}))
	c.fails("Transact", err, errRefused)
	nothingAnswered(c)
}

func panicKeepsNoAnswer(c *trial[Record]) {
	func() {
		defer func() { _ = recover() }()
		_ = c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx) error {
			if err := saveAnswered(ctx, tx, answers, "a"); err != nil {
				return err
			}
			panic("thrown by the function")
		}))
	}()
	nothingAnswered(c)
}

func conflictKeepsNoAnswer(c *trial[Record]) {
	record := named("taken")
	c.insert(record)
	err := c.store.Transact(c.ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx) error {
		return saveAnswered(ctx, tx, answers, "taken")
	}))
	c.taken("Transact", err, "email")
	missesAnswer(c, "key")
	c.holds(record)
}

func answerWithRecords(c *trial[Record]) {
	record := named("a")
	answering(c, func(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx) error {
		record = named("a")
		if err := keepNew(ctx, answers, "key", answerOf("a")); err != nil {
			return err
		}
		return tx.Insert(ctx, record)
	})
	hasAnswer(c, "key", answerOf("a"))
	c.holds(record)
}

func answerOfJoined(c *trial[Record]) {
	c.transact(func(ctx context.Context, _ store.Tx[Record]) error {
		return c.store.Transact(ctx, withAnswers(func(ctx context.Context, tx store.Tx[Record], answers store.AnswerTx) error {
			return saveAnswered(ctx, tx, answers, "a")
		}))
	})
	hasAnswer(c, "key", answerOf("a"))
}

func readsOwnAnswer(c *trial[Record]) {
	answering(c, func(ctx context.Context, _ store.Tx[Record], answers store.AnswerTx) error {
		for _, key := range []string{"key", "another key"} {
			if err := keepNew(ctx, answers, key, answerOf(key)); err != nil {
				return err
			}
			got, err := answers.Answer(ctx, key)
			if err != nil {
				return err
			}
			sameAnswer(c, answerOf(key), got)
		}
		return nil
	})
}
