package store

import (
	"context"
	"time"
)

// StoredResponse is the response to a request with an Idempotency-Key.
type StoredResponse struct {
	// Request is a hash of the request. A different request with the same key is rejected.
	Request []byte
	// Content is the encoded response. Its format is internal to Trove.
	Content []byte
	// Expires is when the response may be forgotten. Stores keep it with a precision of one second or finer.
	Expires time.Time
}

// ResponseKeeper is implemented by stores whose transactions are a [ResponseTx]. They make requests with an
// Idempotency-Key retryable: a repeated request gets the first response and saves nothing. resource.New requires it if
// an operation sets Idempotency.
type ResponseKeeper interface {
	// CheckResponses returns an error if the store cannot keep responses. resource.New calls it if an operation sets
	// Idempotency, and reports its error with the others.
	CheckResponses(ctx context.Context) error
}

// ResponseTx is implemented by the transactions of a [ResponseKeeper], in addition to [Tx]. Responses are saved with
// the records of the transaction, or not at all. All tables of a database share their keys; each store in memory has
// its own.
type ResponseTx interface {
	// Response returns the response stored for a key, or an error that is [ErrNotFound] if it does not exist or has
	// expired. If it is not found, no other transaction can store one for that key until this transaction ends. A
	// second one waits and then gets the first one's response, or runs again. The key has at most 100 ASCII characters.
	// The response is shared, so the caller must not change it.
	Response(ctx context.Context, key string) (StoredResponse, error)
	// KeepResponse stores a copy of a response for a key, after Response returned ErrNotFound for it. It may delete
	// expired responses of any key.
	KeepResponse(ctx context.Context, key string, response StoredResponse) error
}
