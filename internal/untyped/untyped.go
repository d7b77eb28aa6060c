// Package untyped removes the type parameter from stores and hooks. The code that executes requests is compiled once for
// all types of records and handles them as any; the user's code has the types of its structs. This package connects the
// two, and [Typed] is the other direction: the methods with types of the stores that Trove has.
package untyped

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Store is a store without its type parameter, with its capabilities. Others are found by [As]. The zero value has no store.
type Store struct {
	Records        compiled.Store
	QueryChecker   QueryChecker         // nil if the store does not implement it
	Reporter       store.Reporter       // nil if the store does not implement it
	LogKeeper      store.LogKeeper      // nil if the store does not implement it
	ResponseKeeper store.ResponseKeeper // nil if the store itself does not implement it
	WrapsKeeper    bool                 // the store or an inner store is a ResponseKeeper
	// Groups reports whether the store itself supports groups and sort orders that hide values. It is false if unknown,
	// so that New rejects declarations that need groups, rather than requests failing.
	Groups     bool
	FullText   bool                                // the store itself supports store.FullText
	Through    func(field string, other any) error // see store.Joiner; nil if the store itself does not implement it
	Itself     any                                 // the typed store
	Linker     model.Linker                        // of a store in memory, or an inner one; else nil
	Aggregator store.Aggregator                    // nil if the store itself does not implement it
	Estimator  store.Estimator                     // nil if the store itself does not implement it
}

// WriteChecker is implemented by stores that can check what matters only to operations that write.
type WriteChecker interface {
	// CheckInserts returns an error if every insert would fail. resource.New calls it if an operation creates
	// records.
	CheckInserts(ctx context.Context) error
	// PingWrites returns an error if the store cannot be written to at the moment. The readiness handler calls it after
	// Ping if an operation writes.
	PingWrites(ctx context.Context) error
}

// QueryChecker is implemented by stores that do not support every [store.Query].
type QueryChecker interface {
	// CheckQuery returns an error that joins everything the store does not support in the query, whose conditions have
	// no values. resource.New calls it with everything that clients of an API can request, and reports its error with
	// the others. If the store is a [store.Grouper] that returns true, the query also has groups and sort orders that hide
	// values. The error is then about the conditions in them.
	CheckQuery(query store.Query) error
}

// Adviser is implemented by stores that can warn about weaker guarantees than their struct declares.
type Adviser interface {
	// Advise returns one line for each weakness, with advice on how to fix it. resource.New logs them as warnings.
	Advise(ctx context.Context) ([]string, error)
}

// QueryAdviser is implemented by stores that know which queries are slow.
type QueryAdviser interface {
	// AdviseQuery returns a line about the filters and sort orders that read all rows of a large table, "" for none. The
	// query has everything that clients can request: conditions without values, the default order, and all sort fields.
	// resource.New logs the line.
	AdviseQuery(ctx context.Context, query store.Query) (string, error)
}

// Limiter is implemented by stores that can hold fewer values than the types of the fields, such as tables with narrow
// columns.
type Limiter interface {
	// Limits returns rules for fields, by JSON name, in the form of the tag validate: "gte=-32768,lte=32767" or "max=20".
	// It is called after Check. New applies each rule as if the tag had it, unless the tag has a stricter one.
	Limits() map[string]string
}

// Of returns a store without its type parameter. If the store wraps an untyped one, it returns that.
func Of[T any](s store.Store[T]) Store {
	if holder, ok := s.(model.Holder); ok {
		if untyped, same := model.Untyped(holder); same {
			return Untyped(untyped.(compiled.Store), s)
		}
	}
	return Untyped(newRecords(s), s)
}

// Untyped returns a store for untyped records and the capabilities of s.
func Untyped(records compiled.Store, s any) Store {
	result := Store{Records: records, Itself: s}
	// A capability that a wrapper lacks may come from the inner store, because wrappers that embed store.Store promote
	// only its methods. Capabilities that change what the wrapper's own methods mean must be the wrapper's, as the
	// comments below say.
	result.QueryChecker, _ = As[QueryChecker](s)
	result.Reporter, _ = As[store.Reporter](s)
	result.LogKeeper, _ = As[store.LogKeeper](s)
	if holder, ok := As[model.Holder](s); ok {
		result.Linker = model.LinkerOf(holder)
	}
	// A wrapper's List may not support groups, even if the inner store does.
	if grouper, ok := s.(store.Grouper); ok {
		result.Groups = grouper.Groups()
	}
	if searcher, ok := s.(store.FullTexter); ok {
		result.FullText = result.Groups && searcher.SearchesWords()
	}
	if joiner, ok := s.(store.Joiner); ok && result.Groups {
		result.Through = joiner.Through
	}
	if aggregator, ok := s.(store.Aggregator); ok && aggregator.Aggregates() {
		result.Aggregator = aggregator
	}
	if estimator, ok := s.(store.Estimator); ok && estimator.Estimates() {
		result.Estimator = estimator
	}
	// Responses are stored by the transactions of s, regardless of those of an inner store.
	result.ResponseKeeper, _ = s.(store.ResponseKeeper)
	_, result.WrapsKeeper = As[store.ResponseKeeper](s)
	return result
}

// Complete makes transactions of the store do what the store does not do itself: set the version and the times of
// records, and reject passwords that are not hashed. The API passes the struct, so that it is compiled once for both.
func (s Store) Complete(record *model.Struct) {
	if own, ok := s.Records.(*records); ok {
		own.complete(record)
	}
}

// Hook returns a hook without its type parameter, nil for nil. Hooks are wrapped when the API is created, so a request
// only needs a type assertion, not reflection.
func Hook[T any](hook func(context.Context, *operation.Request, *T) error) func(context.Context, *operation.Request, any) error {
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, req *operation.Request, record any) error {
		// This panics only if Trove confuses two resources, which is a bug.
		return hook(ctx, req, record.(*T))
	}
}
