package sqlstore

import "time"

// Stats are numbers about the use of a database. Counts and durations are totals since it was opened.
type Stats struct {
	// InUse is the number of connections that run a statement or a transaction at the moment.
	InUse int
	// Idle is the number of open connections that are free at the moment.
	Idle int
	// Max is the largest number of connections that may be open at the same time; 0 means no limit.
	Max int
	// Waits is how often a statement or transaction had to wait for a connection. On SQLite, that includes writes that
	// waited for another one, because a single connection writes.
	Waits int64
	// Waited is how long these waits took in total. Waits that have not ended may be missing.
	Waited time.Duration
	// Retries is how often a statement or a transaction ran again after a conflict with another transaction, or because a
	// replica failed.
	Retries int64
	// Replicas is the number of replicas that requests can read from at the moment.
	Replicas int
}

// Stats returns the current numbers. Those about connections are 0 if the driver has no method Stats() Stats.
func (db *DB) Stats() Stats {
	var s Stats
	if counting, ok := db.driver.(interface{ Stats() Stats }); ok {
		s = counting.Stats()
	}
	if g := db.gate; g != nil {
		s.Waits, s.Waited = s.Waits+g.waits.Load(), s.Waited+time.Duration(g.waited.Load())
	}
	s.Retries = db.retries.Load()
	return s
}
