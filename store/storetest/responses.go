package storetest

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
)

func responseRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a store that keeps responses implements store.ResponseKeeper",
			"Its CheckResponses must return nil, and its transactions must be a store.ResponseTx.",
			responsesAreStored,
		},
		{
			"random responses are read as they were stored, until they expire",
			"A transaction reads its own response, and later ones read it too. A key without one stays free, and is free again after the documented time. Expired responses must not hinder new ones, however many there are. " +
				"Keys of up to 100 characters are compared byte for byte: one client must not get the response of another. Content and Request may have any bytes, up to 1 MiB, which may be changed after they were stored.",
			responsesAtRandom,
		},
		{
			"the response of a transaction that saves nothing is not stored",
			"The client may repeat the request with the same key. This applies to an error, a panic, a cancelled context and a duplicate unique value, whenever the store detects it.",
			failureKeepsNoResponse,
		},
		{
			"a response is saved with the records of its transaction",
			"Both must be saved when Transact returns, regardless of the order of the writes. A hook may begin a transaction within that of its request.",
			responseWithRecords,
		},
		{
			"of concurrent requests with each key, one is saved",
			"The other ones wait or run again, and then get the stored response of their key. An expired response counts as missing.",
			func(c *trial[account]) {
				for round := range 5 {
					race(c, 2, "key "+strconv.Itoa(round))
				}
				race(c, 12, "key")
				race(c, 12, strings.Split("abcdefghijkl", "")...)
				c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
					return responses.KeepResponse(ctx, "old key", expired())
				}))
				race(c, 6, "old key")
			},
		},
		{"waiting for a key ends with the context", "If the client gives up, its request must stop waiting for the key.", cancelledForKey},
	}
}

func responsesAreStored(c *trial[account]) {
	keeper, ok := c.store.(store.ResponseKeeper)
	if !ok {
		c.Fatalf("%T does not implement store.ResponseKeeper", c.store)
	}
	if err := keeper.CheckResponses(c.ctx); err != nil {
		c.Errorf("CheckResponses: %v", err)
	}
	c.transact(withResponses(func(context.Context, store.Tx[account], store.ResponseTx) error { return nil }))
}

// responseOf returns a response that does not expire soon.
func responseOf(text string) store.StoredResponse {
	return store.StoredResponse{
		Request: []byte("request of " + text), Content: []byte("content of " + text),
		Expires: time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC),
	}
}

// expired returns a response that has expired.
func expired() store.StoredResponse {
	response := responseOf("old")
	response.Expires = time.Now().Add(-2 * time.Second)
	return response
}

// withResponses converts fn into the function of a transaction.
func withResponses(fn func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error) work[account] {
	return func(ctx context.Context, tx store.Tx[account]) error {
		responses, ok := tx.(store.ResponseTx)
		if !ok {
			return errors.New("the store's transactions do not implement store.ResponseTx")
		}
		return fn(ctx, tx, responses)
	}
}

// hasResponse checks the response stored for a key: want, or none if it is nil.
func hasResponse(c *trial[account], key string, want *store.StoredResponse) {
	c.Helper()
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		return c.reads(ctx, responses, key, want)
	}))
}

// reads does what hasResponse does, within a transaction.
func (c scene) reads(ctx context.Context, responses store.ResponseTx, key string, want *store.StoredResponse) error {
	c.Helper()
	got, err := responses.Response(ctx, key)
	switch {
	case want == nil && errors.Is(err, store.ErrNotFound):
		return nil
	case want == nil:
		c.Errorf("Response: %q, %v, want store.ErrNotFound", got.Content, err)
	case err != nil:
	case !bytes.Equal(want.Request, got.Request):
		c.Errorf("Request had %d bytes and was read as %d different bytes", len(want.Request), len(got.Request))
	case !bytes.Equal(want.Content, got.Content):
		c.Errorf("Content had %d bytes and was read as %d different bytes", len(want.Content), len(got.Content))
	case got.Expires.Sub(want.Expires).Abs() >= time.Second:
		c.Errorf("Expires was %v and was read as %v", want.Expires, got.Expires)
	}
	return err
}

// responsesAtRandom runs transactions that read the responses of some keys, and store new ones.
func responsesAtRandom(c *trial[account]) {
	random, stored, long := newGenerator(37), map[string]*store.StoredResponse{}, strings.Repeat("0123456789", 10)
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(255 - i)
	}
	for range 250 {
		var writes []work[account]
		kept := maps.Clone(stored)
		for range 1 + random.IntN(3) {
			key := one(random, "key", "Key", "KEY", " key", "key ", "", "k%", "k_y", "'; DROP TABLE records; --", `"key"`, `k\ey`, "~!@#$%^&*()", long, long[:99]+"x", strings.Repeat("k", random.IntN(60)))
			response := store.StoredResponse{Expires: one(random, responseOf("").Expires, time.Now().Add(10*time.Minute), expired().Expires)}
			content := func() []byte {
				return one(random, every, []byte{}, nil, []byte{0}, []byte{0xff, 0xfe, 'a', 0xc3}, []byte(`{"a": "\u0000 ' \\"}`), []byte(key))
			}
			if response.Request, response.Content = content(), content(); random.IntN(20) == 0 {
				response.Content = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
			}
			before, isKept := kept[key], kept[key] == nil && random.coin()
			if isKept && response.Expires.After(time.Now()) {
				kept[key] = &response
			}
			after := kept[key]
			writes = append(writes, withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
				err := c.reads(ctx, responses, key, before)
				if isKept && err == nil {
					given := store.StoredResponse{Request: bytes.Clone(response.Request), Content: bytes.Clone(response.Content), Expires: response.Expires}
					err = responses.KeepResponse(ctx, key, given)
					clear(given.Request)
					clear(given.Content)
				}
				return errors.Join(err, c.reads(ctx, responses, key, after))
			}))
		}
		if random.IntN(6) == 0 {
			c.rollsBack(inTurn(writes...))
		} else {
			c.transact(inTurn(writes...))
			stored = kept
		}
	}
}

func failureKeepsNoResponse(c *trial[account]) {
	record := named("taken")
	c.insert(record)
	run := func(ctx context.Context, email string, last func() error) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			if _, err := respondOnce(ctx, tx, responses, "key", email); err != nil {
				return err
			}
			return last()
		}))
	}
	c.taken("Transact", run(c.ctx, "taken", func() error { return nil }), "email")
	hasResponse(c, "key", nil)
	c.endings(func(ctx context.Context, last func() error) error { return run(ctx, "a", last) }, func() {
		c.holds(record)
		hasResponse(c, "key", nil)
	})
	hasResponse(c, "key", new(responseOf("a")))
}

func responseWithRecords(c *trial[account]) {
	c.transact(withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
		return errors.Join(responses.KeepResponse(ctx, "first key", responseOf("first")), tx.Insert(ctx, named("first")))
	}))
	c.transact(func(ctx context.Context, _ store.Tx[account]) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			_, err := respondOnce(ctx, tx, responses, "key", "joined")
			return err
		}))
	})
	hasResponse(c, "first key", new(responseOf("first")))
	hasResponse(c, "key", new(responseOf("joined")))
	if all := c.list(); len(all) != 2 || all[0].Email != "first" || all[1].Email != "joined" {
		c.Errorf("%d records were saved, want the two with a response", len(all))
	}
}

// race sends n requests with some keys concurrently. It checks that one record is saved for each key, whose requests all get
// its response.
func race(c *trial[account], n int, keys ...string) {
	c.Helper()
	before := len(c.list())
	responses := make([]string, n)
	errs := together(n, func(i int) error {
		return c.store.Transact(c.ctx, withResponses(func(ctx context.Context, tx store.Tx[account], kept store.ResponseTx) (err error) {
			key := keys[i%len(keys)]
			responses[i], err = respondOnce(ctx, tx, kept, key, key+" of "+strconv.Itoa(i))
			return err
		}))
	})
	c.succeed("Transact", errs)
	if saved := len(c.list()) - before; saved != len(keys) {
		c.Errorf("%d of %d requests with %d keys were saved, want one for each key", saved, n, len(keys))
	}
	for i, response := range responses {
		key := keys[i%len(keys)]
		if first := responses[i%len(keys)]; response != first || !strings.Contains(response, key+" of ") {
			c.Errorf("requests with the key %q got the responses %q and %q", key, first, response)
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
