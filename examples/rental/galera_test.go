package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestGaleraLosesNothingThatTwoInstancesHaveAcknowledged(t *testing.T) {
	t.Parallel()
	dsns, folder := strings.Fields(os.Getenv("TROVE_TEST_GALERA")), os.Getenv("TROVE_TEST_GALERA_FOLDER")
	if len(dsns) != 3 {
		t.Skip("run it by .ci/galera")
	}
	l := newLoad(t, 4*time.Minute, dsns[0], dsns[1])
	l.wait(l.instances[:]...)
	l.during("node 2 is killed and comes back", func() {
		l.signal(folder, "2", "KILL")
		l.wait(l.instances[0])
		if l.instances[1].unready.Load() == 0 {
			t.Error("the instance of the killed node is ready")
		}
		l.begin(folder, "2")
	})
	l.finish()
	if n := conflicts(t, dsns[0]); n == 0 {
		t.Error("no transaction met one of the other node, which tests nothing")
	} else {
		t.Logf("the cluster has rejected or aborted %d transactions of node 1, which ran again", n)
	}
}

// conflicts returns how many transactions of a node have lost against one of another node.
func conflicts(t *testing.T, dsn string) (n int64) {
	t.Helper()
	db, err := openDatabase(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.Query(t.Context(), "SELECT CAST(SUM(VARIABLE_VALUE) AS SIGNED) FROM information_schema.GLOBAL_STATUS "+
		"WHERE VARIABLE_NAME IN ('WSREP_LOCAL_CERT_FAILURES', 'WSREP_LOCAL_BF_ABORTS')")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Error(err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	return n
}
