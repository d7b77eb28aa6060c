package sqlite

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Without statistics SQLite's planner considers all indexes equal, and may sort half a table because it uses an index
// with only two values. So statistics are updated when a database is opened, while it grows, and when it is closed, as
// https://sqlite.org/pragma.html#pragma_optimize recommends.
const (
	// countStatistics counts the values of the indexes (0x02) of each table that has no statistics or has grown tenfold
	// since the last ones (0x10000). It takes about a second for a million rows with two indexes.
	countStatistics = "PRAGMA analysis_limit = 0; PRAGMA optimize = 0x10002"
	// sampleStatistics reads at most a million rows of each index, in about 0.3 seconds. The planner then knows the average
	// number of rows of a value, for tables of up to ten million rows, and not which values are rare.
	sampleStatistics = "PRAGMA analysis_limit = 1000000; PRAGMA optimize = 0x10002"

	// After firstChanges changes, statistics are made for the first time, and again after at most moreChanges more.
	// Nothing else is written meanwhile, so there is a time limit.
	firstChanges, moreChanges = 1_000, 65_536
	optimizeTimeout           = time.Second
)

// optimizeNow updates the statistics after many changes. The caller must have the lock.
func (w *writer) optimizeNow() {
	w.optimizeAt = w.changes + min(w.changes, moreChanges)
	if !w.makeStatistics(optimizeTimeout) {
		w.optimizeAt = math.MaxInt64 // Open does it next time
	}
}

// makeStatistics makes statistics, from samples if the tables are too large to be counted in time. It reports whether they
// were counted. The caller must have the lock.
func (w *writer) makeStatistics(limit time.Duration) (counted bool) {
	isInTime := func(pragma string) bool {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return w.optimize(ctx, pragma) == nil || ctx.Err() == nil
	}
	if counted = isInTime(countStatistics); !counted {
		isInTime(sampleStatistics)
	}
	return counted
}

// optimize runs one of the pragmas without waiting for other programs. The database works without statistics too, so
// only the caller needs the error. The caller must have the lock.
func (w *writer) optimize(ctx context.Context, pragma string) error {
	always := context.WithoutCancel(ctx)
	before := w.statistics(always)
	if _, err := w.conn.ExecContext(always, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, err := w.conn.ExecContext(ctx, pragma)
	if w.statistics(always) != before {
		w.announce(always)
	}
	_, _ = w.conn.ExecContext(always, "PRAGMA busy_timeout = "+strconv.FormatInt(w.limit.Milliseconds(), 10))
	return err
}

// statistics returns the planner's statistics as one string, "" for none.
func (w *writer) statistics(ctx context.Context) (text string) {
	_ = w.conn.QueryRowContext(ctx, "SELECT coalesce(group_concat(tbl || ' ' || coalesce(idx, '') || ' ' || stat), '') FROM sqlite_stat1").Scan(&text)
	return text
}

// announce makes all connections read the schema again, including the statistics.
func (w *writer) announce(ctx context.Context) {
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return
	}
	var version int64
	err := w.conn.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&version)
	if err == nil {
		_, err = w.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA schema_version = %d", version+1))
	}
	if err == nil {
		_, err = w.conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		_ = w.rollback()
	}
}
