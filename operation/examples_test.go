package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// serve makes an API of one resource and sends it a POST, or a GET without a body.
func serve(of resource.Declaration, path, body string) {
	api, err := resource.New(resource.Config{}, of)
	if err != nil {
		fmt.Println(err)
		return
	}
	if body != "" {
		post(api, path, body)
		return
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, http.NoBody))
	fmt.Println(w.Code, w.Body)
}

// Slow work runs before the transaction, and passes its result in the body.
func ExampleHandleAfter() {
	type Review struct {
		Text  string `json:"text"`
		Score int    `json:"-"`
	}
	rate := func(_ context.Context, _ *operation.Request, in *Review) error {
		in.Score = len(strings.Fields(in.Text)) // a call of another service
		return nil
	}
	add := func(_ context.Context, book *Book, in Review) (string, error) {
		return fmt.Sprintf("%s has %d points", book.Title, in.Score), nil
	}
	serve(resource.Of[Book]{
		Store: memory.New(Book{Title: "Dune"}),
		Operations: []operation.Operation{operation.Post{
			Name: "review", URITemplate: "/books/{id}/review", Handler: operation.HandleAfter(rate, add),
		}},
	}, "/api/books/1/review", `{"text":"a long book"}`)
	// Output: 200 "Dune has 3 points"
}

// A bulk import validates all books, and saves all or none.
func ExampleCreateOf() {
	load := func(ctx context.Context, _ *Book, in []operation.CreateOf[Book]) (int, error) {
		for _, each := range in {
			if _, err := each.Save(ctx); err != nil {
				return 0, err
			}
		}
		return len(in), nil
	}
	books := resource.Of[Book]{Operations: []operation.Operation{
		operation.Post{Name: "load", URITemplate: "/books/load", Handler: operation.Handle(load)},
	}}
	serve(books, "/api/books/load", `[{"title":"Dune","price":8},{"title":"Emma","price":7}]`)
	serve(books, "/api/books/load", `[{"title":"Dune","price":8},{"title":" ","price":7}]`)
	// Output:
	// 200 2
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"[1].title":"title must not be blank"}}
}

// A bulk update changes several books with one request.
func ExamplePatchOf() {
	reprice := func(ctx context.Context, _ *Book, in []operation.PatchOf[Book]) ([]string, error) {
		var changes []string
		for _, each := range in {
			book, err := each.Save(ctx)
			if err != nil {
				return nil, err
			}
			changes = append(changes, fmt.Sprintf("%s: %g to %g", book.Title, each.Previous.Price, book.Price))
		}
		return changes, nil
	}
	serve(resource.Of[Book]{
		Store: memory.New(Book{Title: "Dune", Price: 8}, Book{Title: "Emma", Price: 7}),
		Operations: []operation.Operation{
			operation.Post{Name: "reprice", URITemplate: "/books/reprice", Handler: operation.Handle(reprice)},
		},
	}, "/api/books/reprice", `[{"id":1,"price":9},{"id":2,"price":6}]`)
	// Output: 200 ["Dune: 8 to 9","Emma: 7 to 6"]
}

// A computed field is in each response, and not in the struct.
func ExampleCompute() {
	isCheap := func(_ context.Context, book *Book) (bool, error) { return book.Price < 10, nil }
	serve(resource.Of[Book]{
		Store:    memory.New(Book{Title: "Dune", Price: 8}),
		Computed: []operation.Computed{operation.Compute("isCheap", "Whether the price is below 10.", isCheap)},
	}, "/api/books/1", "")
	// Output: 200 {"id":1,"title":"Dune","price":8,"isCheap":true}
}

// The body of a Post has another type than the record.
func ExampleInput() {
	type Offer struct {
		Title string `json:"title"`
		Cents int    `json:"cents" validate:"gte=0"`
	}
	apply := func(_ context.Context, in Offer, book *Book) error {
		book.Title, book.Price = in.Title, float64(in.Cents)/100
		return nil
	}
	serve(resource.Of[Book]{Operations: []operation.Operation{operation.Get{}, operation.Post{Input: operation.Input(apply)}}},
		"/api/books", `{"title":"Dune","cents":850}`)
	// Output: 201 {"id":1,"title":"Dune","price":8.5}
}

// The responses of a Get have another type than the record.
func ExampleOutput() {
	type Label struct {
		Text string `json:"text"`
	}
	label := func(_ context.Context, book *Book) (Label, error) {
		return Label{fmt.Sprintf("%s, %.2f EUR", book.Title, book.Price)}, nil
	}
	serve(resource.Of[Book]{
		Store:      memory.New(Book{Title: "Dune", Price: 8}),
		Operations: []operation.Operation{operation.Get{Output: operation.Output(label)}},
	}, "/api/books/1", "")
	// Output: 200 {"text":"Dune, 8.00 EUR"}
}

// A view shows some of the fields in a collection.
func ExampleView() {
	serve(resource.Of[Book]{
		Store: memory.New(Book{Title: "Dune", Price: 8}),
		Operations: []operation.Operation{
			operation.GetCollection{View: &operation.View{Name: "BookCard", Fields: []string{"id", "title"}}},
		},
	}, "/api/books", "")
	// Output: 200 [{"id":1,"title":"Dune"}]
}

// Stamp sets the owner of a new record.
func ExampleStamp() {
	type Note struct {
		ID    int64  `json:"id"`
		Owner string `json:"owner" api:"readonly"`
	}
	signedIn := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), "ann")))
		})
	}
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{signedIn}}, resource.Of[Note]{
		Stamp: operation.Stamp(func(user string, note *Note) { note.Owner = user }),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/notes", "{}")
	// Output: 201 {"id":1,"owner":"ann"}
}

// PrincipalAs returns the principal with its type.
func ExamplePrincipalAs() {
	ctx := operation.WithPrincipal(context.Background(), "ann")
	fmt.Println(operation.PrincipalAs[string](ctx))
	fmt.Println(operation.PrincipalAs[int](ctx))
	// Output:
	// ann true
	// 0 false
}

// rental is a record with a state, and a trash.
type rental struct {
	ID        int64      `json:"id"`
	Item      string     `json:"item" api:"filter,group"`
	Price     int64      `json:"price" api:"aggregate"`
	Status    string     `json:"status" default:"requested" api:"readonly"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// A step of a workflow sets a field, if its condition holds.
func ExampleSet() {
	rentals := resource.Of[rental]{Store: memory.New(rental{Item: "tent", Status: "requested"}), Operations: []operation.Operation{
		operation.Post{
			Name: "approve", URITemplate: "/rentals/{id}/approve",
			When: access.Where("status", "requested"), Handler: operation.Set("status", "approved"),
		},
	}}
	serve(rentals, "/api/rentals/1/approve", "{}")
	serve(rentals, "/api/rentals/1/approve", "{}")
	// Output:
	// 200 {"id":1,"item":"tent","price":0,"status":"approved","deletedAt":null}
	// 409 {"type":"about:blank","title":"Conflict","status":409,"detail":"The rental must meet this condition: status is requested."}
}

// An aggregate computes values of groups of the records that match its filters.
func ExampleAggregate() {
	rentals := resource.Of[rental]{
		Store:      memory.New(rental{Item: "tent", Price: 9}, rental{Item: "boat", Price: 80}, rental{Item: "boat", Price: 70}),
		Operations: append(operation.Standard(), operation.Aggregate{}),
	}
	serve(rentals, "/api/rentals/aggregate?group=item&sum=price&sort=-sum.price", "")
	serve(rentals, "/api/rentals/aggregate?item=boat&avg=price", "")
	// Output:
	// 200 [{"group":{"item":"boat"},"count":2,"sum":{"price":150}},{"group":{"item":"tent"},"count":1,"sum":{"price":9}}]
	// 200 [{"group":{},"count":2,"avg":{"price":75}}]
}

// Restore brings a record back from the trash. Delete moves it there.
func ExampleRestore() {
	rentals := resource.Of[rental]{
		Store: memory.New(rental{Item: "tent", Status: "requested", DeletedAt: new(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))}),
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public, Deleted: access.Public,
		},
		Operations: append(operation.Standard(),
			operation.Post{Name: "restore", URITemplate: "/rentals/{id}/restore", Handler: operation.Restore()},
			operation.Delete{Name: "purge", URITemplate: "/rentals/{id}/trash", Handler: operation.Purge()}),
	}
	serve(rentals, "/api/rentals", "")
	serve(rentals, "/api/rentals/1?deleted=only", "")
	serve(rentals, "/api/rentals/1/restore", "{}")
	// Output:
	// 200 []
	// 200 {"id":1,"item":"tent","price":0,"status":"requested","deletedAt":"2026-01-02T03:04:05Z"}
	// 200 {"id":1,"item":"tent","price":0,"status":"requested","deletedAt":null}
}

// order and its lines are saved by one request.
type order struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type line struct {
	ID    int64  `json:"id"`
	Order int64  `json:"order" api:"ref=Order"`
	Ware  string `json:"ware" validate:"notblank"`
}

// The body of a Post has the records of a list, which are created with the record.
func ExampleMetadata_nested() {
	orders := resource.Of[order]{
		ShortName: "Order", Inverse: map[string]string{"lines": "Line.order"},
		Operations: []operation.Operation{operation.Get{}, operation.Post{Nested: []string{"lines"}}},
	}
	lines := resource.Of[line]{
		ShortName:  "Line",
		Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/orders/{order}/lines"}),
	}
	api, err := resource.New(resource.Config{}, orders, lines)
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/orders", `{"name":"ann","lines":[{"ware":"tent"},{"ware":" "}]}`)
	post(api, "/api/orders", `{"name":"ann","lines":[{"ware":"tent"}]}`)
	// Output:
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"lines[1].ware":"ware must not be blank"}}
	// 201 {"id":1,"name":"ann","lines":"/api/orders/1/lines","_embedded":{"lines":[{"id":1,"order":"/api/orders/1","ware":"tent"}]}}
}
