package main

import (
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Author writes books.
type Author struct {
	ID   int64  `json:"id" api:"id"`
	Name string `json:"name" validate:"notblank,max=100" api:"filter=partial,sort" doc:"As it is printed."`
	Born *int   `json:"born" validate:"omitempty,gte=0,lte=2100"`
}

// Subject is what a book is about.
type Subject struct {
	Name string `json:"name" api:"id" validate:"notblank,max=40"`
}

// Book is a book on a shelf.
type Book struct {
	ID       int64     `json:"id" api:"id"`
	Title    string    `json:"title" validate:"notblank,max=200" api:"filter=partial,sort,search" doc:"As printed on the cover." example:"Dune"`
	Year     int       `json:"year" validate:"gte=1450,lte=2100" api:"filter=range,sort" example:"1965"`
	Price    *float64  `json:"price" validate:"omitempty,gte=0"`
	Lent     bool      `json:"lent" api:"filter=exact"`
	Author   int64     `json:"author" api:"ref=Author,expand,filter,through=name"`
	Subjects []string  `json:"subjects" validate:"max=20" api:"ref=Subject,expand"`
	Shelf    Shelf     `json:"shelf"`
	Notes    []string  `json:"notes" validate:"max=10,dive,max=200"`
	AddedAt  time.Time `json:"addedAt" api:"created"`
}

// Shelf is where a book stands.
type Shelf struct {
	Room string `json:"room" validate:"max=20"`
	Row  int    `json:"row" validate:"gte=0,lte=99"`
}

// newAPI returns the API, without records.
func newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Formats:    append(format.Standard(), jsonld.Format),
		Pagination: operation.Pagination{ItemsPerPage: 2},
	},
		resource.Of[Book]{
			Description: "A book on a shelf.",
			Operations:  append(operation.Standard(), operation.GetCollection{URITemplate: "/authors/{author}/books"}),
		},
		resource.Of[Author]{Description: "Somebody who writes.", Inverse: map[string]string{"books": "Book.author"}},
		resource.Of[Subject]{Description: "What books are about."},
	)
	if err == nil {
		err = openapi.Mount(api, openapi.Config{
			Title: "Library", Version: "1.0.0", Description: "Books, who wrote them and what they are about.",
			Contact: &openapi3.Contact{Name: "The Trove authors", URL: "https://github.com/trove-api/trove"},
			License: &openapi3.License{Name: "MIT", Identifier: "MIT"}, Servers: openapi3.Servers{{URL: "/"}},
		})
	}
	return api, err
}
