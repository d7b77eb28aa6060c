package sqlstore

import (
	"context"
	"time"
)

// replicating is implemented by drivers whose database may have replicas.
type replicating interface {
	// Replicas returns a driver whose Query may read from replicas, and how old their data can be. Fault returns a RetryFault
	// for an error of a replica, and the next Query with the context then reads from the primary.
	Replicas() (Driver, time.Duration)
}

// onReplicas runs the queries of stores. Those of [DB.Query] are the program's own and run on the primary, because they may
// write.
type onReplicas struct{ *DB }

func (r onReplicas) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	rows, err := r.replicas.Query(ctx, statement, args...)
	return rows, r.explain(ctx, err)
}

// Staleness returns how old the data can be that requests read, because it comes from a replica. It is 0 for a database
// without replicas. resource.New calls it.
func (s *table) Staleness() time.Duration {
	if s.db == nil { // Check reports it
		return 0
	}
	return s.db.staleness
}
