package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// waitingCommits makes each commit of an insert into counters wait while the caller holds the returned advisory lock.
func waitingCommits(t *testing.T, dsn string) (lock string) {
	t.Helper()
	lock = fmt.Sprintf("%d, %d", rand.Int32(), rand.Int32())
	administer(t, dsn,
		"CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock("+lock+"); RETURN NULL; END'",
		"CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION waits()")
	return lock
}

func TestAChangeIsReportedThoughItsClientLeavesDuringTheCommit(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	ctx, db := impatient(t), open(t, dsn)
	s := table[counter](t, db)
	lock := waitingCommits(t, dsn)
	reports := 0
	s.Report(&store.Listener{Committed: func(context.Context, []store.Change) { reports++ }})

	holder := begin(ctx, t, connectTo(t, dsn))
	exec(ctx, t, holder, "SELECT pg_advisory_xact_lock("+lock+")")
	leaving, leave := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Transact(leaving, inserting(&counter{})) }()
	awaitLock(ctx, t, db, lock)
	leave()
	if err := holder.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	err := <-ended
	if n := one[int64](ctx, t, db, "SELECT count(*) FROM counters"); err != nil || n != 1 || reports != 1 {
		t.Errorf("the client left during the commit: %d records are saved, %d reported, and Transact returns %v", n, reports, err)
	}
}

// awaitLock waits until a transaction waits for an advisory lock.
func awaitLock(ctx context.Context, t *testing.T, db *sqlstore.DB, lock string) {
	t.Helper()
	for waiting := false; !waiting; time.Sleep(time.Millisecond) {
		waiting = one[bool](ctx, t, db, "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"+
			" AND (classid, objid) = ("+lock+"))")
	}
}
