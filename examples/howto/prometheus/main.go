// Command prometheus serves books, and their metrics to Prometheus. It is the code of the how-to page about metrics, and
// a module of its own, because few programs need Prometheus.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/operation/observe/observeprom"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Book is on sale.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200" example:"Dune"`
}

// newAPI returns the API and the page of its metrics, which are served at a port of their own.
func newAPI(ctx context.Context, db *sqlstore.DB) (*resource.API, http.Handler, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	requests := observeprom.NewRequests()
	registry.MustRegister(requests, observeprom.Database(db, "books"))

	books := sqlstore.Table[Book](db)
	if err := db.Create(ctx, books); err != nil {
		return nil, nil, err
	}
	api, err := resource.New(resource.Config{Observers: []observe.Observer{requests}}, resource.Of[Book]{Store: books})
	return api, promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry}), err
}

func main() {
	address := flag.String("addr", "localhost:8000", "where to serve the API")
	internal := flag.String("metrics", "localhost:9090", "where to serve /metrics")
	flag.Parse()
	db, err := sqlite.Open("books.db")
	if err != nil {
		log.Fatal(err)
	}
	api, page, err := newAPI(context.Background(), db)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", page)
		server := &http.Server{Addr: *internal, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
		log.Fatal(server.ListenAndServe())
	}()
	log.Fatal(resource.Serve(context.Background(), listener, api))
}
