package database_test

import (
	"context"
	"fmt"

	"github.com/trove-api/trove/store/sqlstore/database"
)

// The name usually comes from a flag or from the environment.
func ExampleOpen() {
	name := ":memory:" // or "books.db", or "postgres://trove:secret@localhost:5432/books"
	db, err := database.Open(context.Background(), name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	fmt.Println(db.Dialect().Name(), "stores records", database.Describe(name))
	// Output: sqlite stores records in memory, lost when the program ends
}

// Describe leaves out the user and the password.
func ExampleDescribe() {
	fmt.Println(database.Describe("postgres://trove:secret@localhost:5432/books"))
	// Output: PostgreSQL at localhost:5432/books
}
