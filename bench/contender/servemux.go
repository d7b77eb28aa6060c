package contender

import (
	"net/http"

	"github.com/trove-api/trove/bench/catalog"
)

func newServeMux(items []catalog.Item) (http.Handler, error) {
	h := newHandlers(items)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/items", h.list)
	mux.HandleFunc("POST /api/items", h.create)
	mux.HandleFunc("GET /api/items/{id}", h.get)
	mux.HandleFunc("PUT /api/items/{id}", h.replace)
	mux.HandleFunc("PATCH /api/items/{id}", h.patch)
	return mux, nil
}
