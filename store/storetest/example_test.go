package storetest_test

import (
	"context"
	"log"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// Logged is a store of your own: a wrapper that logs reads.
type Logged[T any] struct{ store.Store[T] }

// Get logs a read.
func (l Logged[T]) Get(ctx context.Context, id any) (*T, error) {
	log.Println("read", id)
	return l.Store.Get(ctx, id)
}

// open returns a new, empty store.
func open[T any](*testing.T, any) store.Store[T] { return Logged[T]{memory.New[T]()} }

//nolint:testableexamples // a test cannot run within an example
func ExampleSuite() {
	t := new(testing.T) // the one of your test
	var suite storetest.Suite[any]
	suite.Integers, suite.Strings, suite.UUIDs = open, open, open // Go infers the type of each
	suite.Values, suite.Queries = open, open
	suite.Run(t)
}

//nolint:testableexamples // a test cannot run within an example
func ExampleRunWrapper() {
	t := new(testing.T) // the one of your test
	inner := memory.New[struct {
		ID int64 `json:"id"`
	}]()
	storetest.RunWrapper(t, inner, Logged[struct {
		ID int64 `json:"id"`
	}]{inner})
}
