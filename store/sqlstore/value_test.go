package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// lower is a string type that is read in lower case.
type lower string

func (l lower) MarshalText() ([]byte, error) { return []byte(l), nil }

func (l *lower) UnmarshalText(text []byte) error {
	*l = lower(strings.ToLower(string(text)))
	return nil
}

// delicate has values that a database may store in another form.
type delicate struct {
	ID     int64              `json:"id"`
	At     time.Time          `json:"at"`
	Maybe  *time.Time         `json:"maybe"`
	Real   float32            `json:"real"`
	Score  *float64           `json:"score"`
	Raw    jsontext.Value     `json:"raw"`
	Any    any                `json:"any"`
	Lower  lower              `json:"lower"`
	Lowers []lower            `json:"lowers"`
	Addr   netip.Addr         `json:"addr"`
	Price  cents              `json:"price"`
	Offer  *cents             `json:"offer"`
	Point  *point             `json:"point"`
	Deep   map[string]float64 `json:"deep"`
}

type point struct {
	X  float64   `json:"x"`
	At time.Time `json:"at"`
}

func delicates() map[string]func() *delicate {
	east := time.FixedZone("", 2*60*60)
	exact := time.Date(2024, 2, 29, 12, 0, 0, 123456789, east)
	negative := math.Copysign(0, -1)
	base := func(change func(*delicate)) func() *delicate {
		return func() *delicate {
			d := &delicate{Raw: jsontext.Value(`null`), Addr: netip.MustParseAddr("::1")}
			change(d)
			return d
		}
	}
	return map[string]func() *delicate{
		"nothing":               base(func(*delicate) {}),
		"a time in a zone":      base(func(d *delicate) { d.At, d.Maybe = exact, &exact }),
		"a time in an object":   base(func(d *delicate) { d.Point = &point{At: exact} }),
		"zeros with a sign":     base(func(d *delicate) { d.Real, d.Score = float32(negative), &negative }),
		"signs in documents":    base(func(d *delicate) { d.Point, d.Deep = &point{X: negative}, map[string]float64{"-0": negative, ":-0": 1} }),
		"signs in any":          base(func(d *delicate) { d.Any = []any{negative, "[-0", map[string]any{":-0": negative}} }),
		"a short float":         base(func(d *delicate) { d.Real, d.Score = 0.1, new(5e-324) }),
		"raw JSON":              base(func(d *delicate) { d.Raw = jsontext.Value(`{"b" : 1.50, "a":[1e3, "\u00e9", -0], "longer": {}}`) }),
		"a large integer":       base(func(d *delicate) { d.Any = int64(1<<60 + 1) }),
		"a struct":              base(func(d *delicate) { d.Any = struct{ B, A int }{1, 2} }),
		"text that is changed":  base(func(d *delicate) { d.Lower, d.Lowers = "ABC", []lower{"DEF"} }),
		"a type with a form":    base(func(d *delicate) { d.Price, d.Offer = cents{1, 250}, &cents{0, 101} }),
		"an address of version": base(func(d *delicate) { d.Addr = netip.MustParseAddr("2001:DB8::1") }),
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatAWriteLeavesInTheRecordIsWhatIsRead(t *testing.T) {
	t.Parallel()
	_, s := made[delicate](t)
	check := func(name string, written *delicate) {
		t.Helper()
		read, err := s.Get(t.Context(), written.ID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want, got := asJSON(t, written), asJSON(t, read); want != got {
			t.Errorf("%s: the write left\n%s\nand Get returns\n%s", name, want, got)
		}
	}
	for name, fresh := range delicates() {
		inserted := fresh()
		insert(t, s, inserted)
		check("insert of "+name, inserted)
		for _, reads := range []bool{true, false} {
			stored, updated := &delicate{Raw: jsontext.Value(`1`), Addr: netip.MustParseAddr("::2")}, fresh()
			insert(t, s, stored)
			updated.ID = stored.ID
			for range 2 { // the second changes nothing
				if err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[delicate]) error {
					if reads {
						if _, err := tx.Get(ctx, stored.ID); err != nil {
							return err
						}
					}
					return tx.Update(ctx, stored.ID, updated)
				}); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				check("update to "+name, updated)
			}
		}
	}
}

func TestWhatPointersOfARecordPointToIsLeftAlone(t *testing.T) {
	t.Parallel()
	_, s := made[delicate](t)
	exact, negative := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 3600)), math.Copysign(0, -1)
	at, score := exact, negative
	record := &delicate{Raw: jsontext.Value(`{}`), Maybe: &at, Score: &score, Point: &point{X: negative}, Addr: netip.MustParseAddr("::1")}
	shared := record.Point
	insert(t, s, record)
	if at != exact || !math.Signbit(score) || !math.Signbit(shared.X) {
		t.Errorf("%v, %v and %v are what others see", at, score, shared.X)
	}
}

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
