package contender

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/bench/catalog"
)

func newChi(items []catalog.Item) (http.Handler, error) {
	return chiOf(newHandlers(items)), nil
}

// newChiHooked is the same with a hook.
func newChiHooked(items []catalog.Item) (http.Handler, error) {
	h := newHandlers(items)
	h.hook = hook
	return chiOf(h), nil
}

// newChiBoth is the same with a hook and a middleware.
func newChiBoth(items []catalog.Item) (http.Handler, error) {
	h := newHandlers(items)
	h.hook = hook
	return chiOf(h, middleware), nil
}

func chiOf(h *handlers, middleware ...func(http.Handler) http.Handler) http.Handler {
	router := chi.NewRouter()
	router.Use(middleware...)
	router.Get("/api/items", h.list)
	router.Post("/api/items", h.create)
	router.Get("/api/items/{id}", h.get)
	router.Put("/api/items/{id}", h.replace)
	router.Patch("/api/items/{id}", h.patch)
	return router
}
