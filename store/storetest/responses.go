package storetest

import (
	"bytes"
	"context"
	"errors"
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
			"a stored response is read by later transactions, and a key without one stays free",
			"The client may repeat the request at any time until the response expires. It may correct a rejected request and send it again with the same key.",
			responseIsReadAgain,
		},
		{
			"an expired response is not found and may be replaced",
			"After the documented time the key is free again. Expired responses must not hinder new ones, however many there are.",
			expiredIsMissing,
		},
		{
			"keys are compared byte for byte",
			"A key may have 100 characters. Clients keep their keys secret. One client must not get the response of another.",
			keysAreExact,
		},
		{
			"a response may contain any bytes",
			"Content and Request may have any of the 256 byte values in any order, be empty, invalid UTF-8, or 1 MiB.",
			anyBytes,
		},
		{"a response may be changed after it was stored", "The store must keep a copy.", responsesAreCopies},
		{"a transaction reads the response that it stored", "A transaction reads its own writes.", readsOwnResponse},
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
			"of concurrent requests with one key, one is saved",
			"The other ones wait or run again, and then get the stored response. An expired response counts as missing.",
			func(c *trial[account]) {
				for round := range 5 {
					race(c, 2, "key "+strconv.Itoa(round), nil)
				}
				race(c, 12, "key", nil)
				race(c, 6, "old key", new(expired()))
			},
		},
		{"concurrent requests with different keys are all saved", "Each must get its own response.", differentKeys},
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

func responseIsReadAgain(c *trial[account]) {
	for range 2 {
		hasNoResponse(c, "key")
	}
	keep(c, "key", responseOf("first"))
	hasNoResponse(c, "another key")
	for range 2 {
		hasResponse(c, "key", responseOf("first"))
	}
}

func expiredIsMissing(c *trial[account]) {
	soon := responseOf("soon")
	soon.Expires = time.Now().Add(10 * time.Minute)
	keep(c, "future", soon)
	for i := range 60 {
		keep(c, strings.Repeat("k", i+1), expired())
	}
	hasResponse(c, "future", soon)
	keep(c, "k", responseOf("new"))
	hasResponse(c, "k", responseOf("new"))
	hasNoResponse(c, "kk")
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

// responseWork is the function of a transaction that stores responses.
type responseWork = func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error

var errNoResponses = errors.New("the store's transactions do not implement store.ResponseTx")

// withResponses converts fn into the function of a transaction.
func withResponses(fn responseWork) work[account] {
	return func(ctx context.Context, tx store.Tx[account]) error {
		responses, ok := tx.(store.ResponseTx)
		if !ok {
			return errNoResponses
		}
		return fn(ctx, tx, responses)
	}
}

// keep reads the response of a key, and stores one.
func keep(c *trial[account], key string, response store.StoredResponse) {
	c.Helper()
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		return keepNew(ctx, responses, key, response)
	}))
}

// keepNew stores a response for a key that must be free.
func keepNew(ctx context.Context, responses store.ResponseTx, key string, response store.StoredResponse) error {
	switch _, err := responses.Response(ctx, key); {
	case err == nil:
		return errors.New("the key already has a response")
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return responses.KeepResponse(ctx, key, response)
}

// hasResponse checks the response stored for a key.
func hasResponse(c *trial[account], key string, want store.StoredResponse) {
	c.Helper()
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		got, err := responses.Response(ctx, key)
		if err == nil {
			sameResponse(c, want, got)
		}
		return err
	}))
}

// hasNoResponse checks that a key has no response.
func hasNoResponse(c *trial[account], key string) {
	c.Helper()
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		got, err := responses.Response(ctx, key)
		if !errors.Is(err, store.ErrNotFound) {
			c.Errorf("Response: %q, %v, want store.ErrNotFound", got.Content, err)
		}
		return nil
	}))
}

func sameResponse(c *trial[account], want, got store.StoredResponse) {
	c.Helper()
	switch {
	case !bytes.Equal(want.Request, got.Request):
		c.Errorf("Request had %d bytes and was read as %d different bytes", len(want.Request), len(got.Request))
	case !bytes.Equal(want.Content, got.Content):
		c.Errorf("Content had %d bytes and was read as %d different bytes", len(want.Content), len(got.Content))
	case got.Expires.Sub(want.Expires).Abs() >= time.Second:
		c.Errorf("Expires was %v and was read as %v", want.Expires, got.Expires)
	}
}

func keysAreExact(c *trial[account]) {
	long := strings.Repeat("0123456789", 10)
	keys := []string{"key", "Key", "KEY", " key", "key ", "", "k%", "k_y", "'; DROP TABLE records; --", `"key"`, `k\ey`, "~!@#$%^&*()", long, long[:99] + "x"}
	for _, key := range keys {
		hasNoResponse(c, key)
		keep(c, key, responseOf(key))
	}
	for _, key := range keys {
		hasResponse(c, key, responseOf(key))
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
		response := responseOf(key)
		response.Request, response.Content = content, content
		keep(c, key, response)
		hasResponse(c, key, response)
	}
	large := responseOf("large")
	large.Content = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	keep(c, "key", large)
	hasResponse(c, "key", large)
}

func responsesAreCopies(c *trial[account]) {
	response := responseOf("first")
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		response = responseOf("first")
		err := keepNew(ctx, responses, "key", response)
		clear(response.Request)
		clear(response.Content)
		return err
	}))
	hasResponse(c, "key", responseOf("first"))
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

func failureKeepsNoResponse(c *trial[account]) {
	record := named("taken")
	c.insert(record)
	run := func(ctx context.Context, email string, last func() error) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			if err := saveWithResponse(ctx, tx, responses, email); err != nil {
				return err
			}
			return last()
		}))
	}
	c.taken("Transact", run(c.ctx, "taken", func() error { return nil }), "email")
	hasNoResponse(c, "key")
	c.endings(func(ctx context.Context, last func() error) error { return run(ctx, "a", last) }, func() {
		c.holds(record)
		hasNoResponse(c, "key")
	})
	hasResponse(c, "key", responseOf("a"))
}

func responseWithRecords(c *trial[account]) {
	c.transact(withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
		if err := keepNew(ctx, responses, "first key", responseOf("first")); err != nil {
			return err
		}
		return tx.Insert(ctx, named("first"))
	}))
	c.transact(func(ctx context.Context, _ store.Tx[account]) error {
		return c.store.Transact(ctx, withResponses(func(ctx context.Context, tx store.Tx[account], responses store.ResponseTx) error {
			return saveWithResponse(ctx, tx, responses, "joined")
		}))
	})
	hasResponse(c, "first key", responseOf("first"))
	hasResponse(c, "key", responseOf("joined"))
	if all := c.list(); len(all) != 2 || all[0].Email != "first" || all[1].Email != "joined" {
		c.Errorf("%d records were saved, want the two with a response", len(all))
	}
}

func readsOwnResponse(c *trial[account]) {
	c.transact(withResponses(func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
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
	}))
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
