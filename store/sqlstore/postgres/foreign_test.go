package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// order is a record of a table that another program created, with its own types.
type order struct {
	ID       uuid.UUID  `json:"id" api:"id"`
	Number   int        `json:"number" api:"unique"`
	Customer *string    `json:"customer" api:"filter=start,sort"`
	Total    float64    `json:"total" api:"sort"`
	Rate     float32    `json:"rate"`
	State    string     `json:"state" api:"filter=exact"`
	Parent   *uuid.UUID `json:"parent"`
	PlacedAt time.Time  `json:"placedAt" api:"filter=range,sort"`
	Day      *time.Time `json:"day"`
	Lines    []string   `json:"lines"`
	Note     *string    `json:"note" db:"Remark"`
}

const orders = `CREATE TYPE stage AS ENUM ('open', 'closed');
CREATE TABLE orders (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	number integer NOT NULL CONSTRAINT number_is_taken UNIQUE,
	customer varchar(20),
	total numeric(10,2) NOT NULL,
	rate real NOT NULL DEFAULT 0,
	state stage NOT NULL DEFAULT 'open',
	parent uuid REFERENCES orders,
	placed_at timestamp NOT NULL,
	day date,
	lines json NOT NULL,
	"Remark" char(5) CHECK ("Remark" <> 'wrong'),
	extra text DEFAULT 'theirs'
)`

func foreign(t *testing.T) *sqlstore.Store[order] {
	t.Helper()
	dsn := schema(t)
	administer(t, dsn, orders)
	s := sqlstore.Table[order](open(t, dsn), sqlstore.Existing())
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAForeignTableStoresRecords(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), foreign(t)
	first := &order{
		Number: 1, Customer: new("Ada"), Total: 12.5, Rate: 0.25, State: "open",
		PlacedAt: time.Date(2024, 5, 1, 12, 0, 0, 1000, time.UTC), Day: new(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)),
		Lines: []string{"a"}, Note: new("hello"),
	}
	second := &order{Number: 2, State: "closed", PlacedAt: first.PlacedAt.Add(time.Hour), Lines: []string{}}
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[order]) error {
		if err := tx.Insert(ctx, first); err != nil {
			return err
		}
		second.Parent = &first.ID
		return tx.Insert(ctx, second)
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.List(ctx, store.Query{Order: []store.Order{{Field: "placedAt"}}, Count: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(store.Page[order]{Items: []*order{first, second}, Total: 2}, page); diff != "" {
		t.Error(diff)
	}
	if found, err := s.Get(ctx, second.ID); err != nil || !cmp.Equal(second, found) {
		t.Errorf("Get: %+v, %v", found, err)
	}
}

func TestConstraintsOfAForeignTableRejectValues(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), foreign(t)
	parent := &order{Number: 1, State: "open", Lines: []string{}}
	if err := s.Transact(ctx, placing(parent)); err != nil {
		t.Fatal(err)
	}
	if err := s.Transact(ctx, placing(&order{Number: 2, State: "open", Lines: []string{}, Parent: &parent.ID})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(o *order){
		"a reference to nothing":           func(o *order) { o.Parent = new(uuid.New()) },
		"a value that a check rejects":     func(o *order) { o.Note = new("wrong") },
		"a text that is too long":          func(o *order) { o.Customer = new("a customer with a long name") },
		"a number that is too large":       func(o *order) { o.Total = 1e12 },
		"a value that is not enumerated":   func(o *order) { o.State = "ajar" },
		"a text with a character not text": func(o *order) { o.Customer = new("\x00") },
	} {
		refused := &order{Number: 3, State: "open", Lines: []string{}}
		change(refused)
		if err := s.Transact(ctx, placing(refused)); !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	removing := func(ctx context.Context, tx store.Tx[order]) error { return tx.Delete(ctx, parent.ID) }
	if err := s.Transact(ctx, removing); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a delete of a referenced record: %v", err)
	}
	taken := s.Transact(ctx, placing(&order{Number: 1, State: "open", Lines: []string{}}))
	if unique, ok := errors.AsType[store.UniqueError](taken); !ok || unique.Field != "number" {
		t.Errorf("a duplicate value: %v", taken)
	}
	if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != 2 {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}

func placing(o *order) func(context.Context, store.Tx[order]) error {
	return func(ctx context.Context, tx store.Tx[order]) error { return tx.Insert(ctx, o) }
}

func TestAForeignTableIsSearchedAsItsDatabaseFolds(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), foreign(t)
	for i, customer := range []string{"ada", "Ådne", "Zoë", "ADAM", "b", "Bo"} {
		if err := s.Transact(ctx, placing(&order{Number: i, Customer: &customer, State: "open", Lines: []string{}})); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(where []store.Condition, want ...string) {
		t.Helper()
		page, err := s.List(ctx, store.Query{Where: where, Order: []store.Order{{Field: "customer"}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, found := range page.Items {
			got = append(got, *found.Customer)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", where, diff)
		}
	}
	ask(nil, "ada", "ADAM", "Ådne", "b", "Bo", "Zoë") // as in a dictionary, not by bytes
	ask([]store.Condition{{Fields: []string{"customer"}, Operator: store.HasPrefix, Values: []any{"aDa"}}}, "ada", "ADAM")
	ask([]store.Condition{{Fields: []string{"customer"}, Operator: store.HasSuffix, Values: []any{"O"}}}, "Bo")
	ask([]store.Condition{{Fields: []string{"customer"}, Operator: store.Contains, Values: []any{"å"}}}, "Ådne")
	ask([]store.Condition{{Fields: []string{"customer"}, Operator: store.EqualFold, Values: []any{"ZOË"}}}, "Zoë")
	ask([]store.Condition{{Fields: []string{"customer"}, Operator: store.HasPrefix, Values: []any{"%"}}})
}

func TestEverythingMissingInAForeignTableIsReported(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	administer(t, dsn, `CREATE TABLE orders (
		id uuid PRIMARY KEY, number integer, customr text, total numeric NOT NULL, rate real NOT NULL,
		state text NOT NULL, placed_at timestamptz NOT NULL, day date NOT NULL, "Remark" text
	)`, "CREATE UNIQUE INDEX ON orders (number) WHERE total > 0")
	err := sqlstore.Table[order](open(t, dsn), sqlstore.Existing()).Check(t.Context())
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"nullable column number, but number is not a pointer", `no column customer TEXT COLLATE "C" for customer; did you mean "customr"?`, "no column parent", "no column lines",
		"column day, which is NOT NULL", "no unique index on number",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in:\n%v", want, err)
		}
	}
	err = sqlstore.Table[order](open(t, schema(t))).Check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the table orders does not exist") {
		t.Errorf("without a table: %v", err)
	}
}
