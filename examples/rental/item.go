package main

import (
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Item is something to rent. Its price is in cents for a day.
type Item struct {
	ID       int64      `json:"id"`
	Location int64      `json:"location" api:"ref=Location,filter,expand,createonly"`
	Number   int        `json:"number" validate:"gte=1,lte=9999" api:"sort"`
	Name     string     `json:"name" validate:"notblank,max=100" api:"title,filter=partial,sort,search" example:"Canoe"`
	Price    int64      `json:"price" validate:"gte=0,lte=1000000" api:"filter=range,sort" doc:"Cents for a day." example:"2500"`
	Version  int64      `json:"version" api:"version"`
	Deleted  *time.Time `json:"deleted" api:"deleted"`
}

// Constraints gives each item of a location a number of its own.
func (Item) Constraints() []store.Constraint {
	return []store.Constraint{store.Unique("location", "number").Message("The location has an item with this number.")}
}

func (r *rental) ofItem() resource.Of[Item] {
	return resource.Of[Item]{
		Description: "Something to rent.", Store: r.items,
		Access: access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff, Deleted: staff},
		Operations: append(operation.Standard(),
			operation.Post{Name: "restore", URITemplate: "/items/{id}/restore", Handler: operation.Restore()},
			operation.Delete{Name: "purge", URITemplate: "/items/{id}/trash", Access: admins, Handler: operation.Purge()}),
	}
}
