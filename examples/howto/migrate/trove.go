// Package migrate has the same API in Huma, in gin and in Trove. It is the code of the how-to pages about migration, and
// a module of its own, because Trove depends on neither.
package migrate

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/access"
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

// BesideHuma serves the books with Trove, and other operations with Huma.
func BesideHuma() (http.Handler, error) {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err != nil {
		return nil, err
	}
	router := chi.NewMux()
	reports := humachi.New(router, huma.DefaultConfig("Reports", "1.0.0"))
	huma.Get(reports, "/reports/years", func(context.Context, *struct{}) (*YearsOutput, error) { return &YearsOutput{Years{1450}}, nil })
	router.Mount("/", api) // what Huma has no route for
	return router, nil
}

// InGin serves the books with Trove, behind the routes and the middleware of gin.
func InGin() (*gin.Engine, error) {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{
		Access: access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated},
	})
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.Use(gin.Recovery(), authenticate)
	router.GET("/reports/years", years)
	router.NoRoute(gin.WrapH(api)) // what gin has no route for
	return router, nil
}

// authenticate is middleware of gin, which passes the user on to Trove.
func authenticate(c *gin.Context) {
	if user, _, ok := c.Request.BasicAuth(); ok { // check the password here
		c.Request = c.Request.WithContext(operation.WithPrincipal(c.Request.Context(), user))
	}
}
