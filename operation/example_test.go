package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type Book struct {
	ID    int64   `json:"id"`
	Title string  `json:"title" validate:"notblank"`
	Price float64 `json:"price" validate:"gte=0"`
}

type Discount struct {
	Percent float64 `json:"percent" validate:"gt=0,lte=90"`
}

// post sends a body to an API and prints the response.
func post(api http.Handler, path, body string) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
}

// A custom operation loads the record, changes it, and has it validated and saved.
func ExampleHandle() {
	discount := func(_ context.Context, book *Book, in Discount) (Book, error) {
		book.Price -= book.Price * in.Percent / 100
		return *book, nil
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{
		Store: memory.New(Book{Title: "Dune", Price: 10}),
		Operations: append(operation.Standard(), operation.Post{
			Name: "discount", URITemplate: "/books/{id}/discount", Handler: operation.Handle(discount),
		}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/books/1/discount", `{"percent":20}`)
	post(api, "/api/books/1/discount", `{"percent":95}`)
	// Output:
	// 200 {"id":1,"title":"Dune","price":8}
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"percent":"percent must be at most 90"}}
}

// A processor runs around the save, in its transaction. An error of the processor undoes the save.
func ExampleProcess() {
	audit := func(ctx context.Context, req *operation.Request, book *Book, save operation.Save[Book]) error {
		if err := save(ctx, book); err != nil {
			return err
		}
		fmt.Println(req.Kind, "saved book", book.ID)
		return nil
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Processor: operation.Process(audit)})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/books", `{"title":"Dune","price":10}`)
	// Output:
	// Post saved book 1
	// 201 {"id":1,"title":"Dune","price":10}
}

// A hook rejects a request with its own problem.
func ExampleError() {
	closed := func(context.Context, *operation.Request, *Book) error {
		return operation.Error{Status: 403, Title: "Closed", Detail: "The shop takes no books today."}
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Prepare: closed})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/books", `{"title":"Dune"}`)
	// Output:
	// 403 {"type":"about:blank","title":"Closed","status":403,"detail":"The shop takes no books today."}
}

// A middleware identifies the caller, and hooks read it.
func ExampleWithPrincipal() {
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), "grace")))
		})
	}
	sign := func(_ context.Context, req *operation.Request, book *Book) error {
		book.Title += " (from " + req.Principal.(string) + ")"
		return nil
	}
	api, err := resource.New(
		resource.Config{Middleware: []func(http.Handler) http.Handler{authenticate}},
		resource.Of[Book]{Prepare: sign},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/books", `{"title":"Dune"}`)
	// Output:
	// 201 {"id":1,"title":"Dune (from grace)","price":0}
}

// Standard returns all six operations, so that you can append others.
func ExampleStandard() {
	operations := append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"})
	for _, o := range operations {
		fmt.Print(o.Kind(), " ")
	}
	// Output:
	// Get GetCollection Post Put Patch Delete Get
}

type Forecast struct {
	Days int `json:"days" validate:"gte=1,lte=14" default:"7" doc:"How far to look."`
}

// The fields of a struct are the parameters of an operation. Hooks and handlers read them with their types, and tests
// of hooks can set them.
func ExampleParameters() {
	var forecast operation.Parameters[Forecast]
	_ = operation.Get{Parameters: forecast} // and a Handler

	fmt.Println(forecast.Of(&operation.Request{Parameters: &Forecast{Days: 3}}).Days)
	// Output: 3
}

// A switch of a Pagination is set with a pointer. A field that is not set comes from the resource.
func ExamplePagination() {
	byCursor := operation.GetCollection{Pagination: operation.Pagination{ItemsPerPage: 50, ViaCursor: new(true)}}
	fmt.Println(*byCursor.Pagination.ViaCursor, byCursor.Pagination.Partial == nil)
	// Output: true true
}
