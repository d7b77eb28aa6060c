package sqlstore_test

import (
	"context"
	"fmt"

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
	// CREATE UNIQUE INDEX IF NOT EXISTS "dragons_name_key" ON "dragons" ("name");
}
