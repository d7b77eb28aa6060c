package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type dragon struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"unique"`
	Age  *int   `json:"age" api:"filter"`
}

// The capabilities of stores in memory.
var (
	_ store.BatchGetter[dragon] = (*memory.Store[dragon])(nil)
	_ store.Joiner              = (*memory.Store[dragon])(nil)
	_ store.Stamper             = (*memory.Store[dragon])(nil)
	_ store.ResponseKeeper      = (*memory.Store[dragon])(nil)
	_ store.Grouper             = (*memory.Loaded[dragon])(nil)
)

func TestFindReturnsTheRecordThatHasAValue(t *testing.T) {
	t.Parallel()
	dragons := memory.New(dragon{Name: "Smaug"}, dragon{Name: "Fafnir", Age: new(900)}, dragon{Name: "Ancalagon", Age: new(900)})
	for _, c := range []struct {
		name, field string
		value       any
		want        string
	}{
		{"a unique field", "name", "Fafnir", "Fafnir"},
		{"the first of several in the order of identifiers", "age", 900, "Fafnir"},
		{"the identifier", "id", int64(3), "Ancalagon"},
	} {
		if found, err := store.Find(t.Context(), dragons, c.field, c.value); err != nil || found.Name != c.want {
			t.Errorf("%s: %v, %v", c.name, found, err)
		}
	}
	if _, err := store.Find(t.Context(), dragons, "name", "Norbert"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a name that no record has: %v", err)
	}
	if _, err := store.Find(t.Context(), dragons, "nam", "Smaug"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("by a field that does not exist: %v", err)
	}
}

// broken is a store with one record, which cannot be read.
type broken struct{ store.Store[dragon] }

var errUnread = errors.New("no number")

func (broken) List(context.Context, store.Query) (store.Page[dragon], error) {
	return store.Page[dragon]{Broken: []error{errUnread}}, nil
}

func TestFindReportsARecordThatCannotBeRead(t *testing.T) {
	t.Parallel()
	if _, err := store.Find(t.Context(), broken{}, "name", "Smaug"); !errors.Is(err, errUnread) {
		t.Errorf("the error is %v", err)
	}
}

func TestInsertSavesAllOrNone(t *testing.T) {
	t.Parallel()
	dragons := memory.New(dragon{Name: "Smaug"})
	count := func() int {
		page, err := dragons.List(t.Context(), store.Query{})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	if err := store.Insert(t.Context(), dragons); err != nil || count() != 1 {
		t.Errorf("nothing: %v, %d records", err, count())
	}
	if err := store.Insert(t.Context(), dragons, &dragon{Name: "Fafnir"}, &dragon{Name: "Smaug"}); !errors.Is(err, store.ErrConflict) || count() != 1 {
		t.Errorf("a duplicate name: %v, %d records", err, count())
	}
	one, two := &dragon{Name: "Fafnir"}, &dragon{Name: "Norbert"}
	if err := store.Insert(t.Context(), dragons, one, two); err != nil || one.ID == 0 || two.ID == one.ID || count() != 3 {
		t.Errorf("two: %v, %v, %v, %d records", err, one, two, count())
	}
	given := errors.New("given up")
	err := dragons.Transact(t.Context(), func(ctx context.Context, _ store.Tx[dragon]) error {
		return errors.Join(store.Insert(ctx, dragons, &dragon{Name: "Ancalagon"}), given)
	})
	if !errors.Is(err, given) || count() != 3 {
		t.Errorf("in a transaction that is rolled back: %v, %d records", err, count())
	}
}

func TestUpdateChangesTheStoredRecordOrNothing(t *testing.T) {
	t.Parallel()
	dragons := memory.New(dragon{Name: "Smaug"}, dragon{Name: "Fafnir"})
	rename := func(name string, err error) func(*dragon) error {
		return func(d *dragon) error {
			d.Name = name
			return err
		}
	}
	given := errors.New("given up")
	for _, test := range []struct {
		id     int64
		change func(*dragon) error
		want   error
	}{
		{1, rename("Norbert", nil), nil},
		{2, rename("Ancalagon", given), given},
		{2, rename("Norbert", nil), store.ErrConflict}, // which is taken
		{9, rename("Glaurung", nil), store.ErrNotFound},
	} {
		if err := store.Update(t.Context(), dragons, test.id, test.change); !errors.Is(err, test.want) {
			t.Errorf("id %d: %v, want %v", test.id, err, test.want)
		}
	}
	err := dragons.Transact(t.Context(), func(ctx context.Context, _ store.Tx[dragon]) error {
		return errors.Join(store.Update(ctx, dragons, int64(1), rename("Undone", nil)), given)
	})
	if !errors.Is(err, given) {
		t.Fatal(err)
	}
	page, err := dragons.List(t.Context(), store.Query{})
	if err != nil || len(page.Items) != 2 || page.Items[0].Name != "Norbert" || page.Items[1].Name != "Fafnir" {
		t.Errorf("afterwards there are %v, %v", page.Items, err)
	}
}

func TestDeleteIgnoresMissingRecords(t *testing.T) {
	t.Parallel()
	dragons := memory.New(dragon{Name: "Smaug"}, dragon{Name: "Fafnir"}, dragon{Name: "Ancalagon"})
	if err := store.Delete(t.Context(), dragons, int64(1), int64(9), int64(3)); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), dragons); err != nil {
		t.Errorf("no ids: %v", err)
	}
	if page, err := dragons.List(t.Context(), store.Query{}); err != nil || len(page.Items) != 1 || page.Items[0].Name != "Fafnir" {
		t.Errorf("the remaining records are %v, %v", page.Items, err)
	}
}

func TestDeleteJoinsTheTransactionOfItsContext(t *testing.T) {
	t.Parallel()
	dragons := memory.New(dragon{Name: "Smaug"})
	undone := errors.New("undone")
	err := dragons.Transact(t.Context(), func(ctx context.Context, _ store.Tx[dragon]) error {
		return errors.Join(store.Delete(ctx, dragons, int64(1)), undone)
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	if _, err := dragons.Get(t.Context(), int64(1)); err != nil {
		t.Errorf("the rolled back transaction deleted the record: %v", err)
	}
}
