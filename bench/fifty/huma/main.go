// Command huma serves fifty resources with Huma on chi and their document, to measure how it starts. Its handlers only
// do what needs no store.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/bench/fifty"
)

func main() {
	router := chi.NewRouter()
	config := huma.DefaultConfig("Fifty", "1.0.0")
	config.OpenAPIPath = "/api/docs"
	api := humachi.New(router, config)
	for _, add := range items() {
		add(api)
	}
	if err := fifty.Serve(router); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type (
	named struct {
		ID int64 `path:"id"`
	}
	sent[T any]  struct{ Body T }
	saved[T any] struct {
		ID   int64 `path:"id"`
		Body T
	}
)

// mount adds the operations of a type.
type mount func(huma.API)

// operations returns a function that adds the six operations of a type.
func operations[T any](name string) mount {
	return func(api huma.API) {
		path := "/api/" + name
		huma.Get(api, path, func(context.Context, *struct{}) (*sent[[]T], error) { return &sent[[]T]{Body: []T{}}, nil })
		huma.Post(api, path, func(_ context.Context, in *sent[T]) (*sent[T], error) { return in, nil },
			func(o *huma.Operation) { o.DefaultStatus = http.StatusCreated })
		huma.Get(api, path+"/{id}", func(context.Context, *named) (*sent[T], error) { return &sent[T]{}, nil })
		huma.Put(api, path+"/{id}", func(_ context.Context, in *saved[T]) (*sent[T], error) { return &sent[T]{Body: in.Body}, nil })
		huma.Patch(api, path+"/{id}", func(_ context.Context, in *saved[T]) (*sent[T], error) { return &sent[T]{Body: in.Body}, nil })
		huma.Delete(api, path+"/{id}", func(context.Context, *named) (*struct{}, error) { return nil, nil })
	}
}
