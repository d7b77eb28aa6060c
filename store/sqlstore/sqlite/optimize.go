package sqlite

import (
	"context"
	"strconv"
	"time"
)

const (
	// optimizePragma lets SQLite count the values of indexes (0x02), at most 2,000 for each (0x10), of all
	// tables that have none of these statistics or have grown tenfold (0x10000). Without statistics
	// the planner takes every index to be as good as any other.
	optimizePragma = "PRAGMA optimize = 0x10012"

	// After so many changes statistics are looked at for the first time, and at the latest after
	// so many more each time.
	firstChanges, moreChanges = 1_000, 65_536

	// readerLifetime is how long a connection that reads is kept. It reads statistics when it opens.
	readerLifetime = time.Hour
)

// changed counts changes that were saved, and now and then brings the statistics up to date. The
// caller has its turn.
func (w *writer) changed(rows int64) {
	w.changes += rows
	if w.changes < w.optimizeAt {
		return
	}
	w.optimize()
	w.optimizeAt = w.changes + min(w.changes, moreChanges)
}

// optimize brings the statistics up to date, but does not wait for other programs. Without it the
// database works as well, so that its errors do not matter. The caller has its turn.
func (w *writer) optimize() {
	ctx := context.Background()
	if _, err := w.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return
	}
	_, _ = w.conn.ExecContext(ctx, optimizePragma)
	_, _ = w.conn.ExecContext(ctx, "PRAGMA busy_timeout = "+strconv.FormatInt(w.limit.Milliseconds(), 10))
}
