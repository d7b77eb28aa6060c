package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

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
		`ANALYZE`,
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
