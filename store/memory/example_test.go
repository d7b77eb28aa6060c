package memory_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" api:"unique"`
	Sold  int    `json:"sold"`
}

// New returns a store with copies of the records, which it lists in the order of their identifiers.
func ExampleNew() {
	ctx := context.Background()
	books := memory.New(Book{Title: "Dune"}, Book{ID: 7, Title: "Ubik"}, Book{Title: "Solaris"})
	page, err := books.List(ctx, store.Query{})
	if err != nil {
		fmt.Println(err)
	}
	for _, book := range page.Items {
		fmt.Println(book.ID, book.Title)
	}
	// Output:
	// 7 Ubik
	// 8 Dune
	// 9 Solaris
}

// A transaction reads, changes and writes a record. No other transaction changes it meanwhile.
func ExampleStore_Transact() {
	ctx := context.Background()
	books := memory.New(Book{ID: 1, Title: "Dune"})
	err := books.Transact(ctx, func(ctx context.Context, tx store.Tx[Book]) error {
		book, err := tx.Get(ctx, int64(1))
		if err != nil {
			return err
		}
		book.Sold++
		return tx.Update(ctx, book.ID, book)
	})
	fmt.Println(err)
	dune, err := books.Get(ctx, int64(1))
	fmt.Println(dune.Sold, err)
	// Output:
	// <nil>
	// 1 <nil>
}

// A transaction saves nothing if its function returns an error.
func ExampleStore_Transact_rollback() {
	ctx := context.Background()
	books := memory.New[Book]()
	err := books.Transact(ctx, func(ctx context.Context, tx store.Tx[Book]) error {
		if err := tx.Insert(ctx, &Book{Title: "Dune"}); err != nil {
			return err
		}
		return errors.New("sold out")
	})
	page, _ := books.List(ctx, store.Query{})
	fmt.Println(err, len(page.Items))
	// Output: sold out 0
}

// Check reports the errors of a declaration before the first request.
func ExampleStore_Check() {
	books := memory.New(Book{Title: "Dune"}, Book{Title: "Dune"})
	fmt.Println(books.Check(context.Background()))
	// Output: store/memory: record 2 given to New[Book]: store: title is already in use
}

// Load makes a store of records from another source, which is read for each request.
func ExampleLoad() {
	books := memory.Load(func(context.Context) ([]Book, error) {
		return []Book{{ID: 1, Title: "Dune", Sold: 3}, {ID: 2, Title: "Ubik", Sold: 5}}, nil
	})
	page, err := books.List(context.Background(), store.Query{Order: []store.Order{{Field: "sold", Descending: true}}, Count: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Items[0].Title, page.Total)
	// Output: Ubik 2
}
