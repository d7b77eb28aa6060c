package compiled

import (
	"context"
	"slices"

	"github.com/trove-api/trove/store"
)

// Store is a store.Store without its type parameter. Records are pointers to the resource's struct.
type Store interface {
	Get(ctx context.Context, id any) (any, error)
	// GetMany returns the record with each id, nil if it does not exist: all at once if the store is a
	// store.BatchGetter, else one by one. The result uses the capacity of room.
	GetMany(ctx context.Context, ids, room []any) ([]any, error)
	List(ctx context.Context, query store.Query) (Page, error)
	// Forgets reports whether List and GetMany retain no query or identifier after they return.
	Forgets() bool
	Transact(ctx context.Context, runner Runner) error
}

// Nester is a Store whose transactions have parts that can be undone.
type Nester interface {
	Store
	// Nest runs a part of the transaction that ctx carries. If run returns false, what it did is undone, also if a call that
	// joined the transaction has failed, and the transaction continues. An error means that the whole transaction has failed.
	// The changes that [store.Reporter] and [store.LogKeeper] see are those of the parts that are not undone.
	Nest(ctx context.Context, run func() (keeps bool)) error
}

// Keeper is a Store whose database checks references itself.
type Keeper interface {
	Store
	// Keeps reports whether each write fails that leaves a reference to a record that target does not have. The error is then a
	// store.ReferenceError.
	Keeps(reference string, target Store) bool
}

// Runner runs in a transaction, possibly several times.
type Runner interface {
	Run(ctx context.Context, tx Tx) error
}

// Page is a store.Page without its type parameter.
type Page struct {
	Items    Items
	Total    int
	Estimate int     // of the total, instead of more than [store.Query.CountUpTo]; 0 for none
	Broken   []error // for records that cannot be read, which Items leaves out
}

// Items are the records of a page. Callers must not change them.
type Items interface {
	Len() int
	At(i int) any
	// Cut keeps the first n.
	Cut(n int)
	// Reverse reverses the order.
	Reverse()
	// Positions returns the sort values of each record, nil if they are all in the records. They are cut and reversed
	// with the records. They are not read again, because values reached through a reference may have changed since.
	Positions() [][]any
}

// ItemsOf returns the records of a page without their type parameter. The slice belongs to the store. P is a pointer to
// the record type, so that the methods are compiled once for all types. Positions are nil unless the order goes through a
// reference.
func ItemsOf[P any](records []P, positions [][]any) Items { return &items[P]{records, positions} }

// items implements Items.
type items[P any] struct {
	records   []P
	positions [][]any
}

func (i *items[P]) Len() int           { return len(i.records) }
func (i *items[P]) At(n int) any       { return i.records[n] }
func (i *items[P]) Positions() [][]any { return i.positions }

func (i *items[P]) Cut(n int) {
	i.records = i.records[:n]
	if i.positions != nil {
		i.positions = i.positions[:n]
	}
}

func (i *items[P]) Reverse() {
	// The slice may be shared with the store.
	i.records, i.positions = slices.Clone(i.records), slices.Clone(i.positions)
	slices.Reverse(i.records)
	slices.Reverse(i.positions)
}

// Tx is a store.Tx without its type parameter, and a store.ResponseTx and a store.TrashTx if the store's is one.
type Tx interface {
	store.ResponseTx
	store.TrashTx

	// Get returns a record that the caller may change.
	Get(ctx context.Context, id any) (any, error)
	// Peek returns a record that the caller must not change.
	Peek(ctx context.Context, id any) (any, error)
	// Insert and Update save a record. If stores is true, the store keeps the record itself, and it must not be changed
	// afterwards.
	Insert(ctx context.Context, record any, stores bool) error
	Update(ctx context.Context, id, record any, stores bool) error
	Delete(ctx context.Context, id any) error
}

// Ender is a Tx that can commit together with its last write, which saves a round trip to a server.
type Ender interface {
	Tx
	// Ends declares that the transaction does nothing after the next write.
	Ends()
}
