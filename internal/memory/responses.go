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

// CheckResponses returns what [Store.Check] does: the store keeps answers too.
func (s *Store) CheckResponses(ctx context.Context) error { return s.Check(ctx) }

// answerLock is the lock of an answer's key, which no id of a record is equal to.
type answerLock string

// Response returns the answer that is kept under a key as the transaction sees it, and
// locks the key, there or not, for the rest of the transaction.
func (t *Tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	if err := t.lockAnswer(ctx, key); err != nil {
		return store.StoredResponse{}, err
	}
	if answer, ok := t.answers[key]; ok {
		return answer, nil
	}
	return t.in.answers.get(key, time.Now())
}

// KeepResponse stages a copy of an answer.
func (t *Tx) KeepResponse(ctx context.Context, key string, answer store.StoredResponse) error {
	if err := t.lockAnswer(ctx, key); err != nil {
		return err
	}
	if t.answers == nil {
		t.answers = map[string]store.StoredResponse{}
	}
	answer.Request, answer.Content = slices.Clone(answer.Request), slices.Clone(answer.Content)
	t.answers[key] = answer
	return nil
}

func (t *Tx) lockAnswer(ctx context.Context, key string) error {
	if err := t.going(ctx); err != nil {
		return err
	}
	_, err := t.hold(ctx, answerLock(key))
	return err
}

// keptAnswers are the answers of a store, by key and by when they expire. It is safe for use
// by many goroutines.
type keptAnswers struct {
	mu       sync.Mutex
	byKey    map[string]*keptAnswer
	byExpiry *btree.BTreeG[*keptAnswer]
}

// keptAnswer is an answer with its key.
type keptAnswer struct {
	store.StoredResponse

	key string
}

func newKeptAnswers() *keptAnswers {
	less := func(a, b *keptAnswer) bool {
		return cmp.Or(a.Expires.Compare(b.Expires), strings.Compare(a.key, b.key)) < 0
	}
	return &keptAnswers{byKey: map[string]*keptAnswer{}, byExpiry: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// get returns the answer under a key unless it has expired, else [store.ErrNotFound].
func (a *keptAnswers) get(key string, now time.Time) (store.StoredResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(now)
	if found := a.byKey[key]; found != nil && now.Before(found.Expires) {
		return found.StoredResponse, nil
	}
	return store.StoredResponse{}, store.ErrNotFound
}

// keep adds answers, in place of those that their keys have.
func (a *keptAnswers) keep(staged map[string]store.StoredResponse, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, each := range staged {
		a.remove(a.byKey[key])
		made := &keptAnswer{each, key}
		a.byKey[key] = made
		a.byExpiry.Set(made)
	}
	a.forget(now)
}

// forgotten is how many answers one call drops at most: many more than it adds, and not
// so many that a transaction waits for it.
const forgotten = 100

// forget drops the first that have expired.
func (a *keptAnswers) forget(now time.Time) {
	for range forgotten {
		first, ok := a.byExpiry.Min()
		if !ok || now.Before(first.Expires) {
			return
		}
		a.remove(first)
	}
}

// remove drops an answer, nil for none.
func (a *keptAnswers) remove(old *keptAnswer) {
	if old != nil {
		a.byExpiry.Delete(old)
		delete(a.byKey, old.key)
	}
}
