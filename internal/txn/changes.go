package txn

import "github.com/trove-api/trove/store"

// Changes collects the changes of one transaction, for stores that implement [store.Reporter]. The zero value is empty. It is
// not safe for concurrent use.
type Changes struct {
	list  []store.Change
	first changed         // the record of the first change; most transactions have no other and need no index
	index map[changed]int // of all records, if there are several; else nil
}

// changed identifies a record within a database.
type changed struct{ store, key any }

// Note adds a change, and merges it with an earlier change of the same record. Store and key identify the record within
// the database; both must be comparable.
func (c *Changes) Note(store, key any, change store.Change) {
	record := changed{store, key}
	at, isNoted := c.index[record]
	if len(c.list) == 1 {
		isNoted = record == c.first
	}
	switch {
	case isNoted:
		c.list[at].After = change.After
		return
	case len(c.list) == 0:
		c.first = record
	case len(c.list) == 1:
		c.index = map[changed]int{c.first: 0, record: 1}
	default:
		c.index[record] = len(c.list)
	}
	c.list = append(c.list, change)
}

// All returns the changes in the order in which the records were first changed, without records that the transaction
// both inserted and deleted.
func (c *Changes) All() []store.Change {
	var all []store.Change
	for _, change := range c.list {
		if change.Before != nil || change.After != nil {
			all = append(all, change)
		}
	}
	return all
}
