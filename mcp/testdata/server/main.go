// Command server serves a small API to agents, for the clients of other SDKs to try: books that
// everybody reads and the librarian, whose token is "librarian", changes.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Librarian is who signs in.
type Librarian struct{ Name string }

// Author is who has written a book.
type Author struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// Book is on a shelf.
type Book struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title" validate:"notblank,max=200" api:"filter=partial,sort" doc:"As printed on the cover." example:"Dune"`
	Year    int       `json:"year" validate:"gte=1450,lte=2100" api:"filter=range,sort"`
	Price   *float64  `json:"price" validate:"omitempty,gte=0"`
	Added   time.Time `json:"added" api:"readonly"`
	Tags    []string  `json:"tags" validate:"max=5"`
	Written *int64    `json:"author" api:"ref=Author,expand,filter"`
}

// Discount is what a handler takes.
type Discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=90"`
}

func discount(_ context.Context, book *Book, in Discount) (*Book, error) {
	if book.Price != nil {
		*book.Price = *book.Price * float64(100-in.Percent) / 100
	}
	return book, nil
}

func newAPI() (*resource.API, error) {
	rules := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*Librarian, access.Scopes, error) {
			if token != "librarian" {
				return nil, nil, access.ErrCredentials
			}
			return &Librarian{Name: token}, access.Unlimited, nil
		}),
	}},
		resource.Of[Author]{Access: rules},
		resource.Of[Book]{
			Description: "A book of the library.", Access: rules, SparseFields: true,
			Prepare: func(_ context.Context, _ *operation.Request, book *Book) error {
				if book.Added.IsZero() {
					book.Added = time.Now().UTC()
				}
				return nil
			},
			Operations: append(operation.Standard(), operation.Post{
				Name: "discount", URITemplate: "/books/{id}/discount", Handler: operation.Handle(discount),
			}),
		})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{Name: "Library", Version: "1.0.0"})
	}
	return api, err
}

func main() {
	api, err := newAPI()
	if err != nil {
		log.Fatal(err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: api, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
