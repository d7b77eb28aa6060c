package compiled

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Store is a store.Store without its type parameter: records are pointers to the
// resource's struct.
type Store interface {
	Get(ctx context.Context, id any) (any, error)
	// GetMany returns the record with each id, nil where there is none: all at once where
	// the store is a store.BatchGetter, else one after the other. The list is made in room, as far
	// as there is some.
	GetMany(ctx context.Context, ids, room []any) ([]any, error)
	List(ctx context.Context, query store.Query) (Page, error)
	// Forgets reports whether List and GetMany keep nothing of a query, or of identifiers, once they
	// have returned.
	Forgets() bool
	Transact(ctx context.Context, runner Runner) error
}

// Runner runs in a transaction, maybe more than once.
type Runner interface {
	Run(ctx context.Context, tx Tx) error
}

// Page is a store.Page without its type parameter.
type Page struct {
	Items  Items
	Total  int
	Broken []error // of records that cannot be read, which Items lack
}

// Items are the records of a page, which are only read.
type Items interface {
	Len() int
	At(i int) any
	// Cut leaves the first n.
	Cut(n int)
	// Reverse turns them the other way round.
	Reverse()
	// Positions returns the position of each in the order of the query, nil where the records
	// tell it. They are cut and turned with the records. To read what an order through a
	// reference is by once more would find values that may have changed since.
	Positions() [][]any
}

// Tx is a store.Tx without its type parameter, and a store.ResponseTx where it is one.
type Tx interface {
	store.ResponseTx

	// Get returns a record that the caller may change.
	Get(ctx context.Context, id any) (any, error)
	// Peek returns a record that the caller only reads.
	Peek(ctx context.Context, id any) (any, error)
	// Insert and Update save a record. Where it is the store's from then on, nobody
	// changes it any more.
	Insert(ctx context.Context, record any, stores bool) error
	Update(ctx context.Context, id, record any, stores bool) error
	Delete(ctx context.Context, id any) error
}
