package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

// nulls has every type that can be null without being a pointer.
type nulls struct {
	ID    int64               `json:"id"`
	Text  sql.NullString      `json:"text"`
	Int   sql.NullInt64       `json:"int"`
	Mid   sql.NullInt32       `json:"mid"`
	Small sql.NullInt16       `json:"small"`
	Byte  sql.NullByte        `json:"byte"`
	Real  sql.NullFloat64     `json:"real"`
	Bool  sql.NullBool        `json:"bool"`
	At    sql.NullTime        `json:"at"`
	Any   sql.Null[int]       `json:"any"`
	Word  sql.Null[string]    `json:"word"`
	Since sql.Null[time.Time] `json:"since"`
	Maybe *sql.Null[float32]  `json:"maybe"`
	Was   *sql.NullTime       `json:"was"`
}

func fullNulls() *nulls {
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	return &nulls{
		Text: sql.NullString{String: "a", Valid: true}, Int: sql.NullInt64{Int64: 1<<60 + 1, Valid: true}, Mid: sql.NullInt32{Int32: 5, Valid: true},
		Small: sql.NullInt16{Int16: -1, Valid: true}, Byte: sql.NullByte{Byte: 255, Valid: true}, Real: sql.NullFloat64{Float64: 0.1, Valid: true},
		Bool: sql.NullBool{Bool: true, Valid: true}, At: sql.NullTime{Time: at, Valid: true}, Any: sql.Null[int]{V: 7, Valid: true},
		Word: sql.Null[string]{V: "", Valid: true}, Since: sql.Null[time.Time]{V: at, Valid: true}, Maybe: &sql.Null[float32]{V: 0.5, Valid: true},
		Was: &sql.NullTime{Time: at, Valid: true},
	}
}

func TestTypesOfDatabaseSQLComeBackNullOrNot(t *testing.T) {
	t.Parallel()
	db, s := made[nulls](t)
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, record := range []*nulls{{}, fullNulls()} {
		insert(t, s, record)
		read, err := s.Get(t.Context(), record.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(record, read); diff != "" {
			t.Errorf("(-left +read):\n%s", diff)
		}
	}
	if err := s.Transact(t.Context(), updating(int64(2), func(n *nulls) { *n = nulls{ID: 2} })); err != nil {
		t.Error(err)
	}
	if n := one[int](t, db, "SELECT count(*) FROM nulls WHERE text IS NULL AND at IS NULL AND any IS NULL AND since IS NULL"); n != 2 {
		t.Errorf("%d rows have nulls, want 2", n)
	}
}

func TestTimesOfDatabaseSQLAreStoredToTheMicrosecondInUTC(t *testing.T) {
	t.Parallel()
	db, s := made[nulls](t)
	record := &nulls{At: sql.NullTime{Time: time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 7200)), Valid: true}}
	insert(t, s, record)
	if text := one[string](t, db, "SELECT at FROM nulls"); text != "2024-02-29T10:00:00.123456Z" {
		t.Errorf("the time is kept as %s", text)
	}
	if want := time.Date(2024, 2, 29, 10, 0, 0, 123456000, time.UTC); record.At.Time != want {
		t.Errorf("the record has %v, want %v", record.At.Time, want)
	}
}

// binary is an identifier that is a string in JSON and bytes in a table, as ULIDs are.
type binary [16]byte //nolint:recvcheck // database/sql wants it so

func (b binary) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}

func (b *binary) UnmarshalText(text []byte) error {
	plain := make([]byte, 0, 32)
	for _, c := range text {
		if c != '-' {
			plain = append(plain, c)
		}
	}
	_, err := hex.Decode(b[:], plain)
	return err
}

func (b binary) Value() (driver.Value, error) { return b[:], nil }

func (b *binary) Scan(value any) error {
	bytes, ok := value.([]byte)
	if !ok || len(bytes) != 16 {
		return fmt.Errorf("binary: %T", value)
	}
	copy(b[:], bytes)
	return nil
}

type parcel struct {
	ID    binary `json:"id"`
	Label string `json:"label"`
}

func TestAnIdentifierMayBeBytes(t *testing.T) {
	t.Parallel()
	db, s := made(t, &parcel{Label: "a"}, &parcel{Label: "b"})
	found := all(t, s)
	if len(found) != 2 || found[0].ID == found[1].ID {
		t.Fatalf("%v", found)
	}
	if typ := one[string](t, db, "SELECT typeof(id) FROM parcels"); typ != "blob" {
		t.Errorf("the identifier is kept as %s", typ)
	}
	id := found[0].ID
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[parcel]) error {
		first, err := tx.Get(ctx, id)
		if err != nil {
			return err
		}
		second, err := tx.Get(ctx, found[1].ID)
		if err != nil {
			return err
		}
		first.Label, second.Label = "new", "new too"
		return errors.Join(tx.Update(ctx, id, first), tx.Update(ctx, second.ID, second), tx.Delete(ctx, second.ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	if left := all(t, s); len(left) != 1 || *left[0] != (parcel{id, "new"}) {
		t.Errorf("%v", left)
	}
	if _, err := s.Get(t.Context(), binary{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("one that is missing: %v", err)
	}
}

// odd is a type whose Value no driver accepts.
type odd struct{ Parts []string } //nolint:recvcheck // database/sql wants it so

func (o odd) Value() (driver.Value, error) { return o.Parts, nil }
func (o *odd) Scan(any) error              { return nil }

func TestAFormThatNoDriverTakesIsAnError(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID  int64 `json:"id"`
		Odd odd   `json:"odd"`
	}
	_, s := made[thing](t)
	if err := s.Transact(t.Context(), inserting(&thing{Odd: odd{[]string{"a"}}})); err == nil {
		t.Error("no error")
	}
}
