// Command server serves a small API in JSON:API, for clients in other languages to try.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// User owns treasures.
type User struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
	Boss *int64 `json:"boss" api:"ref=User,expand"`
}

// Tag is a word for treasures, chosen by its user.
type Tag struct {
	Word  string `json:"word" api:"id"`
	Color string `json:"color"`
}

// DragonTreasure is in a hoard.
type DragonTreasure struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" validate:"min=2" api:"filter=partial,sort"`
	Worth int      `json:"worth" validate:"gte=0" api:"filter=range,sort"`
	Owner int64    `json:"owner" api:"ref=User,expand,filter"`
	Tags  []string `json:"tags" validate:"max=5" api:"ref=Tag,expand"`
}

func main() {
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonapi.Format)},
		resource.Of[User]{}, resource.Of[Tag]{},
		resource.Of[DragonTreasure]{SparseFields: true, Pagination: operation.Pagination{ClientItemsPerPage: new(true)}})
	if err != nil {
		log.Fatal(err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: api, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
