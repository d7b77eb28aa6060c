// Package migrate has the same API in Huma, in gin and in Trove. It is the code of the how-to pages about migration, and
// a module of its own, because Trove depends on neither.
package migrate

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Book is the record of all programs. Only Trove reads the tags validate and api.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200" api:"filter" example:"Dune"`
	Year  int    `json:"year" validate:"gte=1450" example:"1965"`
}

// Sale is the body of POST /books/{id}/sell.
type Sale struct {
	Copies int `json:"copies" validate:"gte=1" example:"2"`
}

// Sold is the response of POST /books/{id}/sell.
type Sold struct {
	Total int `json:"total"`
}

func sell(_ context.Context, _ *Book, in Sale) (Sold, error) { return Sold{in.Copies}, nil }

// Trove is the program after: the struct declares what the handlers did.
func Trove() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Errors: validation.Problem, // 422, as in Huma
	}, resource.Of[Book]{
		Operations: append(operation.Standard(), operation.Post{
			Name: "sell", URITemplate: "/books/{id}/sell", Handler: operation.Handle(sell),
		}),
	})
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
}

// Both serves the resources of Trove, and leaves everything else to the gin router.
func Both() (http.Handler, error) {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", Gin())
	mux.Handle("/api/books", api)
	mux.Handle("/api/books/", api)
	return mux, nil
}

// Inside has gin serve the resources of Trove, below its own middleware.
func Inside() (*gin.Engine, error) {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/api/reports/years", years)
	router.NoRoute(gin.WrapH(api))
	return router, nil
}
