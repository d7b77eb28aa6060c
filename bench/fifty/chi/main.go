// Command chi serves fifty resources with chi, encoding/json and validator, to measure how it starts. Its handlers only
// do what needs no store.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/bench/fifty"
)

func main() {
	router, validate := chi.NewRouter(), validator.New(validator.WithRequiredStructEnabled())
	for _, add := range items() {
		add(router, validate)
	}
	if err := fifty.Serve(router); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mount adds the operations of a type.
type mount func(chi.Router, *validator.Validate)

// routes returns a function that adds the six operations of a type.
func routes[T any](name string) mount {
	return func(r chi.Router, validate *validator.Validate) {
		h := handlers[T]{validate}
		r.Get("/api/"+name, h.list)
		r.Post("/api/"+name, h.save)
		r.Get("/api/"+name+"/{id}", h.get)
		r.Put("/api/"+name+"/{id}", h.save)
		r.Patch("/api/"+name+"/{id}", h.save)
		r.Delete("/api/"+name+"/{id}", h.delete)
	}
}

type handlers[T any] struct{ validate *validator.Validate }

func (handlers[T]) list(w http.ResponseWriter, _ *http.Request) { write(w, []T{}) }

func (handlers[T]) get(w http.ResponseWriter, _ *http.Request) { write(w, new(T)) }

func (handlers[T]) delete(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNoContent)
}

func (h handlers[T]) save(w http.ResponseWriter, r *http.Request) {
	var record T
	err := json.NewDecoder(r.Body).Decode(&record)
	if err == nil {
		err = h.validate.Struct(&record)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	write(w, &record)
}

func write(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // only a client that went away makes it fail
}
