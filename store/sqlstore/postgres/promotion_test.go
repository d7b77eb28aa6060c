package postgres_test

import (
	"context"
	"net/http"
	"os"
	command "os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// own is the variable of a run whose servers end with it.
const own = "TROVE_TEST_OWN_SERVERS"

// ownServers runs the test again with servers of its own, which it may destroy, and reports whether it is that run.
func ownServers(t *testing.T) bool {
	t.Helper()
	standbys(t)
	if os.Getenv(own) != "" {
		return true
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	again := command.CommandContext(ctx, "../../../.ci/replicas", os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), "TROVE_TEST_POSTGRES=", own+"=1")
	again.Cancel = func() error { return again.Process.Signal(syscall.SIGTERM) }
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}

func TestAStandbyThatIsPromotedIsNoReplicaAnyMore(t *testing.T) { //nolint:paralleltest // see standbys
	if !ownServers(t) {
		return
	}
	first, second := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 2, []postgres.Option{postgres.Replicas(within(t, first, dsn), within(t, second, dsn))})
	path, _ := n.write("here")
	soon(t, func() bool { return n.send("GET "+path, "").Code == http.StatusOK })
	n.under(path, func() {
		administer(t, first, "SELECT pg_promote()")
		n.waitFor(1)
	})
	administer(t, within(t, first, dsn), "UPDATE notes SET server = 'promoted'")
	for range 20 {
		if got := n.readsFrom(path); got != "" {
			t.Fatalf("a read comes from the %s server", got)
		}
	}
	n.write("later")
}

// kill ends a server at once.
func kill(t *testing.T, dsn string) {
	t.Helper()
	pid, err := strconv.Atoi(value(t, dsn, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGQUIT)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// either returns a DSN that leads to a primary, or to a standby once that is the primary.
func either(t *testing.T, dsn, standby string) string {
	t.Helper()
	both := strings.Replace(within(t, standby, dsn), "127.0.0.1:", "127.0.0.1:"+strconv.Itoa(portOf(t, dsn))+",127.0.0.1:", 1)
	return with(both, "target_session_attrs", "read-write")
}

// The first standby becomes the primary, and the other one follows it.
func TestReplicasServeReadsAfterAFailover(t *testing.T) { //nolint:paralleltest // see standbys
	if !ownServers(t) {
		return
	}
	first, second := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, either(t, dsn, first), 2,
		[]postgres.Option{postgres.Replicas(within(t, first, dsn), within(t, second, dsn))})
	path, before := n.write("before")
	time.Sleep(time.Second)
	n.under(path, func() { // reads go on meanwhile
		kill(t, dsn)
		administer(t, first, "SELECT pg_promote()")
		soon(t, func() bool { return n.send("POST /api/notes", `{"text":"after"}`).Code == http.StatusCreated })
	})
	later, after := n.write("later")
	if after <= before {
		t.Errorf("the position %s is not after %s", after, before)
	}
	for path, position := range map[string]string{path: before, later: after} {
		if w := n.send("GET "+path, "", "Trove-Position", position); w.Code != http.StatusOK {
			t.Errorf("after the failover, a read with the position %s returns %d", position, w.Code)
		}
	}
	n.waitFor(0) // the other one does not follow the new primary
	administer(t, second, "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port="+strconv.Itoa(portOf(t, first))+
		" user=trove password="+passwordOf(t, first)+"'", "SELECT pg_reload_conf()")
	n.waitFor(1)
	n.primary = within(t, first, dsn)
	path, _ = n.mark(second)
	if got := n.readsFrom(path); got != "first" { // the first one that is marked
		t.Errorf("a read comes from %q, want the replica", got)
	}
}

// A standby with more of the log than the one that was promoted is on a branch that the new primary does not have.
func TestAStandbyThatIsAheadOfANewPrimaryIsNotUsed(t *testing.T) { //nolint:paralleltest // see standbys
	if !ownServers(t) {
		return
	}
	first, second := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, either(t, dsn, first), 1, []postgres.Option{postgres.Replicas(within(t, second, dsn))})
	path, _ := n.write("here")
	soon(t, func() bool { return value(t, within(t, first, dsn), "SELECT count(*)::text FROM notes") == "1" })
	administer(t, first, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()") // it gets nothing more
	soon(t, func() bool { return value(t, first, "SELECT count(*)::text FROM pg_stat_wal_receiver") == "0" })
	administer(t, dsn, "UPDATE notes SET server = 'lost'", "CREATE TABLE lost AS SELECT generate_series(1, 100000)")
	soon(t, func() bool { return value(t, within(t, second, dsn), "SELECT max(server) FROM notes") == "lost" })
	kill(t, dsn)
	administer(t, first, "SELECT pg_promote()")
	soon(t, func() bool { return n.send("POST /api/notes", `{"text":"after"}`).Code == http.StatusCreated })
	soon(t, func() bool { return n.readsFrom(path) == "" }) // at the latest when the new primary is known
	for range 20 {
		if got := n.readsFrom(path); got != "" {
			t.Fatal("a read comes from the standby with what was lost")
		}
		time.Sleep(100 * time.Millisecond)
	}
}
