package storetest_test

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

// plainTx is a transaction of a plain store.
type plainTx[T any] struct {
	*plain[T]
	state  state[T]
	failed error
	held   []chan struct{} // locks of records, for the fault blocksEachOther
	wrote  []any           // identifiers of records, for the fault keepsFirstWrite
}

// lock locks a record until the transaction ends, so that two transactions can wait for each other.
func (t *plainTx[T]) lock(ctx context.Context, id any) error {
	found, _ := t.locks.LoadOrStore(id, make(chan struct{}, 1))
	lock := found.(chan struct{})
	if slices.Contains(t.held, lock) {
		return nil
	}
	select {
	case lock <- struct{}{}:
		t.held = append(t.held, lock)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *plainTx[T]) unlock() {
	for _, lock := range t.held {
		<-lock
	}
}

func (t *plainTx[T]) Get(ctx context.Context, id any) (*T, error) {
	if t.fault == blocksEachOther {
		if err := t.lock(ctx, id); err != nil {
			return nil, err
		}
	}
	from := t.state
	if t.fault == readsSavedOnly {
		from = t.saved
	}
	i := t.find(from, id)
	switch {
	case i < 0:
		return nil, store.ErrNotFound
	case t.fault == sharesReads:
		return from.records[i], ctx.Err()
	}
	return clone(from.records[i]), ctx.Err()
}

func (t *plainTx[T]) Insert(_ context.Context, record *T) error {
	t.identify(record)
	t.wrote = append(t.wrote, t.id(record))
	if i := t.find(t.state, t.id(record)); i >= 0 {
		if t.fault == overwritesTaken {
			t.state.records[i] = clone(record)
			return nil
		}
		return store.UniqueError{Field: t.name}
	}
	if err := t.check(record, -1); err != nil {
		return err
	}
	if t.stamp != nil {
		t.stamp(record, nil)
	}
	kept := record
	if t.fault != keepsInserted {
		kept = clone(record)
	}
	t.damage(kept)
	if t.fault == changes && record != kept {
		t.damage(record)
	}
	if t.fault == generatesLate {
		t.generate(record, 0)
	}
	if t.fault != dropsInserts {
		t.state.records = append(t.state.records, kept)
	}
	t.publish()
	return nil
}

// identify generates the identifier if necessary.
func (t *plainTx[T]) identify(record *T) {
	if t.generate == nil {
		return
	}
	if t.number(record) != 0 && t.fault != generatesAlways {
		if t.fault != countsGeneratedOnly {
			t.state.last = max(t.state.last, t.number(record))
		}
		return
	}
	if t.fault == reusesIDs {
		t.state.last = 0
		for _, r := range t.state.records {
			t.state.last = max(t.state.last, t.number(r))
		}
	}
	t.state.last++
	t.generate(record, t.state.last)
}

func (t *plainTx[T]) Update(_ context.Context, id any, record *T) error {
	i := t.find(t.state, id)
	if i < 0 {
		if t.fault == upserts {
			t.state.records = append(t.state.records, clone(record))
			return nil
		}
		return store.ErrNotFound
	}
	if t.id(record) != id && t.fault != movesIDs {
		return errors.New("the identifier differs")
	}
	if err := t.check(record, i); err != nil {
		return err
	}
	if t.stamp != nil {
		t.stamp(record, t.state.records[i])
	}
	if t.fault == keepsFirstWrite && slices.Contains(t.wrote, id) {
		return nil
	}
	t.wrote = append(t.wrote, id)
	t.replace(i, record)
	t.publish()
	return nil
}

func (t *plainTx[T]) replace(i int, record *T) {
	kept := record
	if t.fault != keepsUpdated {
		kept = clone(record)
	}
	t.damage(kept)
	if t.fault == changes && record != kept {
		t.damage(record)
	}
	switch t.fault {
	case mergesUpdates:
		t.merge(t.state.records[i], kept)
	case updatesInPlace:
		*t.state.records[i] = *kept
	case updatesAll:
		for _, r := range t.state.records {
			t.merge(r, kept)
		}
	default:
		t.state.records[i] = kept
	}
}

func (t *plainTx[T]) Delete(_ context.Context, id any) error {
	i := t.find(t.state, id)
	if i < 0 {
		return store.ErrNotFound
	}
	if t.fault != ignoresDeletes {
		t.state.records = slices.Delete(t.state.records, i, i+1)
	}
	t.publish()
	return nil
}

// check returns an error if a record other than the one at i has a unique value of this one.
func (t *plainTx[T]) check(record *T, i int) error {
	if t.fault == uniqueNever {
		return nil
	}
	if t.broken != nil {
		others := append(slices.Clone(t.state.records), nil)
		for j, other := range others {
			if err := t.broken(record, other); err != nil && (j != i || t.fault == collidesWithItself) {
				return err
			}
		}
	}
	for field, value := range t.unique(record) {
		if value == nil && t.fault == nullIsTaken {
			value = new("")
		}
		if value == nil {
			continue
		}
		if t.hasOther(field, *value, i) {
			if t.fault == namesNoField {
				return store.ErrConflict
			}
			return store.UniqueError{Field: field}
		}
		if t.fault == neverFrees && i < 0 {
			t.used[field+*value] = true
		}
	}
	return nil
}

func (t *plainTx[T]) hasOther(field, value string, i int) bool {
	if t.fault == neverFrees && i < 0 && t.used[field+value] {
		return true
	}
	return slices.ContainsFunc(t.state.records, func(r *T) bool {
		if i >= 0 && r == t.state.records[i] && t.fault != collidesWithItself {
			return false
		}
		other := t.unique(r)[field]
		switch {
		case other == nil:
			return t.fault == nullIsTaken && value == ""
		case t.fault == foldsCase:
			return t.fold(*other) == t.fold(value)
		}
		return *other == value
	})
}

// publish makes each write visible at once, if that is the fault.
func (t *plainTx[T]) publish() {
	if t.fault == savesEachWrite {
		t.mu.Lock()
		t.saved = t.state.clone()
		t.mu.Unlock()
		time.Sleep(100 * time.Microsecond)
	}
}
