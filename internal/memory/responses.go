package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/btree"

	"github.com/trove-api/trove/store"
)

// Response returns the response stored for a key, as the transaction sees it. No other transaction stores one until this
// one ends.
func (t *Tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if err := t.whole.usable(ctx); err != nil {
		return store.StoredResponse{}, err
	}
	now := time.Now()
	if stored := t.table().responses; stored.areExpired(now) {
		t.changed().responses.forget(now)
	}
	return t.table().responses.get(key, now)
}

// KeepResponse stores a copy of a response.
func (t *Tx) KeepResponse(ctx context.Context, key string, response store.StoredResponse) error {
	if err := t.whole.usable(ctx); err != nil {
		return err
	}
	in := t.changed()
	if in.responses == nil {
		in.responses = newResponses()
	}
	response.Request, response.Content = slices.Clone(response.Request), slices.Clone(response.Content)
	in.responses.remove(key)
	in.responses.add(&storedResponse{response, key})
	in.responses.forget(time.Now())
	return nil
}

// responses are the responses of a store, by key and by expiry. Nil has none.
type responses struct {
	byKey, byExpiry *btree.BTreeG[*storedResponse]
}

// storedResponse is a response with its key.
type storedResponse struct {
	store.StoredResponse

	key string
}

func newResponses() *responses {
	return &responses{
		byKey: newTree(func(a, b *storedResponse) bool { return a.key < b.key }),
		byExpiry: newTree(func(a, b *storedResponse) bool {
			if compared := a.Expires.Compare(b.Expires); compared != 0 {
				return compared < 0
			}
			return strings.Compare(a.key, b.key) < 0
		}),
	}
}

func (r *responses) copy() *responses {
	if r == nil {
		return nil
	}
	return &responses{r.byKey.Copy(), r.byExpiry.Copy()}
}

// get returns the response of a key, or [store.ErrNotFound] if it does not exist or has expired.
func (r *responses) get(key string, now time.Time) (store.StoredResponse, error) {
	if r != nil {
		if found, ok := r.byKey.Get(&storedResponse{key: key}); ok && now.Before(found.Expires) {
			return found.StoredResponse, nil
		}
	}
	return store.StoredResponse{}, store.ErrNotFound
}

func (r *responses) add(added *storedResponse) {
	r.byKey.Set(added)
	r.byExpiry.Set(added)
}

func (r *responses) remove(key string) {
	if old, ok := r.byKey.Delete(&storedResponse{key: key}); ok {
		r.byExpiry.Delete(old)
	}
}

// areExpired reports whether a response has expired.
func (r *responses) areExpired(now time.Time) bool {
	if r == nil {
		return false
	}
	first, ok := r.byExpiry.Min()
	return ok && !now.Before(first.Expires)
}

// forgotten is the maximum number of responses that one call deletes: many more than it adds, but few enough not to
// delay the transaction.
const forgotten = 100

// forget deletes the first expired responses.
func (r *responses) forget(now time.Time) {
	for i := 0; i < forgotten && r.areExpired(now); i++ {
		first, _ := r.byExpiry.Min()
		r.remove(first.key)
	}
}
