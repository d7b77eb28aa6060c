package contender

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/bench/catalog"
)

func newChi(items []catalog.Item) (http.Handler, error) {
	h := newHandlers(items)
	router := chi.NewRouter()
	router.Get("/api/items", h.list)
	router.Post("/api/items", h.create)
	router.Get("/api/items/{id}", h.get)
	router.Put("/api/items/{id}", h.replace)
	router.Patch("/api/items/{id}", h.patch)
	return router, nil
}
