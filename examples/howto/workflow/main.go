// Command workflow serves bookings that the staff approve. It is the code of the how-to pages about workflows and histories.
package main

import (
	"context"
	"crypto/subtle"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Booking is the rental of an item. Only the operations of the workflow change its status.
type Booking struct {
	ID     int64  `json:"id"`
	Item   string `json:"item" validate:"notblank,max=100" example:"Canoe"`
	Note   string `json:"note" validate:"max=1000"`
	Status string `json:"status" validate:"oneof=requested approved returned cancelled" default:"requested" api:"readonly,filter"`
}

// Staff is the principal of requests with the token of the staff.
type Staff struct{}

// String is how the history of a booking names the staff.
func (*Staff) String() string { return "staff" }

var staff = access.Named("staff", access.Authenticated)

// operations are the standard ones, of which a Patch is possible only at the beginning, and the steps of the workflow.
var operations = []operation.Operation{
	operation.Get{},
	operation.GetCollection{},
	operation.Post{},
	operation.Patch{When: access.Where("status", "requested")},
	operation.Delete{Access: staff, When: access.Named("The booking must be over.", access.Where("status", "returned", "cancelled"))},
	operation.Post{
		Name: "approve", URITemplate: "/bookings/{id}/approve", Access: staff,
		When: access.Where("status", "requested"), Handler: operation.Set("status", "approved"),
	},
	operation.Post{
		Name: "return", URITemplate: "/bookings/{id}/return", Access: staff,
		When: access.Where("status", "approved"), Handler: operation.Set("status", "returned"),
	},
	operation.Post{
		Name: "cancel", URITemplate: "/bookings/{id}/cancel",
		When: access.Where("status", "requested", "approved"), Handler: operation.Set("status", "cancelled"),
	},
}

func newAPI(bookings store.Store[Booking]) (*resource.API, error) {
	return resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Booking]{
		Description: "A booking of something to rent.", Store: bookings,
		Access: access.Only(access.Public), Operations: operations, History: true,
	})
}

func authenticate(_ context.Context, token string) (*Staff, access.Scopes, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte("staff-token")) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return &Staff{}, access.Unlimited, nil
}

func main() {
	cli.Main(func(context.Context) (*resource.API, error) { return newAPI(memory.New[Booking]()) }, openapi.Config{Title: "Rental", Version: "1.0.0"})
}
