// Command relations is the program of docs/guides/relations.md: users with treasures, and orders with statuses.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type User struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Address Address `json:"address"`
}

type Address struct {
	City string `json:"city" api:"filter,sort"`
}

type Treasure struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" validate:"notblank"`
	Owner int64    `json:"owner" api:"ref=User,expand,filter,through=name|address.city"`
	Heir  *int64   `json:"heir" api:"ref=User"`                                // nullable
	Tags  []string `json:"tags" validate:"max=20" api:"ref=Tag,expand,filter"` // at most 20
}

// Tag is a label of treasures.
type Tag struct {
	ID string `json:"id" validate:"notblank"`
}

var Treasures = resource.Of[Treasure]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/users/{owner}/treasures"},
	operation.Post{URITemplate: "/users/{owner}/treasures"},
	operation.Get{URITemplate: "/users/{owner}/treasures/{id}"},
	operation.Put{URITemplate: "/treasures/{id}/tags/{tags}"},
	operation.Delete{URITemplate: "/treasures/{id}/tags/{tags}"},
)}

// Users have a field with the path of their treasures.
var Users = resource.Of[User]{Inverse: map[string]string{"treasures": "Treasure.owner"}}

type Status string

var Statuses = resource.Enum[Status]{
	Values:       []Status{"draft", "paid", "sent"},
	Descriptions: map[Status]string{"paid": "Waiting for shipment."},
}

type Order struct {
	ID     int64  `json:"id"`
	Status Status `json:"status" api:"ref=Status,filter,expand"`
}

// Quest is part of the program.
type Quest struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// of declares fixed quests.
func of(quests ...Quest) resource.Declaration {
	return resource.Of[Quest]{
		Store:      memory.New(quests...),
		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}},
	}
}

// OrderLine is identified by two fields.
type OrderLine struct {
	Order   int64  `json:"order" api:"id,ref=Order,filter"`
	Line    int64  `json:"line" api:"id"`
	Product string `json:"product" api:"filter"`
}

var OrderLines = resource.Of[OrderLine]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/orders/{order}/lines"},
	operation.Post{URITemplate: "/orders/{order}/lines"},
)}

// OrderLineKey is a reference to an OrderLine.
type OrderLineKey struct {
	Order int64 `json:"order"`
	Line  int64 `json:"line"`
}

// Shipment ships one line of an order.
type Shipment struct {
	ID   int64        `json:"id"`
	Line OrderLineKey `json:"line" api:"ref=OrderLine,expand,filter,through=product"`
}

// newAPI declares all resources.
func newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{}, Users, Treasures, resource.Of[Tag]{}, Statuses,
		resource.Of[Order]{}, OrderLines, resource.Of[Shipment]{}, of(Quest{1, "Grail"}))
	if err != nil {
		return nil, fmt.Errorf("the declarations: %w", err)
	}
	return api, openapi.Mount(api, documentation)
}

var documentation = openapi.Config{Title: "Hoard", Version: "1.0.0"}

func main() {
	if err := run(); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// run serves the API, or prints what the flags request.
func run() error {
	flags := cli.Define(flag.CommandLine)
	if err := flags.Parse(os.Stdout, os.Args[1:]); err != nil {
		return err
	}
	api, err := newAPI()
	if err != nil {
		return err
	}
	return flags.Run(context.Background(), os.Stdout, api, documentation)
}
