package storetest

import (
	"context"
	"errors"
	"strconv"

	"github.com/trove-api/trove/store"
)

func responseTransactionRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{"a transaction reads the response that it stored", "A transaction reads its own writes.", readsOwnResponse},
		{"the response of a failed transaction is not stored", "Nothing was saved, so the client may repeat the request with the same key.", failureKeepsNoResponse},
		{"the response of a transaction that panics is not stored", "Its locks must be released too.", panicKeepsNoResponse},
		{"the response of a transaction that cannot be saved is not stored", "This applies to a duplicate unique value, regardless of when the store detects it.", conflictKeepsNoResponse},
		{"a response is saved with the records of its transaction", "Both must be saved when Transact returns, regardless of the order of the writes.", responseWithRecords},
		{"a response is saved with the records of a joined transaction", "A hook may begin a transaction within that of its request.", responseOfJoined},
	}
}

// saveWithResponse inserts a record, and stores a response for "key".
func saveWithResponse(ctx context.Context, tx store.Tx[account], responses store.ResponseTx, email string) error {
	if _, err := responses.Response(ctx, "key"); !errors.Is(err, store.ErrNotFound) {
		return errors.Join(errors.New("the key already has a response"), err)
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return err
	}
	return responses.KeepResponse(ctx, "key", responseOf(email))
}

// nothingSaved checks that nothing was saved, and that the key can be used.
func nothingSaved(c *trial[account]) {
	c.Helper()
	c.holds()
	hasNoResponse(c, "key")
	keep(c, "key", responseOf("later"))
	hasResponse(c, "key", responseOf("later"))
}

func failureKeepsNoResponse(c *trial[account]) {
	c.rollsBack(withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
		return saveWithResponse(ctx, tx, responses, "a")
	}))
	nothingSaved(c)
}

func panicKeepsNoResponse(c *trial[account]) {
	func() {
		defer func() { _ = recover() }()
		_ = c.store.Transact(c.ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			if err := saveWithResponse(ctx, tx, responses, "a"); err != nil {
				return err
			}
			panic("thrown by the function")
		}))
	}()
	nothingSaved(c)
}

func conflictKeepsNoResponse(c *trial[account]) {
	record := named("taken")
	c.insert(record)
	err := c.store.Transact(c.ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
		return saveWithResponse(ctx, tx, responses, "taken")
	}))
	c.taken("Transact", err, "email")
	hasNoResponse(c, "key")
	c.holds(record)
}

func responseWithRecords(c *trial[account]) {
	record := named("a")
	transactWithResponses(c, func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
		record = named("a")
		if err := keepNew(ctx, responses, "key", responseOf("a")); err != nil {
			return err
		}
		return tx.Insert(ctx, record)
	})
	hasResponse(c, "key", responseOf("a"))
	c.holds(record)
}

func responseOfJoined(c *trial[account]) {
	c.transact(func(ctx context.Context, _ store.Tx[account]) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			return saveWithResponse(ctx, tx, responses, "a")
		}))
	})
	hasResponse(c, "key", responseOf("a"))
}

func readsOwnResponse(c *trial[account]) {
	transactWithResponses(c, func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		for _, key := range []string{"key", "another key"} {
			if err := keepNew(ctx, responses, key, responseOf(key)); err != nil {
				return err
			}
			got, err := responses.Response(ctx, key)
			if err != nil {
				return err
			}
			sameResponse(c, responseOf(key), got)
		}
		return nil
	})
}

func responseRaceRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"of two concurrent requests with one key, one is saved",
			"The other one waits or runs again, and then gets the stored response.",
			func(c *trial[account]) {
				for round := range 5 {
					race(c, 2, "key "+strconv.Itoa(round), nil)
				}
			},
		},
		{"of many concurrent requests with one key, one is saved", "The same applies to many.", func(c *trial[account]) { race(c, 12, "key", nil) }},
		{
			"of concurrent requests with an expired key, one is saved",
			"An expired response counts as missing.",
			func(c *trial[account]) {
				old := expired()
				race(c, 6, "key", &old)
			},
		},
		{"concurrent requests with different keys are all saved", "Each must get its own response.", differentKeys},
		{"waiting for a key ends with the context", "If the client gives up, its request must stop waiting for the key.", cancelledForKey},
	}
}

// race sends one request n times concurrently, and checks that one record is saved and that all got the same response.
func race(c *trial[account], n int, key string, old *store.StoredResponse) {
	c.Helper()
	before := len(c.list())
	if old != nil {
		keep(c, key, *old)
	}
	responses := make([]string, n)
	errs := together(n, func(i int) error {
		return c.store.Transact(c.ctx, withResponses(func(ctx context.Context, tx store.Tx[account], kept store.ResponseTx) (err error) {
			responses[i], err = respondOnce(ctx, tx, kept, key, key+" of "+strconv.Itoa(i))
			return err
		}))
	})
	c.succeed("Transact", errs)
	if saved := len(c.list()) - before; saved != 1 {
		c.Errorf("%d of %d requests with one key were saved, want 1", saved, n)
	}
	for _, response := range responses {
		if response != responses[0] {
			c.Errorf("requests with one key got the responses %q and %q", responses[0], response)
		}
	}
}

// respondOnce returns the stored response, or saves a record and stores one.
func respondOnce(ctx context.Context, tx store.Tx[account], kept store.ResponseTx, key, email string) (string, error) {
	response, err := kept.Response(ctx, key)
	if !errors.Is(err, store.ErrNotFound) {
		return string(response.Content), err
	}
	if err := tx.Insert(ctx, named(email)); err != nil {
		return "", err
	}
	response = responseOf(email)
	return string(response.Content), kept.KeepResponse(ctx, key, response)
}

func differentKeys(c *trial[account]) {
	const n = 12
	key := func(i int) string { return "key " + strconv.Itoa(i) }
	c.succeed("Transact", together(n, func(i int) error {
		return c.store.Transact(c.ctx, withResponses(func(ctx context.Context, tx store.Tx[account], kept store.ResponseTx) error {
			_, err := respondOnce(ctx, tx, kept, key(i), key(i))
			return err
		}))
	}))
	if saved := len(c.list()); saved != n {
		c.Errorf("%d of %d requests with different keys were saved", saved, n)
	}
	for i := range n {
		hasResponse(c, key(i), responseOf(key(i)))
	}
}

func cancelledForKey(c *trial[account]) {
	endsWaiting(c, func(ctx context.Context, then func()) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
			_, err := responses.Response(ctx, "key")
			then()
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		}))
	})
}
