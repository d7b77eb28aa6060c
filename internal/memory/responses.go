package memory

import (
	"context"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// Response returns the response stored for a key, as the transaction sees it. No other transaction stores one until this
// one ends.
func (t *tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if err := t.whole.usable(ctx); err != nil {
		return store.StoredResponse{}, err
	}
	if found := t.table().responses.get(filter.Text(key)); found != nil {
		if response := found.record.(*store.StoredResponse); time.Now().Before(response.Expires) {
			return *response, nil
		}
	}
	return store.StoredResponse{}, store.ErrNotFound
}

// KeepResponse stores a copy of a response. Whenever the number of responses has doubled, it deletes the expired ones.
func (t *tx) KeepResponse(ctx context.Context, key string, response store.StoredResponse) error {
	if err := t.whole.usable(ctx); err != nil {
		return err
	}
	response.Request, response.Content = slices.Clone(response.Request), slices.Clone(response.Content)
	in, version := t.whole.changed(t.in)
	in.responses.set(&row{key: filter.Text(key), record: &response}, version)
	if in.responses.count < in.sweepAt {
		return nil
	}
	var expired []filter.Value
	now, all := time.Now(), in.responses.all(false)
	for each := all.next(); each != nil; each = all.next() {
		if !now.Before(each.record.(*store.StoredResponse).Expires) {
			expired = append(expired, each.key)
		}
	}
	for _, key := range expired {
		in.responses.delete(key, filter.Value{}, version)
	}
	in.sweepAt = max(100, 2*in.responses.count)
	return nil
}
