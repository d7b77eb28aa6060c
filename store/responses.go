package store

import (
	"context"
	"time"
)

// Answer is what was answered to a request that carried an Idempotency-Key.
type StoredResponse struct {
	// Request is a hash of the request. Another request under the same key is refused.
	Request []byte
	// Content is the answer. Its form is Trove's own; stores only keep it.
	Content []byte
	// Expires is when the answer is forgotten. A store keeps it to the second or finer.
	Expires time.Time
}

// ResponseKeeper is implemented by stores whose transactions are [ResponseTx]: with them a
// request that is sent again is answered as it was the first time, and saves nothing.
// resource.New demands it of the store where an operation declares an Idempotency.
type ResponseKeeper interface {
	// CheckResponses tells at start-up whether answers can be kept. resource.New calls it
	// where an operation needs it, and reports its error among the others.
	CheckResponses(ctx context.Context) error
}

// ResponseTx is what the transactions of an [ResponseKeeper] can do beside those of [Tx].
// Answers are saved with the records of the transaction, or not at all. The tables of a
// database share their keys too; each store in memory has its own.
type ResponseTx interface {
	// Answer returns the answer that is kept under a key, or an error that is
	// [ErrNotFound] where there is none or it has expired. From then until the
	// transaction ends no other one that found none keeps an answer under that key: a
	// second one waits and then sees the first one's answer, or is run again. The key is
	// at most 100 characters of ASCII. The answer is shared: the caller only reads it.
	Response(ctx context.Context, key string) (StoredResponse, error)
	// KeepResponse keeps a copy of an answer under a key for which Answer found none.
	// Those that have expired, under whatever key, may be dropped on the way.
	KeepResponse(ctx context.Context, key string, response StoredResponse) error
}
