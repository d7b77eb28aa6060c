package txn

import (
	"iter"

	"github.com/trove-api/trove/store"
)

// Changes collects the changes of one transaction, for stores that implement [store.Reporter]. The zero value is empty. It is
// not safe for concurrent use.
type Changes struct {
	list  []noted
	index map[changed]int // of all records, if there are several; else nil
}

// changed identifies a record within a database.
type changed struct{ store, key any }

// noted is a change of a record.
type noted struct {
	changed
	store.Change
}

// Note adds a change, and merges it with an earlier change of the same record. Store and key identify the record within
// the database; both must be comparable.
func (c *Changes) Note(store, key any, change store.Change) {
	record := changed{store, key}
	at, isNoted := c.index[record]
	if len(c.list) == 1 { // most transactions have no other and need no index
		isNoted = record == c.list[0].changed
	}
	switch {
	case isNoted:
		c.list[at].After = change.After
		return
	case len(c.list) == 0:
	case len(c.list) == 1:
		c.index = map[changed]int{c.list[0].changed: 0, record: 1}
	default:
		c.index[record] = len(c.list)
	}
	c.list = append(c.list, noted{record, change})
}

// NoteAll adds the changes of a part of the transaction.
func (c *Changes) NoteAll(part *Changes) {
	for _, n := range part.list {
		c.Note(n.store, n.key, n.Change)
	}
}

// Each iterates over the changes, each with the store of [Changes.Note], in the order in which the records were first
// changed, without records that the transaction both inserted and deleted.
func (c *Changes) Each() iter.Seq2[any, store.Change] {
	return func(yield func(any, store.Change) bool) {
		for i := range c.list {
			if change := &c.list[i]; (change.Before != nil || change.After != nil) && !yield(change.store, change.Change) {
				return
			}
		}
	}
}

// All returns the changes of Each.
func (c *Changes) All() (all []store.Change) {
	for _, change := range c.Each() {
		all = append(all, change)
	}
	return all
}
