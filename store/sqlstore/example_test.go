package sqlstore_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type Dragon struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"unique"`
	Age  *int   `json:"age"`
}

// A table is a store: declare it with a resource, or use it directly.
func ExampleTable() {
	ctx := context.Background()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()

	dragons := sqlstore.Table[Dragon](db)
	if err := db.Create(ctx, dragons); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(store.Insert(ctx, dragons, &Dragon{Name: "Smaug"}, &Dragon{Name: "Fafnir"}))
	found, err := store.Find(ctx, dragons, "name", "Fafnir")
	fmt.Println(found.ID, err)
	// Output:
	// <nil>
	// 2 <nil>
}

// slow logs slow statements.
type slow struct{ log *slog.Logger }

func (slow) Begin(ctx context.Context, _ sqlstore.Statement) context.Context { return ctx }

func (s slow) End(ctx context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	if result.Duration > 200*time.Millisecond {
		s.log.WarnContext(ctx, "slow statement", "ms", result.Duration.Milliseconds(), "statement", statement.Text)
	}
}

// An observer sees each statement with its duration.
func ExampleDB_Observe() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "ms" {
			return slog.Attr{}
		}
		return a
	}}))
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	db.Observe(slow{logger}) // before the database is used
	_, err = db.Exec(context.Background(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n", 3_000_000)
	fmt.Println(err)
	// Output:
	// level=WARN msg="slow statement" statement="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n"
	// <nil>
}

// DDL returns the statements of a first migration.
func ExampleDDL() {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	statements, err := sqlstore.DDL(sqlstore.Table[Dragon](db))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(statements)
	// Output:
	// CREATE TABLE IF NOT EXISTS "dragons" (
	// 	"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	// 	"name" TEXT NOT NULL,
	// 	"age" INTEGER
	// ) STRICT;
	//
	// CREATE UNIQUE INDEX IF NOT EXISTS "dragons_name_key" ON "dragons" (`name`);
}

// Fill inserts the initial records once, and does nothing later.
func ExampleDB_Fill() {
	ctx := context.Background()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()

	dragons := sqlstore.Table[Dragon](db)
	document := []byte(`{"dragons": [{"id": 1, "name": "Smaug", "age": 170}, {"id": 2, "name": "Fafnir"}]}`)
	fmt.Println(db.Create(ctx, dragons))
	fmt.Println(db.Fill(ctx, document, dragons))
	fmt.Println(db.Fill(ctx, document, dragons))
	page, err := dragons.List(ctx, store.Query{Count: true})
	fmt.Println(page.Total, err)
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// 2 <nil>
}

// Everything in a transaction is saved together, or not at all.
func ExampleDB_Transact() {
	ctx := context.Background()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()

	dragons := sqlstore.Table[Dragon](db)
	fmt.Println(db.Create(ctx, dragons))
	err = db.Transact(ctx, func(ctx context.Context) error { // pass on this context
		if err := store.Insert(ctx, dragons, &Dragon{Name: "Smaug"}); err != nil {
			return err
		}
		return store.Insert(ctx, dragons, &Dragon{Name: "Smaug"})
	})
	fmt.Println(err)
	page, err := dragons.List(ctx, store.Query{Count: true})
	fmt.Println(page.Total, err)
	// Output:
	// <nil>
	// store: name is already in use
	// 0 <nil>
}
