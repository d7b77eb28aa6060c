package memory_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type (
	number uint32
	small  struct{ ID int32 }
	early  struct{ ID uint32 }
	named  struct{ ID number }
	wide   struct{ ID uint64 }
	deep   struct{ ID int64 }
	plain  struct{ ID int }

	// ticket is a type that marshals itself as text and accepts UUIDs.
	ticket struct{ text string }
	coupon struct {
		Ticket ticket `json:"ticket" api:"id"`
	}
)

func (t ticket) MarshalText() ([]byte, error)     { return []byte(t.text), nil }
func (t *ticket) UnmarshalText(text []byte) error { t.text = strings.ToUpper(string(text)); return nil }

// lasts checks that a store generates the largest identifier, and then returns an error.
func lasts[T any](last T, largest any, idOf func(T) any) func(*testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		s := memory.New(last)
		record := new(T)
		if err := s.Transact(t.Context(), insert(record)); err != nil || idOf(*record) != largest {
			t.Fatalf("Insert: identifier %v, error %v, want %v", idOf(*record), err, largest)
		}
		for range 2 {
			err := s.Transact(t.Context(), insert(new(T)))
			if err == nil || !strings.Contains(err.Error(), "no identifiers left") {
				t.Errorf("Insert after the largest identifier: %v", err)
			}
		}
		page, err := s.List(t.Context(), store.Query{})
		if err != nil || len(page.Items) != 2 {
			t.Errorf("List: %d records, %v", len(page.Items), err)
		}
	}
}

func TestIntegersAreGeneratedUpToTheLargest(t *testing.T) {
	t.Parallel()
	t.Run("int32", lasts(small{math.MaxInt32 - 1}, int32(math.MaxInt32), func(r small) any { return r.ID }))
	t.Run("a named uint32", lasts(named{math.MaxUint32 - 1}, number(math.MaxUint32), func(r named) any { return r.ID }))
	t.Run("int", lasts(plain{math.MaxInt - 1}, math.MaxInt, func(r plain) any { return r.ID }))
	t.Run("int64", lasts(deep{math.MaxInt64 - 1}, int64(math.MaxInt64), func(r deep) any { return r.ID }))
	t.Run("uint64", lasts(wide{math.MaxInt64 - 1}, uint64(math.MaxInt64), func(r wide) any { return r.ID }))
}

func TestGeneratedIdentifiersCountFromOne(t *testing.T) {
	t.Parallel()
	s := memory.New[early]()
	for want := uint32(1); want <= 3; want++ {
		record := &early{}
		if err := s.Transact(t.Context(), insert(record)); err != nil || record.ID != want {
			t.Errorf("Insert: identifier %d, error %v, want %d", record.ID, err, want)
		}
	}
}

func TestUUIDsAreOfVersion7(t *testing.T) {
	t.Parallel()
	type token struct{ ID uuid.UUID }
	s := memory.New(token{})
	page, err := s.List(t.Context(), store.Query{})
	if err != nil || page.Items[0].ID.Version() != 7 {
		t.Errorf("List: %v, %v", page.Items, err)
	}
}

func TestATextTypeAcceptsUUIDs(t *testing.T) {
	t.Parallel()
	s := memory.New[coupon]()
	record := &coupon{}
	if err := s.Transact(t.Context(), insert(record)); err != nil {
		t.Fatal(err)
	}
	if _, err := uuid.Parse(record.Ticket.text); err != nil || record.Ticket.text != strings.ToUpper(record.Ticket.text) {
		t.Errorf("the identifier is %q (%v), want a UUID as the type writes it", record.Ticket.text, err)
	}
	if _, err := s.Get(t.Context(), record.Ticket); err != nil {
		t.Errorf("Get: %v", err)
	}
	err := s.Transact(t.Context(), insert(&coupon{Ticket: record.Ticket}))
	if err != (store.UniqueError{Field: "ticket"}) { //nolint:errorlint // exactly this error
		t.Errorf("Insert of the same identifier: %v", err)
	}
}

func TestAFailedInsertKeepsItsIdentifierFromOthers(t *testing.T) {
	t.Parallel()
	s := memory.New[item]()
	var given int64
	_ = s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
		record := &item{}
		err := tx.Insert(ctx, record)
		given = record.ID
		return errors.Join(err, context.Canceled)
	})
	record := &item{}
	if err := s.Transact(t.Context(), insert(record)); err != nil || record.ID == given {
		t.Errorf("Insert: identifier %d after %d, error %v", record.ID, given, err)
	}
}
