package sqlite_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank" api:"filter=partial,sort"`
	Year  int    `json:"year" api:"filter=range,sort"`
}

// A resource stores its records in the table set as its Store.
func ExampleOpen() {
	db, err := sqlite.Open(":memory:") // or "books.db"
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	books := sqlstore.Table[Book](db)
	if err := db.Create(context.Background(), books); err != nil {
		fmt.Println(err)
		return
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Store: books})
	if err != nil {
		fmt.Println(err)
		return
	}
	ask(api, "POST", "/api/books", `{"title":"Dune","year":1965}`)
	ask(api, "POST", "/api/books", `{"title":"Ubik","year":1969}`)
	ask(api, "GET", "/api/books?year[gte]=1960&sort=-year", "")
	// Output:
	// 201 {"id":1,"title":"Dune","year":1965}
	// 201 {"id":2,"title":"Ubik","year":1969}
	// 200 [{"id":2,"title":"Ubik","year":1969},{"id":1,"title":"Dune","year":1965}]
}

// ask sends a request to an API and prints the response.
func ask(api http.Handler, method, path, body string) {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
}

// The statements of a hook are saved with the record, or not at all.
func ExampleOpen_transaction() {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	ctx, books := context.Background(), sqlstore.Table[Book](db)
	if err := db.Create(ctx, books); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := db.Exec(ctx, "CREATE TABLE audit (line TEXT)"); err != nil {
		fmt.Println(err)
		return
	}
	audited := operation.Process(func(ctx context.Context, _ *operation.Request, b *Book, save operation.Save[Book]) error {
		executor, _ := sqlstore.Tx(ctx)
		if _, err := executor.Exec(ctx, "INSERT INTO audit VALUES (?)", b.Title); err != nil {
			return err
		}
		return save(ctx, b)
	})
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Store: books, Processor: audited})
	if err != nil {
		fmt.Println(err)
		return
	}
	ask(api, "POST", "/api/books", `{"title":"Dune","year":1965}`)
	rows, err := db.Query(ctx, "SELECT line FROM audit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			fmt.Println(err)
		}
		fmt.Println(line)
	}
	// Output:
	// 201 {"id":1,"title":"Dune","year":1965}
	// Dune
}

// Use the statements that create a table as the first migration.
func ExampleOpen_ddl() {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	text, err := sqlstore.DDL(sqlstore.Table[Book](db))
	fmt.Print(text, err)
	// Output:
	// CREATE TABLE IF NOT EXISTS "books" (
	// 	"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	// 	"title" TEXT NOT NULL,
	// 	"year" INTEGER NOT NULL,
	// 	"title__folded" TEXT NOT NULL
	// ) STRICT;
	//
	// CREATE INDEX IF NOT EXISTS "books_title_idx" ON "books" (`title`, `id`);
	//
	// CREATE INDEX IF NOT EXISTS "books_year_idx" ON "books" (`year`, `id`);
	//
	// <nil>
}

// The capabilities of tables.
var (
	_ store.Store[Book]       = (*sqlstore.Store[Book])(nil)
	_ store.BatchGetter[Book] = (*sqlstore.Store[Book])(nil)
	_ store.Checker           = (*sqlstore.Store[Book])(nil)
	_ store.Pinger            = (*sqlstore.Store[Book])(nil)
	_ store.Joiner            = (*sqlstore.Store[Book])(nil)
	_ store.Stamper           = (*sqlstore.Store[Book])(nil)
	_ store.ResponseKeeper    = (*sqlstore.Store[Book])(nil)
)
