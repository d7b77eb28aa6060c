// Package erased takes the type parameter off stores and hooks. What executes requests is
// compiled once for all types of records and hands them on as any; what users write is typed
// by their struct. The two meet here.
package erased

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/wrapping"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Store is a store without its type parameter, with what it is beside a store. The zero value
// is none.
type Store struct {
	Records        compiled.Store
	Checker        store.Checker        // nil where the store has none
	QueryChecker   store.QueryChecker   // nil where the store has none
	WriteChecker   store.WriteChecker   // nil if the store is none
	Adviser        store.Adviser        // nil if the store is none
	Reporter       store.Reporter       // nil if the store is none
	ResponseKeeper store.ResponseKeeper // nil where the store itself is none
	WrapsKeeper    bool                 // the store is one, or one within is
	// In doubt it does not: New then refuses declarations that would need groups, rather than
	// leaving their mistakes to requests.
	Groups  bool                                // the store itself says that it answers groups, and orders that hide values
	Through func(field string, other any) error // whether queries can go through a field; nil where the store itself does not say
	Itself  any                                 // the store with its type
	Linker  model.Linker                        // of a store in memory, or of that within it; nil for another one
	Ping    func(ctx context.Context) error     // nil where the store has none
	Struct  *model.Struct                       // of its records, where the store has compiled it; else nil

	stamp func(*model.Struct)
}

// Of returns a store without its type parameter. A store that exists without it is that one.
func Of[T any](s store.Store[T]) Store {
	if holder, ok := s.(model.Holder); ok {
		if untyped, same := model.Untyped(holder); same {
			return Untyped(untyped.(compiled.Store), s)
		}
	}
	records := newRecords(s)
	erased := Untyped(records, s)
	erased.stamp = records.stamp
	return erased
}

// Untyped returns a store whose records are reached without a type parameter. The store itself is what it can do besides.
func Untyped(records compiled.Store, s any) Store {
	erased := Store{Records: records, Itself: s}
	// What a wrapper does not answer itself the store within may: wrappers embed store.Store, whose
	// methods alone they promote. But what changes the meaning of the wrapper's own methods is asked of
	// the wrapper alone, as the comments below say.
	erased.Checker, _ = wrapping.As[store.Checker](s)
	erased.QueryChecker, _ = wrapping.As[store.QueryChecker](s)
	erased.WriteChecker, _ = wrapping.As[store.WriteChecker](s)
	erased.Adviser, _ = wrapping.As[store.Adviser](s)
	erased.Reporter, _ = wrapping.As[store.Reporter](s)
	if pinger, ok := wrapping.As[store.Pinger](s); ok {
		erased.Ping = pinger.Ping
	}
	if holder, ok := wrapping.As[model.Holder](s); ok {
		erased.Struct = model.Of(holder)
		erased.Linker = model.LinkerOf(holder)
	}
	// A wrapper's own List need not know groups, whatever the store within does.
	if grouper, ok := s.(store.Grouper); ok {
		erased.Groups = grouper.Groups()
	}
	if joiner, ok := s.(store.Joiner); ok && erased.Groups {
		erased.Through = joiner.Through
	}
	// Answers are kept by the transactions of s, whatever those of a store within can do.
	erased.ResponseKeeper, _ = s.(store.ResponseKeeper)
	_, erased.WrapsKeeper = wrapping.As[store.ResponseKeeper](s)
	return erased
}

// Stamp lets transactions of the store set the version and the times of records, where the
// store does not do so itself.
// The struct is handed over by the API rather than found here, so that it is compiled once for
// both.
func (s Store) Stamp(record *model.Struct) {
	if s.stamp != nil {
		s.stamp(record)
	}
}

// Hook returns a hook without its type parameter, nil for none.
// Hooks are wrapped once, when the API is made: a request pays for a type assertion, not for
// reflection.
func Hook[T any](hook func(context.Context, *operation.Request, *T) error) func(context.Context, *operation.Request, any) error {
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, req *operation.Request, record any) error {
		// It panics only if Trove mixes up two resources, which must not go on.
		return hook(ctx, req, record.(*T))
	}
}
