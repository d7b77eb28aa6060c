package main

import (
	"errors"
	"log"
	"net/http"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64    `json:"id" api:"id"`
	Title string   `json:"title" validate:"notblank,max=200" api:"filter=partial,sort" doc:"As printed on the cover." example:"Dune"`
	Year  int      `json:"year" validate:"gte=1450,lte=2100" api:"filter=range,sort"`
	Price *float64 `json:"price" validate:"omitempty,gte=0"` // pointer = nullable
}

var Books = resource.Of[Book]{Description: "A book on sale."} // six operations, in memory

func main() {
	api, err := resource.New(resource.Config{}, Books)
	if err == nil {
		err = errors.Join(openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"}), admin.Mount(api, admin.Config{}))
	}
	if err != nil {
		log.Fatal(err) // every mistake of every resource, at once
	}
	log.Fatal(http.ListenAndServe(":8000", api))
}
