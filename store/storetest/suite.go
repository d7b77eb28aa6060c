package storetest

import (
	"testing"

	"github.com/trove-api/trove/store"
)

// Suite is the conformance suite. Open and Create say how the stores of a case come about. Each of the other
// fields opens an empty store of records of one type, and stands for the rules about it: leave out what your store
// does not do. The types are the suite's own. Assign your generic function, and Go infers the type from the field.
//
// D is what stores are opened in, such as a database; any, if your store needs nothing.
type Suite[D any] struct {
	// Open returns a new and empty database. The stores that are opened in one share their transactions, and
	// know that the word ref of a field names another one's type. Nil: each store is by itself, and only the
	// groups of one store can be run.
	Open func(t *testing.T) D
	// Create, if it is not nil, is called once for each database, with all stores that were opened in it: to
	// create their tables, or to let them know each other.
	Create func(t *testing.T, db D, stores ...any)

	// Integers is for records whose identifier is an integer that the store generates: what each store does.
	Integers func(t *testing.T, db D) store.Store[account]
	// Strings is for records whose identifier is a string that the client chooses.
	Strings func(t *testing.T, db D) store.Store[player]
	// UUIDs is for records whose identifier is a UUID that the store generates.
	UUIDs func(t *testing.T, db D) store.Store[token]
	// Pairs is for records that two fields identify together, by a [store.Key].
	Pairs func(t *testing.T, db D) store.Store[seat]

	// Values is about values at the ends of their types, nil and empty told apart.
	Values func(t *testing.T, db D) store.Store[kept]
	// Stamps is for a [store.Stamper].
	Stamps func(t *testing.T, db D) store.Store[stamped]
	// Changes is for a [store.Reporter].
	Changes func(t *testing.T, db D) store.Store[stamped]
	// Responses is for a [store.ResponseKeeper].
	Responses func(t *testing.T, db D) store.Store[account]

	// Queries compares what the store answers to each [store.Query] with the answer of a plain and slow one of
	// this package. What the store rejects by [store.QueryChecker] is not asked of it, and groups and orders
	// that hide values only if it is a [store.Grouper] that returns true.
	Queries func(t *testing.T, db D) store.Store[item]
	// Through is for a [store.Joiner]: queries through references to the records of Queries.
	Through func(t *testing.T, db D) store.Store[mention]
	// Lists is for records with lists, of references to the records of Strings and UUIDs too.
	Lists func(t *testing.T, db D) store.Store[bundle]
	// References is for references to the records of Pairs.
	References func(t *testing.T, db D) store.Store[visit]
	// Deletes is about the references to a record that is deleted. Records of one type of identifier refer to
	// each other, and to those of the type beside it: Integers and Strings, UUIDs and Pairs, Small and Unsigned.
	Deletes struct {
		Integers func(t *testing.T, db D) store.Store[integerFolder]
		Strings  func(t *testing.T, db D) store.Store[stringFolder]
		UUIDs    func(t *testing.T, db D) store.Store[uuidFolder]
		Pairs    func(t *testing.T, db D) store.Store[pairFolder]
		Small    func(t *testing.T, db D) store.Store[smallFolder] // int32
		Unsigned func(t *testing.T, db D) store.Store[unsignedFolder]
	}
}

// Run runs the rules of the fields that are set, each group of them in a parallel subtest.
func (s Suite[D]) Run(t *testing.T) {
	t.Helper()
	if missing := s.missing(); missing != "" {
		t.Fatal("storetest: " + missing)
	}
	single(t, s, "generated integers", s.Integers, recordRules)
	single(t, s, "keys of clients", s.Strings, keyedRules)
	single(t, s, "generated UUIDs", s.UUIDs, uuidRules)
	single(t, s, "identifiers of several fields", s.Pairs, compositeRules)
	single(t, s, "values", s.Values, keptRules)
	single(t, s, "stamps", s.Stamps, stampRules)
	single(t, s, "changes", s.Changes, changeRules)
	single(t, s, "answers", s.Responses, answerRules)
	single(t, s, "queries", s.Queries, queryRules)
	if s.Open != nil && s.Integers != nil && s.Strings != nil && s.UUIDs != nil {
		several(t, s, "stores together", jointRules, func(w *world[D]) *jointTrial {
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
			return &listTrial{within(w, s.Lists), within(w, s.Strings), within(w, s.UUIDs)}
		})
	}
	if s.References != nil {
		several(t, s, "references of several parts", referenceRules, func(w *world[D]) *referenceTrial {
			return &referenceTrial{within(w, s.References), within(w, s.Pairs)}
		})
	}
	of := s.Deletes
	deletes(t, s, "deletes of integers and strings", of.Integers, of.Strings)
	deletes(t, s, "deletes of UUIDs and pairs", of.UUIDs, of.Pairs)
	deletes(t, s, "deletes of small and unsigned integers", of.Small, of.Unsigned)
}

// missing returns what a suite needs beside what it has, "" for nothing.
func (s Suite[D]) missing() string {
	of := s.Deletes
	pairs := [][2]bool{{of.Integers != nil, of.Strings != nil}, {of.UUIDs != nil, of.Pairs != nil}, {of.Small != nil, of.Unsigned != nil}}
	deletes := false
	for _, pair := range pairs {
		if deletes = deletes || pair[0]; pair[0] != pair[1] {
			return "Deletes needs both of Integers and Strings, of UUIDs and Pairs, and of Small and Unsigned, or neither"
		}
	}
	switch {
	case s.Open == nil && (deletes || s.Through != nil || s.Lists != nil || s.References != nil):
		return "Through, Lists, References and Deletes need Open: their stores are of one database"
	case s.Through != nil && s.Queries == nil, s.Lists != nil && (s.Strings == nil || s.UUIDs == nil), s.References != nil && s.Pairs == nil:
		return "Through needs Queries, Lists needs Strings and UUIDs, References needs Pairs"
	}
	return ""
}

// world is the database of a case, with the stores that are opened in it.
type world[D any] struct {
	scene

	t      *testing.T
	db     D
	stores []any
}

// within opens a store in the database of a case.
func within[D, R any](w *world[D], open func(t *testing.T, db D) store.Store[R]) *trial[R] {
	w.t.Helper()
	made := open(w.t, w.db)
	w.stores = append(w.stores, made)
	return &trial[R]{scene: w.scene, store: made}
}

// several runs rules about stores of one database, which begin opens.
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

// single runs rules about one store; none if the suite does not open such.
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
			return &deleteTrial{scene: w.scene, shelves: [2]shelf{shelfOf[A]{a.store}, shelfOf[B]{b.store}}}
		})
	}
}
