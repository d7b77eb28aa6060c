package compiled

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Store is a store.Store without its type parameter: records are pointers to the
// resource's struct.
type Store interface {
	Get(ctx context.Context, id any) (any, error)
	List(ctx context.Context, query store.Query) (Page, error)
	Transact(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error
}

// Page is a store.Page without its type parameter.
type Page struct {
	Items Items
	Total int
}

// Items are the records of a page, which are only read.
type Items interface {
	Len() int
	At(i int) any
	// First returns the first n.
	First(n int) Items
	// Reversed returns them the other way round.
	Reversed() Items
}

// Tx is a store.Tx without its type parameter, and a store.AnswerTx where it is one.
type Tx interface {
	store.AnswerTx

	Get(ctx context.Context, id any) (any, error)
	Insert(ctx context.Context, record any) error
	Update(ctx context.Context, id, record any) error
	Delete(ctx context.Context, id any) error
}
