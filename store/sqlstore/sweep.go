package sqlstore

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// sweepEvery is how many transactions that kept answers there are for one that drops
	// those that have expired.
	sweepEvery = 50
	// swept is how many that one drops at most: more than were kept meanwhile, so that
	// they become fewer.
	swept = 4 * sweepEvery
)

// sweeper counts the transactions that kept answers. It is safe for use by many
// goroutines.
type sweeper struct{ kept atomic.Int64 }

// due reports whether it is time to drop answers: at the first transaction of a program
// too, for there are programs that do not run for long.
func (s *sweeper) due() bool { return s.kept.Add(1)%sweepEvery == 1 }

// sweep drops some of the answers that have expired, in a transaction of its own, which
// makes none of those that save records fail. Where it fails itself the next one does its
// work.
func (db *DB) sweep(ctx context.Context) {
	if !db.answers.due() {
		return
	}
	now, err := db.answers.table.plan().find["expires"].value.valueIn(rowOf(answerRow{Expires: time.Now()}))
	if err == nil {
		_, _ = db.driver.Exec(ctx, db.answers.texts.sweep, now)
	}
}
