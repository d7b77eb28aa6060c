package store

import (
	"context"
	"fmt"
)

// Change is what a committed transaction did to one record. However often the transaction changed the record, there is
// one Change: from what the record was before the transaction to what it is after.
//
// Before and After are copies: whoever receives a Change may keep them, but shares them with the other listeners.
type Change struct {
	// ID is the record's identifier, of the Go type of the struct's identifier; a [Key] for several parts.
	ID any
	// Before is a pointer to the record before the transaction, a *T; nil for a record that was inserted.
	Before any
	// After is a pointer to the record after the transaction, a *T; nil for a record that was deleted.
	After any
}

// IsInsert reports whether the record was inserted.
func (c Change) IsInsert() bool { return c.Before == nil }

// IsUpdate reports whether the record was there before, and still is.
func (c Change) IsUpdate() bool { return c.Before != nil && c.After != nil }

// IsDelete reports whether the record was deleted.
func (c Change) IsDelete() bool { return c.Before != nil && c.After == nil }

// String returns what happened, for logs: "inserted 7", "updated 7" or "deleted 7".
func (c Change) String() string {
	switch {
	case c.IsInsert():
		return fmt.Sprint("inserted ", c.ID)
	case c.IsDelete():
		return fmt.Sprint("deleted ", c.ID)
	}
	return fmt.Sprint("updated ", c.ID)
}

// Record returns After, or Before if the record was deleted: a *T, by whose type a listener knows what has changed.
func (c Change) Record() any {
	if c.After == nil {
		return c.Before
	}
	return c.After
}

// Listener receives the changes of committed transactions. Its address identifies it.
type Listener struct {
	// Committed is called after a commit that changed records, with the changes in the order in which the records were
	// first changed: once for each outermost transaction of a database, whichever of its stores took part. The context
	// is the one that was handed to the outermost Transact, so Committed may use the stores itself; it is called by the
	// goroutine that committed, which waits for it.
	Committed func(ctx context.Context, changes []Change)
}

// Reporter is implemented by stores that report what their transactions change: inserts, updates and deletes by whoever
// makes them, records that a delete changes because they refer to the deleted one (ondelete=cascade, ondelete=null, and
// lists), and nothing of a transaction that is rolled back or run again. resource.Config.Committed needs it.
//
// store/memory and store/sqlstore implement it. Changes that other programs make are not reported.
// storetest.Suite.Changes tests it. If two transactions change one record at the same time, a listener may be called for the second one first.
type Reporter interface {
	// Report has the listener called from now on. A listener that is known already stays one: the stores of one database
	// can all be handed the same.
	Report(listener *Listener)
}

// Changes collects the changes of one transaction, for stores that implement [Reporter]. The zero value is empty. It is
// for one goroutine.
type Changes struct {
	list  []Change
	index map[changed]int
}

// changed identifies a record among those of a database.
type changed struct{ store, key any }

// Note adds a change of a record, which store and key identify among the records of a database. Both must be comparable.
// It joins the change with an earlier one of the same record.
func (c *Changes) Note(store, key any, change Change) {
	at, known := c.index[changed{store, key}]
	if !known {
		if c.index == nil {
			c.index = map[changed]int{}
		}
		c.index[changed{store, key}] = len(c.list)
		c.list = append(c.list, change)
		return
	}
	c.list[at].After = change.After
}

// All returns the changes, in the order in which the records were first changed. It leaves out records that the
// transaction has both inserted and deleted.
func (c *Changes) All() []Change {
	var all []Change
	for _, change := range c.list {
		if change.Before != nil || change.After != nil {
			all = append(all, change)
		}
	}
	return all
}
