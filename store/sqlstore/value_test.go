package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

type moment = time.Time

func at(text string) moment {
	found, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return found
}

// cents is a user's type: an object in JSON, an integer in the table.
type cents struct { //nolint:recvcheck // database/sql wants it so
	Whole, Part int64
}

func (c cents) Value() (driver.Value, error) { return c.Whole*100 + c.Part, nil }

func (c *cents) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("cents: %T", value)
	}
	c.Whole, c.Part = n/100, n%100
	return nil
}

type shade string

type everything struct {
	ID      uuid.UUID         `json:"id"`
	Shade   shade             `json:"shade"`
	Maybe   *shade            `json:"maybe"`
	Small   uint8             `json:"small"`
	Large   uint64            `json:"large"`
	Real    float32           `json:"real"`
	Price   cents             `json:"price"`
	Offer   *cents            `json:"offer"`
	Address netip.Addr        `json:"address"`
	Mask    *netip.Prefix     `json:"mask"`
	Raw     []byte            `json:"raw"`
	Any     any               `json:"any"`
	Deep    map[string][]part `json:"deep"`
	Part    *part             `json:"part"`
	Since   *time.Time        `json:"since"`
	Renamed string            `json:"renamed" db:"other_name"`
	Camel   string            `json:"camelCaseID"`
}

type part struct {
	Name   string    `json:"name"`
	Secret string    `json:"secret" api:"writeonly"`
	At     time.Time `json:"at"`
}

func TestEveryTypeComesBack(t *testing.T) {
	t.Parallel()
	full := &everything{
		Shade: "dark", Maybe: new(shade("")), Small: 255, Large: math.MaxInt64, Real: 0.1, Price: cents{3, 7}, Offer: &cents{0, 1},
		Address: netip.MustParseAddr("::1"), Mask: new(netip.MustParsePrefix("10.0.0.0/8")), Raw: []byte{0, 255}, Any: map[string]any{"a": []any{1.5, nil}},
		Deep: map[string][]part{"x": {{Name: "n", Secret: "kept", At: at("2024-02-29T12:00:00.123456789Z")}}}, Part: &part{Secret: "kept"},
		Since: new(at("1900-01-01T00:00:00.000001Z")), Renamed: "r", Camel: "c",
	}
	db, s := made(t, full, &everything{Address: netip.MustParseAddr("1.2.3.4")})
	if full.ID.Version() != 7 {
		t.Errorf("the identifier is %s, want a UUID of version 7", full.ID)
	}
	got, err := s.Get(t.Context(), full.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := one[int](t, db, "SELECT price FROM everythings WHERE other_name = 'r' AND camel_case_id = 'c'"); n != 307 {
		t.Errorf("the price is stored as %d", n)
	}
	if text := one[string](t, db, "SELECT since FROM everythings WHERE since IS NOT NULL"); text != "1900-01-01T00:00:00.000001Z" {
		t.Errorf("a time is stored as %s", text)
	}
}

func TestValuesThatDoNotFitAreRejected(t *testing.T) {
	t.Parallel()
	_, s := made[everything](t)
	for want, record := range map[string]*everything{
		"large: large must be at most 9223372036854775807":               {Large: math.MaxInt64 + 1},
		"since: since must be within the years from 0000 to 9999 in UTC": {Since: new(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))},
	} {
		if err := s.Transact(t.Context(), inserting(record)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if found := all(t, s); len(found) != 0 {
		t.Errorf("%d records are saved", len(found))
	}
}

func TestIdentifiersThatNoDatabaseHas(t *testing.T) {
	t.Parallel()
	type named struct {
		Key string `json:"key" api:"id"`
	}
	_, s := made(t, &named{"a"})
	for _, id := range []string{"a\x00", "\xff", "b"} {
		if _, err := s.Get(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Get(%q): %v", id, err)
		}
	}
	if _, err := s.Get(t.Context(), int64(1)); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("an id of another type: %v", err)
	}
	for name, err := range map[string]error{
		"Insert":           s.Transact(t.Context(), inserting[named](nil)),
		"Update":           s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[named]) error { return tx.Update(ctx, "a", nil) }),
		"an update's move": s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[named]) error { return tx.Update(ctx, "a", &named{"b"}) }),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
