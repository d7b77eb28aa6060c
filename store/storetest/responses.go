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

func responseRules() []rule[*trial[account]] {
	return slices.Concat(storedResponseRules(), responseContentRules(), responseTransactionRules(), responseRaceRules())
}

func storedResponseRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a store that keeps responses implements store.ResponseKeeper",
			"Its CheckResponses must return nil, and its transactions must be a store.ResponseTx.",
			responsesAreStored,
		},
		{"a stored response is read by another transaction", "The client may repeat the request at any time until the response expires.", responseIsReadAgain},
		{"a key without a stored response stays free", "A client may correct a rejected request and send it again with the same key.", newKeyIsFree},
		{"an expired response is not found", "After the documented time the key is free again.", expiredIsMissing},
		{"a response may replace an expired one", "The new response must be the one that is read.", expiredIsReplaced},
		{"expired responses do not hinder new ones", "This must not depend on how many there are.", expiredIsNoObstacle},
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
	transactWithResponses(c, func(context.Context, store.Tx[account], store.ResponseTx) error { return nil })
}

func responseIsReadAgain(c *trial[account]) {
	hasNoResponse(c, "key")
	keep(c, "key", responseOf("first"))
	hasNoResponse(c, "another key")
	hasResponse(c, "key", responseOf("first"))
	hasResponse(c, "key", responseOf("first"))
}

func newKeyIsFree(c *trial[account]) {
	hasNoResponse(c, "key")
	hasNoResponse(c, "key")
	keep(c, "key", responseOf("first"))
	hasResponse(c, "key", responseOf("first"))
}

func expiredIsMissing(c *trial[account]) {
	soon := responseOf("soon")
	soon.Expires = time.Now().Add(10 * time.Minute)
	keep(c, "past", expired())
	keep(c, "future", soon)
	hasNoResponse(c, "past")
	hasResponse(c, "future", soon)
}

func expiredIsReplaced(c *trial[account]) {
	keep(c, "key", expired())
	keep(c, "key", responseOf("new"))
	hasResponse(c, "key", responseOf("new"))
}

func expiredIsNoObstacle(c *trial[account]) {
	for i := range 60 {
		keep(c, strings.Repeat("k", i+1), expired())
	}
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

// transactWithResponses runs a transaction that must succeed.
func transactWithResponses(c *trial[account], fn responseWork) {
	c.Helper()
	c.transact(withResponses(fn))
}

// keep reads the response of a key, and stores one.
func keep(c *trial[account], key string, response store.StoredResponse) {
	c.Helper()
	transactWithResponses(c, func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		return keepNew(ctx, responses, key, response)
	})
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
	transactWithResponses(c, func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		got, err := responses.Response(ctx, key)
		if err == nil {
			sameResponse(c, want, got)
		}
		return err
	})
}

// hasNoResponse checks that a key has no response.
func hasNoResponse(c *trial[account], key string) {
	c.Helper()
	transactWithResponses(c, func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		got, err := responses.Response(ctx, key)
		if !errors.Is(err, store.ErrNotFound) {
			c.Errorf("Response: %q, %v, want store.ErrNotFound", got.Content, err)
		}
		return nil
	})
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

func responseContentRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"a key may have 100 characters",
			"All characters count.",
			func(c *trial[account]) {
				long := strings.Repeat("0123456789", 10)
				other := long[:99] + "x"
				keep(c, long, responseOf("first"))
				hasNoResponse(c, other)
				keep(c, other, responseOf("second"))
				hasResponse(c, long, responseOf("first"))
				hasResponse(c, other, responseOf("second"))
			},
		},
		{"keys are compared byte for byte", "Clients keep their keys secret. One client must not get the response of another.", keysAreExact},
		{"a response may contain any bytes", "Content and Request may have any of the 256 byte values in any order, be empty, or be invalid UTF-8.", anyBytes},
		{
			"a response may have 1 MiB",
			"It must be read back completely.",
			func(c *trial[account]) {
				large := responseOf("large")
				large.Content = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
				keep(c, "key", large)
				hasResponse(c, "key", large)
			},
		},
		{"a response may be changed after it was stored", "The store must keep a copy.", responsesAreCopies},
	}
}

func keysAreExact(c *trial[account]) {
	keys := []string{"key", "Key", "KEY", " key", "key ", "", "k%", "k_y", "'; DROP TABLE records; --", `"key"`, `k\ey`, "~!@#$%^&*()"}
	for _, key := range keys {
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
}

func responsesAreCopies(c *trial[account]) {
	response := responseOf("first")
	transactWithResponses(c, func(ctx context.Context, _ store.Tx[account], responses store.ResponseTx) error {
		response = responseOf("first")
		err := keepNew(ctx, responses, "key", response)
		clear(response.Request)
		clear(response.Content)
		return err
	})
	hasResponse(c, "key", responseOf("first"))
}
