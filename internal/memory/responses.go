package memory

import (
	"context"
	"slices"
	"time"

	"github.com/tidwall/btree"

	"github.com/trove-api/trove/store"
)

// responses are the responses of a store, by key.
type responses struct {
	byKey   *btree.Map[string, *store.StoredResponse]
	sweepAt int // the number of responses at which the expired ones are deleted
}

// Response returns the response stored for a key, as the transaction sees it. No other transaction stores one until this
// one ends.
func (t *Tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if err := t.whole.usable(ctx); err != nil {
		return store.StoredResponse{}, err
	}
	if found, ok := t.table().responses.byKey.Get(key); ok && time.Now().Before(found.Expires) {
		return *found, nil
	}
	return store.StoredResponse{}, store.ErrNotFound
}

// KeepResponse stores a copy of a response. Whenever the number of responses has doubled, it deletes the expired ones.
func (t *Tx) KeepResponse(ctx context.Context, key string, response store.StoredResponse) error {
	if err := t.whole.usable(ctx); err != nil {
		return err
	}
	response.Request, response.Content = slices.Clone(response.Request), slices.Clone(response.Content)
	in := &t.whole.changed(t.in).responses
	if in.byKey == t.whole.saved.table(t.in).responses.byKey {
		in.byKey = in.byKey.Copy()
	}
	if in.byKey.Set(key, &response); in.byKey.Len() < in.sweepAt {
		return nil
	}
	var expired []string
	now := time.Now()
	in.byKey.Scan(func(key string, each *store.StoredResponse) bool {
		if !now.Before(each.Expires) {
			expired = append(expired, key)
		}
		return true
	})
	for _, key := range expired {
		in.byKey.Delete(key)
	}
	in.sweepAt = max(100, 2*in.byKey.Len())
	return nil
}
