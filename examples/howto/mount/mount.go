// Package mount serves an API next to other routes. It is the code of docs/how-to/mount-in-another-router.md.
package mount

import (
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Book is the record.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// NewAPI declares the API under its whole path.
func NewAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Prefix: "/shop/v1", // the whole path before the collections, as clients see it
	}, resource.Of[Book]{})
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Shop", Version: "1.0.0"})
}

// InChi serves the API in a chi router, next to another route.
func InChi(api *resource.API) http.Handler {
	router := chi.NewRouter()
	router.Use(middleware.SetHeader("X-Frame-Options", "DENY")) // runs around the API too
	router.Get("/about", About)
	router.Mount("/", api) // every path that the router has no route for
	return router
}

// InMux serves the API in a mux of net/http, next to another route.
func InMux(api *resource.API) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /about", About)
	mux.Handle("/", api)
	return mux
}

// BelowInChi serves the API below its prefix, and a website at all other paths.
func BelowInChi(api *resource.API, site http.Handler) http.Handler {
	router := chi.NewRouter()
	router.Handle("/shop/v1", api) // the list of collections
	router.Handle("/shop/v1/*", api)
	router.Handle("/*", site)
	return router
}

// BelowInMux is BelowInChi for a mux of net/http.
func BelowInMux(api *resource.API, site http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/shop/v1", api)
	mux.Handle("/shop/v1/", api)
	mux.Handle("/", site)
	return mux
}

// NewBelowShop declares the API for a router that removes /shop from paths.
func NewBelowShop() (*resource.API, error) {
	return resource.New(resource.Config{
		PublicURL: "https://example.com/shop", Prefix: "/v1", // the books are at /shop/v1/books
	}, resource.Of[Book]{})
}

// Stripping serves the API below a path that the mux removes, and a website at all other paths.
func Stripping(api *resource.API, site http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/shop/", http.StripPrefix("/shop", api))
	mux.Handle("/", site)
	return mux
}

// AddRoutes adds routes to the router of the API.
func AddRoutes(api *resource.API) error {
	api.Router().Get("/about", About)
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Mount("/files", http.StripPrefix("/files", http.FileServer(http.Dir("testdata"))))
	return api.Check() // reports routes that are never called, because an operation has their path and method
}

// About is a route that is not an operation.
func About(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "A shop.") }
