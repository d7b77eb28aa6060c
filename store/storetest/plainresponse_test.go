package storetest_test

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// CheckResponses makes a plain store a ResponseKeeper.
func (s *plain[T]) CheckResponses(context.Context) error {
	if s.fault == keepsNoResponses {
		return store.ErrUnavailable
	}
	return nil
}

func (t *plainTx[T]) Response(_ context.Context, key string) (store.StoredResponse, error) {
	from := t.state.responses
	if t.fault == readsSavedResponses {
		from = t.saved.responses
	}
	response, ok := from[t.keyOf(key)]
	if !ok || t.fault != neverExpires && !time.Now().Before(response.Expires) {
		if t.fault == reservesReadKeys {
			t.state.responses = with(t.state.responses, key, store.StoredResponse{Expires: time.Now().Add(time.Hour)})
		}
		return store.StoredResponse{}, store.ErrNotFound
	}
	return response, nil
}

// with returns a copy of the map with one more response.
func with(responses map[string]store.StoredResponse, key string, response store.StoredResponse) map[string]store.StoredResponse {
	made := maps.Clone(responses)
	if made == nil {
		made = map[string]store.StoredResponse{}
	}
	made[key] = response
	return made
}

func (t *plainTx[T]) KeepResponse(_ context.Context, key string, response store.StoredResponse) error {
	key = t.keyOf(key)
	if t.fault != sharesResponses {
		response.Request, response.Content = bytes.Clone(response.Request), bytes.Clone(response.Content)
	}
	switch _, taken := t.state.responses[key]; {
	case t.fault == losesResponses, t.fault == keepsFirstResponse && taken:
		return nil
	case t.fault == limitsResponses && (len(response.Content) > 1<<16 || len(t.state.responses) >= 20):
		return store.ErrConflict
	case t.fault == textResponses && !utf8.Valid(response.Content):
		response.Content = []byte(strings.ToValidUTF8(string(response.Content), "?"))
	}
	t.state.responses = with(t.state.responses, key, response)
	if t.fault == savesResponsesFirst {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.saved.responses = t.state.responses
	}
	return nil
}

func (t *plainTx[T]) keyOf(key string) string {
	switch t.fault {
	case foldsCase:
		return strings.ToLower(strings.TrimSpace(key))
	case cutsKeys:
		return key[:min(len(key), 64)]
	}
	return key
}
