package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type letter struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// transactWithResponses runs a transaction that can store responses.
func transactWithResponses(t *testing.T, s *memory.Store[letter], fn func(ctx context.Context, tx store.Tx[letter], responses store.ResponseTx) error) error {
	t.Helper()
	return s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[letter]) error {
		responses, ok := tx.(store.ResponseTx)
		if !ok {
			return errors.New("not a store.ResponseTx")
		}
		return fn(ctx, tx, responses)
	})
}

func keep(t *testing.T, s *memory.Store[letter], key string, expires time.Time) {
	t.Helper()
	err := transactWithResponses(t, s, func(ctx context.Context, _ store.Tx[letter], responses store.ResponseTx) error {
		return responses.KeepResponse(ctx, key, store.StoredResponse{Content: []byte(key), Expires: expires})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMemoryOfResponsesIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New[letter]()
		for i := range 50 {
			keep(t, s, fmt.Sprint("later", i), time.Now().Add(time.Hour))
		}
		for i := range 2000 {
			keep(t, s, fmt.Sprint("past", i), time.Now())
		}
		if n := engine(s).Responses(); n < 50 || n > 200 {
			t.Errorf("%d responses are stored, want the 50 that have not expired, and at most 150 others", n)
		}
		err := transactWithResponses(t, s, func(ctx context.Context, _ store.Tx[letter], responses store.ResponseTx) error {
			if _, err := responses.Response(ctx, "past1999"); !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("a response that has expired: %w", err)
			}
			_, err := responses.Response(ctx, "later49")
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestAResponseThatIsStoredAgainCountsOnce(t *testing.T) {
	t.Parallel()
	s := memory.New[letter]()
	for i := range 10 {
		keep(t, s, "key", time.Now().Add(time.Duration(i+1)*time.Hour))
	}
	if n := engine(s).Responses(); n != 1 {
		t.Errorf("%d responses are stored, want 1", n)
	}
}

func TestAKeyBelongsToATransactionUntilItEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New[letter]()
		second := make(chan error, 1)
		err := transactWithResponses(t, s, func(ctx context.Context, _ store.Tx[letter], responses store.ResponseTx) error {
			if _, err := responses.Response(ctx, "key"); !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("the first transaction: %w", err)
			}
			go func() {
				second <- transactWithResponses(t, s, func(ctx context.Context, _ store.Tx[letter], responses store.ResponseTx) error {
					found, err := responses.Response(ctx, "key")
					if err == nil && string(found.Content) != "first" {
						err = fmt.Errorf("the response is %q", found.Content)
					}
					return err
				})
			}()
			synctest.Wait()
			return responses.KeepResponse(ctx, "key", store.StoredResponse{Content: []byte("first"), Expires: time.Now().Add(time.Hour)})
		})
		if err = errors.Join(err, <-second); err != nil {
			t.Error(err)
		}
	})
}

func TestResponsesOfAnEndedTransactionAreAnError(t *testing.T) {
	t.Parallel()
	s := memory.New[letter]()
	var ended store.ResponseTx
	if err := transactWithResponses(t, s, func(_ context.Context, _ store.Tx[letter], responses store.ResponseTx) error {
		ended = responses
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := ended.Response(t.Context(), "key"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Response: %v", err)
	}
	if err := ended.KeepResponse(t.Context(), "key", store.StoredResponse{}); err == nil {
		t.Error("KeepResponse: no error")
	}
}

func TestAnUnusableStoreKeepsNoResponses(t *testing.T) {
	t.Parallel()
	s := memory.New(letter{ID: 1}, letter{ID: 1})
	if err := s.CheckResponses(t.Context()); err == nil {
		t.Error("CheckResponses: no error")
	}
}
