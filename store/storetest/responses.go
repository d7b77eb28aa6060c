package storetest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
)

func answerRules() []rule[*trial[account]] {
	return slices.Concat(keptAnswerRules(), answerContentRules(), answerTransactionRules(), answerRaceRules())
}

func keptAnswerRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a store that keeps answers says so at start-up",
			"It is a store.ResponseKeeper whose CheckResponses has nothing to say, and its transactions are store.ResponseTx.",
			answersAreKept,
		},
		{"an answer that was kept is read in another transaction", "The request may be sent again at any time until the answer expires.", answerIsReadAgain},
		{"a key that was asked for and not used is free", "A request that was refused may be sent again, corrected.", askedKeyIsFree},
		{"an answer that has expired is not there", "Clients are told how long they may send a request again; after that the key is free.", expiredIsMissing},
		{"an answer may take the place of one that has expired", "Then it is the one that is read.", expiredIsReplaced},
		{"the answers that have expired do not stand in the way of others", "However many they are.", expiredIsNoObstacle},
	}
}

func answersAreKept(c *trial[account]) {
	keeper, ok := c.store.(store.ResponseKeeper)
	if !ok {
		c.Fatalf("%T is no store.ResponseKeeper", c.store)
	}
	if err := keeper.CheckResponses(c.ctx); err != nil {
		c.Errorf("CheckResponses: %v", err)
	}
	answering(c, func(context.Context, store.Tx[account], store.ResponseTx) error { return nil })
}

func answerIsReadAgain(c *trial[account]) {
	missesAnswer(c, "key")
	keep(c, "key", answerOf("first"))
	missesAnswer(c, "another key")
	hasAnswer(c, "key", answerOf("first"))
	hasAnswer(c, "key", answerOf("first"))
}

func askedKeyIsFree(c *trial[account]) {
	missesAnswer(c, "key")
	missesAnswer(c, "key")
	keep(c, "key", answerOf("first"))
	hasAnswer(c, "key", answerOf("first"))
}

func expiredIsMissing(c *trial[account]) {
	soon := answerOf("soon")
	soon.Expires = time.Now().Add(10 * time.Minute)
	keep(c, "past", expired())
	keep(c, "future", soon)
	missesAnswer(c, "past")
	hasAnswer(c, "future", soon)
}

func expiredIsReplaced(c *trial[account]) {
	keep(c, "key", expired())
	keep(c, "key", answerOf("new"))
	hasAnswer(c, "key", answerOf("new"))
}

func expiredIsNoObstacle(c *trial[account]) {
	for i := range 60 {
		keep(c, strings.Repeat("k", i+1), expired())
	}
	keep(c, "k", answerOf("new"))
	hasAnswer(c, "k", answerOf("new"))
	missesAnswer(c, "kk")
}

// answerOf returns an answer that does not expire for long.
func answerOf(text string) store.StoredResponse {
	return store.StoredResponse{
		Request: []byte("request of " + text), Content: []byte("content of " + text),
		Expires: time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC),
	}
}

// expired returns an answer that nobody reads.
func expired() store.StoredResponse {
	answer := answerOf("old")
	answer.Expires = time.Now().Add(-2 * time.Second)
	return answer
}

// answerWork is the function of a transaction with answers.
type answerWork = func(ctx context.Context, tx store.Tx[account], answers store.ResponseTx) error

var errNoAnswers = errors.New("the store's transactions are no store.ResponseTx")

// withAnswers makes the function of a transaction.
func withAnswers(fn answerWork) work[account] {
	return func(ctx context.Context, tx store.Tx[account]) error {
		answers, ok := tx.(store.ResponseTx)
		if !ok {
			return errNoAnswers
		}
		return fn(ctx, tx, answers)
	}
}

// answering runs a transaction that must succeed.
func answering(c *trial[account], fn answerWork) {
	c.Helper()
	c.transact(withAnswers(fn))
}

// keep looks for the answer under a key, and keeps one.
func keep(c *trial[account], key string, answer store.StoredResponse) {
	c.Helper()
	answering(c, func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
		return keepNew(ctx, answers, key, answer)
	})
}

// keepNew keeps an answer under a key that must be free.
func keepNew(ctx context.Context, answers store.ResponseTx, key string, answer store.StoredResponse) error {
	switch _, err := answers.Response(ctx, key); {
	case err == nil:
		return errors.New("there is an answer already")
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return answers.KeepResponse(ctx, key, answer)
}

// hasAnswer checks that there is an answer under a key.
func hasAnswer(c *trial[account], key string, want store.StoredResponse) {
	c.Helper()
	answering(c, func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
		got, err := answers.Response(ctx, key)
		if err == nil {
			sameAnswer(c, want, got)
		}
		return err
	})
}

// missesAnswer checks that there is none.
func missesAnswer(c *trial[account], key string) {
	c.Helper()
	answering(c, func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
		got, err := answers.Response(ctx, key)
		if !errors.Is(err, store.ErrNotFound) {
			c.Errorf("Answer: %q, %v, want store.ErrNotFound", got.Content, err)
		}
		return nil
	})
}

func sameAnswer(c *trial[account], want, got store.StoredResponse) {
	c.Helper()
	switch {
	case !bytes.Equal(want.Request, got.Request):
		c.Errorf("the request of %d bytes came back as %d others", len(want.Request), len(got.Request))
	case !bytes.Equal(want.Content, got.Content):
		c.Errorf("the content of %d bytes came back as %d others", len(want.Content), len(got.Content))
	case got.Expires.Sub(want.Expires).Abs() >= time.Second:
		c.Errorf("an answer that expires %v came back as one that expires %v", want.Expires, got.Expires)
	}
}

func answerContentRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"the key of an answer may have 100 characters",
			"All of them count.",
			func(c *trial[account]) {
				long := strings.Repeat("0123456789", 10)
				other := long[:99] + "x"
				keep(c, long, answerOf("first"))
				missesAnswer(c, other)
				keep(c, other, answerOf("second"))
				hasAnswer(c, long, answerOf("first"))
				hasAnswer(c, other, answerOf("second"))
			},
		},
		{"keys are equal only byte for byte", "They are secrets of clients: one must not meet another's answer.", keysAreExact},
		{"the content of an answer is any bytes", "Each of the 256, in any order; none at all; text that is no UTF-8. So is the request.", anyBytes},
		{
			"the content of an answer may have 1 MiB",
			"It comes back whole.",
			func(c *trial[account]) {
				large := answerOf("large")
				large.Content = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
				keep(c, "key", large)
				hasAnswer(c, "key", large)
			},
		},
		{"an answer may be changed after it was kept", "The store keeps a copy.", answersAreCopies},
	}
}

func keysAreExact(c *trial[account]) {
	keys := []string{"key", "Key", "KEY", " key", "key ", "", "k%", "k_y", "'; DROP TABLE records; --", `"key"`, `k\ey`, "~!@#$%^&*()"}
	for _, key := range keys {
		keep(c, key, answerOf(key))
	}
	for _, key := range keys {
		hasAnswer(c, key, answerOf(key))
	}
}

func anyBytes(c *trial[account]) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(255 - i)
	}
	for key, content := range map[string][]byte{
		"every": every, "none": {}, "nil": nil, "nul": {0}, "no UTF-8": {0xff, 0xfe, 'a', 0xc3}, "text": []byte(`{"a": "\u0000 ' \\"}`),
	} {
		answer := answerOf(key)
		answer.Request, answer.Content = content, content
		keep(c, key, answer)
		hasAnswer(c, key, answer)
	}
}

func answersAreCopies(c *trial[account]) {
	answer := answerOf("first")
	answering(c, func(ctx context.Context, _ store.Tx[account], answers store.ResponseTx) error {
		answer = answerOf("first")
		err := keepNew(ctx, answers, "key", answer)
		clear(answer.Request)
		clear(answer.Content)
		return err
	})
	hasAnswer(c, "key", answerOf("first"))
}
