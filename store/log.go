package store

import (
	"context"
	"encoding/json"
	"time"
)

// LogEntry is what one transaction did to one record, as the log of a [LogKeeper] stores it.
type LogEntry struct {
	// ID is the place in the log, set by the store. Of two changes of one record, the later one has the larger ID.
	ID int64 `json:"id" api:"id"`
	// Record names the record: the name of its store in the log, a slash, and the identifier as in a path, "bookings/7". If
	// it would have more than 400 characters, it has the SHA-256 hash of the identifier instead, as hexadecimal digits.
	Record string `json:"record" api:"index,sort"`
	// Kind is "insert", "update" or "delete".
	Kind string `json:"kind"`
	// At is when the change was saved.
	At time.Time `json:"at" doc:"When the change was saved."`
	// By is the caller, nil if there was none, as in a job.
	By *string `json:"by" doc:"Who made the change; null if no caller did, such as a job." example:"ann"`
	// Operation is the id of the operation, nil if there was none.
	Operation *string `json:"operation" doc:"The id of the operation that made the change; null if none did." example:"updateBooking"`
	// Fields has the names of Changes, to find entries by them.
	Fields []string `json:"fields"`
	// Changes has the fields that differ, by JSON name.
	Changes map[string]FieldChange `json:"changes" doc:"The fields that changed." example:"{\"status\":{\"from\":\"requested\",\"to\":\"approved\"}}"`
}

// FieldChange has the values of a field before and after a change, as JSON: null for a record that did not exist.
type FieldChange struct {
	From json.RawMessage `json:"from" doc:"The value before; null for a new record."`
	To   json.RawMessage `json:"to" doc:"The value after; null for a deleted record."`
}

// LogKeeper is implemented by stores that keep a log of their changes. An entry is saved in the transaction of the change,
// with it or not at all. resource.Of with History requires it. store/memory and store/sqlstore implement it;
// storetest.Suite.Log tests it. A wrapper whose inner store is a LogKeeper is one too.
type LogKeeper interface {
	// Log returns the log, and the name of the store in it. The tables of a database share one log, in which each has its own
	// name; each store in memory has its own log.
	Log() (log Store[LogEntry], name string)
	// KeepLog sets the function that makes the entry of a change, nil for a change that needs none. It replaces the one set
	// before. The store calls it at the end of each transaction that has changed its records, for each [Change] that a
	// [Reporter] would report, with the context of the transaction. A record that goes to the trash or comes back is an
	// update to the log. If it returns an error, nothing is saved. It may run again after a conflict.
	KeepLog(entry func(ctx context.Context, change Change) (*LogEntry, error))
}
