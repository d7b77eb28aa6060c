package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/btree"

	"github.com/trove-api/trove/store"
)

// CheckResponses returns the same error as [Store.Check]: the store also stores responses.
func (s *Store) CheckResponses(ctx context.Context) error { return s.Check(ctx) }

// keyLock is the lock of a response's key, which never equals an id of a record.
type keyLock string

// Response returns the response stored for a key, as the transaction sees it, and locks the key for the rest of the
// transaction.
func (t *Tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if err := t.lockKey(ctx, key); err != nil {
		return store.StoredResponse{}, err
	}
	if response, ok := t.responses[key]; ok {
		return response, nil
	}
	return t.in.responses.get(key, time.Now())
}

// KeepResponse stages a copy of a response.
func (t *Tx) KeepResponse(ctx context.Context, key string, response store.StoredResponse) error {
	if err := t.lockKey(ctx, key); err != nil {
		return err
	}
	if t.responses == nil {
		t.responses = map[string]store.StoredResponse{}
	}
	response.Request, response.Content = slices.Clone(response.Request), slices.Clone(response.Content)
	t.responses[key] = response
	return nil
}

func (t *Tx) lockKey(ctx context.Context, key string) error {
	if err := t.going(ctx); err != nil {
		return err
	}
	_, err := t.hold(ctx, keyLock(key))
	return err
}

// storedResponses are the responses of a store, by key and by expiry. It is safe for concurrent use.
type storedResponses struct {
	mu       sync.Mutex
	byKey    map[string]*storedResponse
	byExpiry *btree.BTreeG[*storedResponse]
}

// storedResponse is a response with its key.
type storedResponse struct {
	store.StoredResponse

	key string
}

func newStoredResponses() *storedResponses {
	less := func(a, b *storedResponse) bool {
		return cmp.Or(a.Expires.Compare(b.Expires), strings.Compare(a.key, b.key)) < 0
	}
	return &storedResponses{byKey: map[string]*storedResponse{}, byExpiry: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// get returns the response of a key, or [store.ErrNotFound] if it does not exist or has expired.
func (a *storedResponses) get(key string, now time.Time) (store.StoredResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(now)
	if found := a.byKey[key]; found != nil && now.Before(found.Expires) {
		return found.StoredResponse, nil
	}
	return store.StoredResponse{}, store.ErrNotFound
}

// keep adds responses, and replaces those of the same keys.
func (a *storedResponses) keep(staged map[string]store.StoredResponse, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, each := range staged {
		a.remove(a.byKey[key])
		made := &storedResponse{each, key}
		a.byKey[key] = made
		a.byExpiry.Set(made)
	}
	a.forget(now)
}

// forgotten is the maximum number of responses that one call deletes: many more than it adds, but few enough not to
// delay the transaction.
const forgotten = 100

// forget deletes the first expired responses.
func (a *storedResponses) forget(now time.Time) {
	for range forgotten {
		first, ok := a.byExpiry.Min()
		if !ok || now.Before(first.Expires) {
			return
		}
		a.remove(first)
	}
}

// remove deletes a response; nil is ignored.
func (a *storedResponses) remove(old *storedResponse) {
	if old != nil {
		a.byExpiry.Delete(old)
		delete(a.byKey, old.key)
	}
}
