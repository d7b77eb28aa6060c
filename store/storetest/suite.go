package storetest

import (
	"testing"

	"github.com/trove-api/trove/store"
)

// Suite is the conformance suite. Open and Create set up the database of a test. Each other field opens an empty store
// of one type of records and has the rules about it. Leave out what your store does not support. The record types
// belong to the suite: assign your generic function, and Go infers the type from the field.
//
// D is the type of the database in which stores are opened. Use any if your store needs none.
type Suite[D any] struct {
	// Open returns a new, empty database. The stores opened in it share their transactions. If it is nil, each store is
	// independent, and only the fields for a single store can be set.
	Open func(t *testing.T) D
	// Create is called once per database with all stores opened in it, to create their tables or to link them. Default:
	// nil, not called.
	Create func(t *testing.T, db D, stores ...any)

	// Integers has records with an integer identifier, which the store generates. Every store supports them.
	Integers func(t *testing.T, db D) store.Store[account]
	// Strings has records with a string identifier, which the client chooses.
	Strings func(t *testing.T, db D) store.Store[player]
	// UUIDs has records with a UUID identifier, which the store generates.
	UUIDs func(t *testing.T, db D) store.Store[token]
	// Pairs has records with two identifier fields; see [store.Key].
	Pairs func(t *testing.T, db D) store.Store[seat]

	// Values tests extreme values, and that nil and empty are distinguished.
	Values func(t *testing.T, db D) store.Store[kept]
	// Constraints has records with every kind of [store.Constraint].
	Constraints func(t *testing.T, db D) store.Store[booking]
	// Stamps tests a [store.Stamper].
	Stamps func(t *testing.T, db D) store.Store[stamped]
	// Changes tests a [store.Reporter].
	Changes func(t *testing.T, db D) store.Store[stamped]
	// Log tests a [store.LogKeeper].
	Log func(t *testing.T, db D) store.Store[stamped]
	// Trash tests a [store.Trasher].
	Trash func(t *testing.T, db D) store.Store[leaf]
	// Words tests a [store.FullTexter].
	Words func(t *testing.T, db D) store.Store[tale]
	// Responses tests a [store.ResponseKeeper].
	Responses func(t *testing.T, db D) store.Store[account]

	// Queries compares the results of each [store.Query] with a reference implementation. Queries that
	// a method CheckQuery of the store rejects are skipped. Groups and NullUnless are tested only if the store is a
	// [store.Grouper] that returns true, and aggregations only if it is a [store.Aggregator].
	Queries func(t *testing.T, db D) store.Store[item]
	// Through tests a [store.Joiner]: queries through references to the records of Queries.
	Through func(t *testing.T, db D) store.Store[mention]
	// Lists has records with lists, some of them of references to the records of Strings, UUIDs and Pairs.
	Lists func(t *testing.T, db D) store.Store[bundle]
	// Deletes tests ondelete. The records reference their own type and one other: Integers and Strings, UUIDs and
	// Pairs.
	Deletes struct {
		Integers func(t *testing.T, db D) store.Store[integerFolder]
		Strings  func(t *testing.T, db D) store.Store[stringFolder]
		UUIDs    func(t *testing.T, db D) store.Store[uuidFolder]
		Pairs    func(t *testing.T, db D) store.Store[pairFolder]
	}
}

// Run runs the rules of all fields that are set, in parallel subtests.
func (s Suite[D]) Run(t *testing.T) {
	t.Helper()
	if missing := s.missing(); missing != "" {
		t.Fatal("storetest: " + missing)
	}
	single(t, s, "generated integers", s.Integers, recordRules)
	single(t, s, "string identifiers", s.Strings, keys().rules)
	single(t, s, "generated UUIDs", s.UUIDs, uuids().rules)
	single(t, s, "composite identifiers", s.Pairs, func() []rule[*trial[seat]] { return append(pairs().rules(), pairRules()...) })
	single(t, s, "values", s.Values, keptRules)
	single(t, s, "constraints", s.Constraints, constraintRules)
	single(t, s, "stamps", s.Stamps, stampRules)
	single(t, s, "changes", s.Changes, changeRules)
	single(t, s, "log", s.Log, logRules)
	single(t, s, "trash", s.Trash, trashRules)
	single(t, s, "words", s.Words, wordRules)
	single(t, s, "responses", s.Responses, responseRules)
	single(t, s, "queries", s.Queries, queryRules)
	if s.Open != nil && s.Integers != nil && s.Strings != nil && s.UUIDs != nil {
		several(t, s, "shared transactions", jointRules, func(w *world[D]) *jointTrial {
			return &jointTrial{within(w, s.Integers), within(w, s.Strings), within(w, s.UUIDs)}
		})
	}
	if s.Through != nil {
		several(t, s, "queries through references", throughRules, func(w *world[D]) *throughTrial {
			return &throughTrial{trial: within(w, s.Through), items: within(w, s.Queries)}
		})
	}
	if s.Lists != nil {
		several(t, s, "lists", listRules, func(w *world[D]) *listTrial {
			return &listTrial{within(w, s.Lists), within(w, s.Strings), within(w, s.UUIDs), within(w, s.Pairs)}
		})
	}
	of := s.Deletes
	deletes(t, s, "deletes of integers and strings", of.Integers, of.Strings)
	deletes(t, s, "deletes of UUIDs and pairs", of.UUIDs, of.Pairs)
}

// missing returns which fields the suite lacks, "" for none.
func (s Suite[D]) missing() string {
	of := s.Deletes
	switch {
	case (of.Integers == nil) != (of.Strings == nil), (of.UUIDs == nil) != (of.Pairs == nil):
		return "Deletes: set Integers and Strings together, UUIDs and Pairs together"
	case s.Open == nil && (of.Integers != nil || of.UUIDs != nil || s.Through != nil || s.Lists != nil):
		return "set Open: Through, Lists and Deletes need stores of one database"
	case s.Through != nil && s.Queries == nil, s.Lists != nil && (s.Strings == nil || s.UUIDs == nil || s.Pairs == nil):
		return "Through needs Queries, Lists needs Strings, UUIDs and Pairs; set those too"
	}
	return ""
}

// world is the database of a rule, with the stores opened in it.
type world[D any] struct {
	scene

	t      *testing.T
	db     D
	stores []any
}

// within opens a store in the database of a rule.
func within[D, R any](w *world[D], open func(t *testing.T, db D) store.Store[R]) *trial[R] {
	w.t.Helper()
	made := open(w.t, w.db)
	w.stores = append(w.stores, made)
	return newTrial(w.scene, made)
}

// several runs rules about the stores of one database, which begin opens.
func several[D, C any](t *testing.T, s Suite[D], name string, rules func() []rule[C], begin func(w *world[D]) C) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		run(t, rules(), func(t *testing.T, at scene) C {
			t.Helper()
			w := &world[D]{scene: at, t: t}
			if s.Open != nil {
				w.db = s.Open(t)
			}
			of := begin(w)
			if s.Create != nil {
				s.Create(t, w.db, w.stores...)
			}
			return of
		})
	})
}

// single runs rules about one store, if the suite opens it.
func single[D, R any](t *testing.T, s Suite[D], name string, open func(t *testing.T, db D) store.Store[R], rules func() []rule[*trial[R]]) {
	t.Helper()
	if open != nil {
		several(t, s, name, rules, func(w *world[D]) *trial[R] { return within(w, open) })
	}
}

// deletes runs the rules about deletes on stores of two types of identifiers.
func deletes[D, A, B any](t *testing.T, s Suite[D], name string, first func(t *testing.T, db D) store.Store[A], second func(t *testing.T, db D) store.Store[B]) {
	t.Helper()
	if first != nil {
		several(t, s, name, deleteRules, func(w *world[D]) *deleteTrial {
			a, b := within(w, first), within(w, second)
			return &deleteTrial{scene: w.scene, shelves: [2]shelf{shelfOf[A]{a}, shelfOf[B]{b}}}
		})
	}
}
