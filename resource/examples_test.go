package resource_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Status is the state of an order.
type Status string

// An Enum is a read-only resource of the values of a type.
func ExampleEnum() {
	api, err := resource.New(resource.Config{}, resource.Enum[Status]{
		Values:       []Status{"draft", "sent"},
		Descriptions: map[Status]string{"sent": "It is on its way."},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "GET", "/api/statuses", "")
	send(api, "GET", "/api/statuses/sent", "")
	// Output:
	// 200 [{"id":"draft","position":1},{"id":"sent","position":2,"description":"It is on its way."}]
	// 200 {"id":"sent","position":2,"description":"It is on its way."}
}

// Serve returns when the context ends and running requests have finished.
func ExampleServe() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background()) // signal.NotifyContext in a program
	served := make(chan error)
	go func() { served <- resource.Serve(ctx, listener, api) }()

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+listener.Addr().String()+"/api/books", http.NoBody)
	if err != nil {
		fmt.Println(err)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		err = response.Body.Close()
	}
	fmt.Println(response.Status, err)
	stop()
	fmt.Println(<-served)
	// Output:
	// 200 OK <nil>
	// <nil>
}

// A route of your own sends the same errors as operations.
func ExampleWriteError() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	api.Router().Get("/report", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "60")
		resource.WriteError(w, r, operation.Error{Status: http.StatusServiceUnavailable, Title: "The report is being made"})
	})
	send(api, "GET", "/report", "")
	// Output: 503 {"type":"about:blank","title":"The report is being made","status":503}
}

// A handler of a GetCollection adds a condition to the query of its request.
func Example_query() {
	books := memory.New(Book{Title: "Dune", Year: 1965}, Book{Title: "Emma", Year: 1815})
	old := func(ctx context.Context, _ *Book, query store.Query) (store.Page[Book], error) {
		query.Where = append(query.Where, store.Condition{Fields: []string{"year"}, Operator: store.Less, Values: []any{1900}})
		return books.List(ctx, query)
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Store: books, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{Name: "listOld", URITemplate: "/old_books", Handler: operation.Handle(old)},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "GET", "/api/old_books", "")
	// Output: 200 [{"id":2,"title":"Emma","year":1815,"price":null}]
}

// WriteRoutes prints the operations of an API.
func ExampleAPI_WriteRoutes() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err == nil {
		err = api.WriteRoutes(os.Stdout)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// METHOD  PATH             OPERATION   STATUS
	// GET     /api/books/{id}  getBook     200
	// GET     /api/books       listBooks   200
	// POST    /api/books       createBook  201
	// PUT     /api/books/{id}  updateBook  200
	// PATCH   /api/books/{id}  patchBook   200
	// DELETE  /api/books/{id}  deleteBook  204
}

// Check reports a route that an operation shadows.
func ExampleAPI_Check() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	api.Router().Get("/api/books", func(http.ResponseWriter, *http.Request) {})
	fmt.Println(api.Check())
	// Output: Book: the operation listBooks at GET /api/books shadows your route /api/books; change the route's path, or remove the operation
}

// unreachable is a store that cannot be reached.
type unreachable struct{ store.Store[Book] }

func (unreachable) Ping(context.Context) error { return errors.New("connection refused") }

// Readyz reports a store that cannot be reached.
func ExampleAPI_Readyz() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Store: unreachable{memory.New[Book]()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	send(api, "GET", "/healthz", "")
	send(api, "GET", "/readyz", "")
	// Output:
	// 200 {"status":"alive"}
	// 503 {"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The data store of Book is unavailable."}
}

// With History, an operation lists the changes of a record.
func ExampleOf_history() {
	books := resource.Of[Book]{History: true}
	api, err := resource.New(resource.Config{}, books)
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune","year":1965}`)
	send(api, "PATCH", "/api/books/1", `{"year":1966}`)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/books/1/history?itemsPerPage=1", http.NoBody))
	_, entry, _ := strings.Cut(w.Body.String(), `"by"`) // after the time
	fmt.Println(w.Code, w.Header().Get("X-Total-Count"), entry)
	// Output:
	// 201 {"id":1,"title":"Dune","year":1965,"price":null}
	// 200 {"id":1,"title":"Dune","year":1966,"price":null}
	// 200 2 :null,"operation":"patchBook","changes":{"year":{"from":1965,"to":1966}}}]
}
