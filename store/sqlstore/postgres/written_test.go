package postgres_test

import (
	"context"
	"database/sql"
	"math"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
)

// delicate has values that columns store in another form.
type delicate struct {
	ID    int64              `json:"id"`
	At    *time.Time         `json:"at"`
	Score float64            `json:"score"`
	Real  float32            `json:"real"`
	Raw   jsontext.Value     `json:"raw"`
	Any   any                `json:"any"`
	Deep  map[string]float64 `json:"deep"`
	Times []time.Time        `json:"times"`
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
	ctx, s := impatient(t), table[delicate](t, open(t, schema(t)))
	exact, negative := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 7200)), math.Copysign(0, -1)
	for name, fresh := range map[string]func() *delicate{
		"nothing": func() *delicate { return &delicate{} },
		"times":   func() *delicate { return &delicate{At: &exact, Times: []time.Time{exact}} },
		"zeros with a sign": func() *delicate {
			return &delicate{Score: negative, Real: float32(negative), Deep: map[string]float64{"a": negative}, Any: []any{negative}}
		},
		"floats": func() *delicate {
			return &delicate{Score: 5e-324, Real: 0.1, Deep: map[string]float64{"a": 1e300, "b": 1e-300, "c": 0.1}}
		},
		"raw JSON": func() *delicate {
			return &delicate{Raw: jsontext.Value(`{"longer": 1e2, "b" : 1.50, "a":["\u00e9", -0]}`)}
		},
		"large integers":  func() *delicate { return &delicate{Any: int64(1<<60 + 1)} },
		"a struct as any": func() *delicate { return &delicate{Any: struct{ Longer, A int }{1, 2}} },
	} {
		written := fresh()
		if written.Raw == nil {
			written.Raw = jsontext.Value(`null`)
		}
		addTo(ctx, t, s, written)
		for _, step := range []string{"insert of ", "update to "} {
			read, err := s.Get(ctx, written.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, written), asJSON(t, read)); diff != "" {
				t.Errorf("%s%s (-left +read):\n%s", step, name, diff)
			}
			id, raw := written.ID, written.Raw
			written = fresh()
			if written.ID = id; written.Raw == nil {
				written.Raw = raw
			}
			if err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[delicate]) error { return tx.Update(ctx, id, written) }); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// nulls has every type that can be null without being a pointer.
type nulls struct {
	ID    int64              `json:"id"`
	Text  sql.NullString     `json:"text"`
	Int   sql.NullInt64      `json:"int"`
	Small sql.NullInt16      `json:"small"`
	Real  sql.NullFloat64    `json:"real"`
	Bool  sql.NullBool       `json:"bool"`
	At    sql.NullTime       `json:"at"`
	Any   sql.Null[int]      `json:"any"`
	Maybe *sql.Null[float32] `json:"maybe"`
}

func TestTypesOfDatabaseSQLComeBackNullOrNot(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[nulls](t, open(t, schema(t)))
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	for _, record := range []*nulls{
		{},
		{
			Text: sql.NullString{String: "a", Valid: true}, Int: sql.NullInt64{Int64: 1 << 60, Valid: true}, Small: sql.NullInt16{Int16: -1, Valid: true},
			Real: sql.NullFloat64{Float64: 0.5, Valid: true}, Bool: sql.NullBool{Bool: true, Valid: true}, At: sql.NullTime{Time: at, Valid: true},
			Any: sql.Null[int]{V: 7, Valid: true}, Maybe: &sql.Null[float32]{V: 0.5, Valid: true},
		},
	} {
		addTo(ctx, t, s, record)
		read, err := s.Get(ctx, record.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(record, read); diff != "" {
			t.Errorf("(-left +read):\n%s", diff)
		}
		if diff := cmp.Diff(asJSON(t, record), asJSON(t, read)); diff != "" {
			t.Errorf("as JSON (-left +read):\n%s", diff)
		}
	}
}
