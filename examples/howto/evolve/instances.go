package evolve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// Ticket is kept in a database that all instances share.
type Ticket struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=100" api:"sort" example:"Lamp is broken"`
	Note  string `json:"note" validate:"max=1000" api:"writeonly"`
}

// Instance is one of several programs that serve the same API.
type Instance struct {
	http.Handler

	db *sqlstore.DB
}

// Close closes the database, after the last request.
func (i *Instance) Close() error { return i.db.Close() }

// NewInstance opens the database, such as postgres://user:password@host/tickets.
func NewInstance(ctx context.Context, dsn string) (*Instance, error) {
	db, err := database.Open(ctx, dsn)
	if err != nil {
		return nil, err
	}
	tickets := sqlstore.Table[Ticket](db)
	_, err = db.Migrate(ctx, tickets, db.Responses()) // New reports what it leaves to you
	var key []byte
	if err == nil {
		key, err = db.SharedKey(ctx, "cursors") // the first instance creates it
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	api, err := resource.New(resource.Config{
		CursorKey:     key,
		MaxConcurrent: 200,              // 503 with Retry-After instead of a queue
		Timeout:       10 * time.Second, // less than that of the load balancer
		Pagination:    operation.Pagination{ViaCursor: new(true)},
	}, resource.Of[Ticket]{Store: tickets, Idempotency: 24 * time.Hour})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	api.Router().Get("/healthz", api.Healthz) // liveness
	api.Router().Get("/readyz", api.Readyz)   // readiness: can the database be used?
	return &Instance{api, db}, nil
}
