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

// CheckResponses makes a plain store an ResponseKeeper.
func (s *plain[T]) CheckResponses(context.Context) error {
	if s.fault == keepsNoAnswers {
		return store.ErrUnavailable
	}
	return nil
}

func (t *plainTx[T]) Response(_ context.Context, key string) (store.StoredResponse, error) {
	from := t.state.answers
	if t.fault == readsSavedAnswers {
		from = t.saved.answers
	}
	answer, ok := from[t.keyOf(key)]
	if !ok || t.fault != neverExpires && !time.Now().Before(answer.Expires) {
		if t.fault == takesAskedKeys {
			t.state.answers = with(t.state.answers, key, store.StoredResponse{Expires: time.Now().Add(time.Hour)})
		}
		return store.StoredResponse{}, store.ErrNotFound
	}
	return answer, nil
}

// with returns a map with one more answer; the other transactions' is not changed.
func with(answers map[string]store.StoredResponse, key string, answer store.StoredResponse) map[string]store.StoredResponse {
	made := maps.Clone(answers)
	if made == nil {
		made = map[string]store.StoredResponse{}
	}
	made[key] = answer
	return made
}

func (t *plainTx[T]) KeepResponse(_ context.Context, key string, answer store.StoredResponse) error {
	key = t.keyOf(key)
	if t.fault != sharesAnswers {
		answer.Request, answer.Content = bytes.Clone(answer.Request), bytes.Clone(answer.Content)
	}
	switch _, taken := t.state.answers[key]; {
	case t.fault == losesAnswers, t.fault == keepsFirstAnswer && taken:
		return nil
	case t.fault == limitsAnswers && (len(answer.Content) > 1<<16 || len(t.state.answers) >= 20):
		return store.ErrConflict
	case t.fault == textAnswers && !utf8.Valid(answer.Content):
		answer.Content = []byte(strings.ToValidUTF8(string(answer.Content), "?"))
	}
	t.state.answers = with(t.state.answers, key, answer)
	if t.fault == savesAnswersFirst {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.saved.answers = t.state.answers
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
