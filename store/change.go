package store

import (
	"context"
	"fmt"
)

// Change is what a committed transaction did to one record. If the transaction changed a record several times, there is
// one Change, from the record before the transaction to the record after it.
//
// Before and After are copies, so you may keep them. They are shared with other listeners, so do not change them.
type Change struct {
	// ID is the record's identifier, of the Go type of the struct's identifier; a [Key] if it has several fields.
	ID any
	// Before is a *T, the record before the transaction; nil for an insert.
	Before any
	// After is a *T, the record after the transaction; nil for a delete.
	After any
}

// IsInsert reports whether the record was inserted.
func (c Change) IsInsert() bool { return c.Before == nil }

// IsUpdate reports whether the record existed before and still does.
func (c Change) IsUpdate() bool { return c.Before != nil && c.After != nil }

// IsDelete reports whether the record was deleted.
func (c Change) IsDelete() bool { return c.Before != nil && c.After == nil }

// String describes the change for logs: "inserted 7", "updated 7" or "deleted 7".
func (c Change) String() string {
	switch {
	case c.IsInsert():
		return fmt.Sprint("inserted ", c.ID)
	case c.IsDelete():
		return fmt.Sprint("deleted ", c.ID)
	}
	return fmt.Sprint("updated ", c.ID)
}

// Record returns After, or Before if the record was deleted. It is a *T; its type identifies the resource.
func (c Change) Record() any {
	if c.After == nil {
		return c.Before
	}
	return c.After
}

// Listener receives the changes of committed transactions. It is identified by its pointer.
type Listener struct {
	// Committed is called after each commit that changed records: once for each outermost transaction of a database,
	// for all its stores together. The changes are in the order in which the records were first changed. The context is
	// the one passed to the outermost Transact, so Committed may use the stores. It is called by the goroutine that
	// committed, which waits for it.
	Committed func(ctx context.Context, changes []Change)
}

// Reporter is implemented by stores that report what their transactions change. It reports inserts, updates and deletes
// from any code, and the records that a delete changes through references (ondelete=cascade, ondelete=null, and lists).
// It reports nothing of a transaction that is rolled back or runs again. resource.Config.Committed requires it.
//
// store/memory and store/sqlstore implement it; storetest.Suite.Changes tests it. Changes made by other programs are
// not reported. If two transactions change one record concurrently, the listener may be called for the second one
// first.
type Reporter interface {
	// Report registers a listener. Registering the same listener again has no effect, so one listener can be registered
	// with all stores of a database.
	Report(listener *Listener)
}
