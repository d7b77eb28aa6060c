package migrate

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// BookInput is the body of a Huma handler.
type BookInput struct {
	Body struct {
		Title string `json:"title" minLength:"1" maxLength:"200"`
		Year  int    `json:"year" minimum:"1450"`
	}
}

// BookID is a path parameter of a Huma handler.
type BookID struct {
	ID int64 `path:"id"`
}

// BookList has the query parameters of a Huma handler.
type BookList struct {
	Title string `query:"title"`
	Page  int    `query:"page" minimum:"1" default:"1"`
}

// BookOutput is a response of Huma.
type BookOutput struct {
	Body Book
}

// BooksOutput is a list of Huma.
type BooksOutput struct {
	Body []Book
}

// YearsOutput is a report of Huma.
type YearsOutput struct {
	Body Years
}

// books are the records of the programs without Trove.
type books struct {
	mu   sync.Mutex
	all  []Book
	last int64
}

// Huma is the program before: a handler for each operation.
func Huma() http.Handler {
	router := chi.NewMux()
	api := humachi.New(router, huma.DefaultConfig("Bookshop", "1.0.0"))
	b := &books{}
	huma.Register(api, huma.Operation{
		OperationID: "create-book", Method: http.MethodPost, Path: "/api/books", DefaultStatus: http.StatusCreated,
	}, b.create)
	huma.Get(api, "/api/books/{id}", b.get)
	huma.Get(api, "/api/books", b.list)
	return router
}

func (b *books) create(_ context.Context, in *BookInput) (*BookOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	book := Book{ID: b.last, Title: in.Body.Title, Year: in.Body.Year}
	b.all = append(b.all, book)
	return &BookOutput{book}, nil
}

func (b *books) get(_ context.Context, in *BookID) (*BookOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.all, func(book Book) bool { return book.ID == in.ID })
	if i < 0 {
		return nil, huma.Error404NotFound("book not found")
	}
	return &BookOutput{b.all[i]}, nil
}

func (b *books) list(_ context.Context, in *BookList) (*BooksOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Book{}
	for _, book := range b.all {
		if in.Title == "" || book.Title == in.Title {
			found = append(found, book)
		}
	}
	return &BooksOutput{found[min(len(found), 30*(in.Page-1)):min(len(found), 30*in.Page)]}, nil
}
