package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Cargo and Port have lists of each other, and one reference.
type Cargo struct {
	ID     int64    `json:"id"`
	Ports  []int64  `json:"ports" validate:"max=20" api:"ref=Port,filter"`
	Labels []string `json:"labels" validate:"max=20" api:"filter=contains"`
}

type Port struct {
	ID     int64   `json:"id"`
	Cargos []int64 `json:"cargos" validate:"max=20" api:"ref=Cargo,ondelete=null"`
	First  *int64  `json:"first" api:"ref=Cargo"`
}

func portsOf(t *testing.T, db *sqlstore.DB) (*sqlstore.Store[Cargo], *sqlstore.Store[Port]) {
	t.Helper()
	cargos, ports := sqlstore.Table[Cargo](db), sqlstore.Table[Port](db)
	if err := errors.Join(db.Create(t.Context(), cargos, ports), cargos.Check(t.Context()), ports.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	return cargos, ports
}

func TestAFilterOfAListOfReferencesUsesItsIndex(t *testing.T) {
	t.Parallel()
	server(t)
	db := open(t, schema(t))
	cargos, ports := portsOf(t, db)
	for _, statement := range []string{
		`INSERT INTO ports (id) SELECT n FROM generate_series(1, 5000) AS g(n)`,
		`INSERT INTO cargos (id, labels) SELECT n, '["red"]' FROM generate_series(1, 20000) AS g(n)`,
		`INSERT INTO cargos_ports SELECT n, 0, n % 5000 + 1 FROM generate_series(1, 20000) AS g(n)`,
		`ANALYZE ports, cargos, cargos_ports`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	page, err := cargos.List(t.Context(), store.Query{Where: []store.Condition{
		{Fields: []string{"ports"}, Operator: store.Equal, Values: []any{int64(7), int64(8)}},
		{Fields: []string{"labels"}, Operator: store.Equal, Values: []any{"red"}},
	}, Limit: 30, Count: true})
	if err != nil || page.Total != 8 || len(page.Items) != 8 || !slices.Equal(page.Items[0].Ports, []int64{7}) {
		t.Errorf("%d of %d records, %v", len(page.Items), page.Total, err)
	}
	rows, err := db.Query(t.Context(), `EXPLAIN SELECT "id" FROM "cargos" WHERE "id" IN (SELECT "record" FROM "cargos_ports" WHERE "target" IN ($1, $2)) ORDER BY "id" LIMIT 30`, int64(7), int64(8))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var steps strings.Builder
	for rows.Next() {
		var step string
		if err := rows.Scan(&step); err != nil {
			t.Fatal(err)
		}
		steps.WriteString(step + "\n")
	}
	if text := steps.String(); !strings.Contains(text, "cargos_ports_target_idx") || strings.Contains(text, "Seq Scan") {
		t.Errorf("lists are searched with:\n%s", text)
	}
	err = ports.Transact(t.Context(), func(ctx context.Context, tx store.Tx[Port]) error { return tx.Delete(ctx, int64(9)) })
	if want := (store.ReferenceError{}); !errors.As(err, &want) || want.Field != "ports" || !want.Referred {
		t.Errorf("a delete of what lists have: %v", err)
	}
}

// A page has any number of keys. With a statement for each number, every connection would prepare and keep all of them.
func TestAnyNumberOfKeysIsOnePreparedStatement(t *testing.T) {
	t.Parallel()
	if pooled() {
		t.Skip("a pooler keeps no statements")
	}
	db := open(t, with(schema(t), "pool_max_conns", "1"))
	s := table[counter](t, db)
	for n := 2; n < 300; n += 13 {
		ids := make([]any, n)
		for i := range ids {
			ids[i] = int64(i + 1)
		}
		if got, err := s.GetMany(t.Context(), ids); err != nil || len(got) != n {
			t.Fatalf("%d: %d records (%v)", n, len(got), err)
		}
	}
	kept := one[int64](t.Context(), t, db, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT \"id\"%'")
	if kept != 1 {
		t.Errorf("%d statements are kept, want 1", kept)
	}
}

// An array has the type of its column, which another program has chosen, rather than that of the Go type.
func TestAForeignTableFindsAnyOfSomeValues(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), foreign(t)
	var ids []any
	for i, state := range []string{"open", "closed", "open", "closed"} {
		o := &order{
			Number: i + 1, Customer: new(fmt.Sprintf(`{"a, %d`, i)), Total: float64(i) + 0.25, Rate: 0.5, State: state,
			PlacedAt: time.Date(2024, 5, i+1, 0, 0, 0, 0, time.UTC), Day: new(time.Date(2024, 5, i+1, 0, 0, 0, 0, time.UTC)),
			Lines: []string{}, Note: new(fmt.Sprintf("n %d", i)),
		}
		if i > 0 {
			o.Parent = new(ids[0].(uuid.UUID))
		}
		if err := s.Transact(ctx, placing(o)); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, o.ID)
	}
	for field, values := range map[string][]any{
		"id": {ids[1], ids[2], uuid.New()}, "number": {2, 3, 77}, "customer": {`{"a, 1`, `{"a, 2`, "NULL", ""}, "total": {1.25, 2.25, 9.0},
		"placedAt": {time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), time.Date(2024, 5, 3, 0, 0, 0, 0, time.UTC)},
		"day":      {time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), time.Date(2024, 5, 3, 0, 0, 0, 0, time.UTC)},
		"note":     {"n 1", "n 2", "n 9"},
	} {
		page, err := s.List(ctx, store.Query{Where: []store.Condition{{Fields: []string{field}, Operator: store.Equal, Values: values}}, Count: true})
		if err != nil || page.Total != 2 || len(page.Items) != 2 {
			t.Errorf("%s: %d records of %d, want 2 (%v)", field, len(page.Items), page.Total, err)
		}
	}
	for field, values := range map[string][]any{"state": {"open", "closed"}, "parent": {ids[0], ids[1]}} {
		page, err := s.List(ctx, store.Query{Where: []store.Condition{{Fields: []string{field}, Operator: store.Equal, Values: values}}, Count: true})
		if want := map[string]int{"state": 4, "parent": 3}[field]; err != nil || page.Total != want {
			t.Errorf("%s: %d records, want %d (%v)", field, page.Total, want, err)
		}
	}
	got, err := s.GetMany(ctx, []any{ids[3], uuid.New(), ids[1], ids[3]})
	if err != nil || got[0] == nil || got[0].Number != 4 || got[1] != nil || got[2] == nil || got[2].Number != 2 || got[3] == nil {
		t.Errorf("by their identifiers: %v (%v)", got, err)
	}
}

// Regardless of whether PostgreSQL plans a statement for its values or for any, keys are found by index, and a page
// with its total is read by the index of its order.
func TestKeysAndPagesWithTheirTotalUseIndexes(t *testing.T) {
	t.Parallel()
	server(t)
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			db := open(t, set(t, schema(t), "plan_cache_mode", mode))
			portsOf(t, db)
			for _, statement := range []string{
				`INSERT INTO ports (id) SELECT n FROM generate_series(1, 20000) AS g(n)`,
				`INSERT INTO cargos (id, labels) SELECT n, '[]' FROM generate_series(1, 20000) AS g(n)`,
				`INSERT INTO cargos_ports SELECT n, 0, n % 5000 + 1 FROM generate_series(1, 20000) AS g(n)`,
				`ANALYZE ports, cargos, cargos_ports`,
			} {
				exec(t.Context(), t, db, statement)
			}
			keys := []int64{3, 5, 8, 13, 21}
			explained(t, db, "ports_pkey", `SELECT "id" FROM "ports" WHERE "id" = ANY ($1)`, keys)
			explained(t, db, "cargos_ports_target_idx", `SELECT "id" FROM "cargos" WHERE "id" IN (SELECT "record" FROM "cargos_ports" WHERE "target" = ANY ($1))`, keys)
			explained(t, db, "Only Scan using ports_pkey", `SELECT "id", (SELECT COUNT(*) FROM "ports") AS "total of all" FROM "ports" ORDER BY "id" LIMIT $1 OFFSET $2`, 30, 60)
		})
	}
}

// explained fails if a statement does not use an index, or sorts.
func explained(t *testing.T, db *sqlstore.DB, by, statement string, args ...any) {
	t.Helper()
	rows, err := db.Query(t.Context(), "EXPLAIN "+statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var steps strings.Builder
	for rows.Next() {
		var step string
		if err := rows.Scan(&step); err != nil {
			t.Fatal(err)
		}
		steps.WriteString(step + "\n")
	}
	if text := steps.String(); !strings.Contains(text, by) || strings.Contains(text, "Sort") {
		t.Errorf("%s is run so:\n%s", statement, text)
	}
}
