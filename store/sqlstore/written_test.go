package sqlstore_test

import (
	"context"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/store"
)

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
