package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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
		text, err := os.ReadFile(filepath.Join(folder, "2.pid"))
		if err != nil {
			t.Fatal(err)
		}
		process, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err == nil {
			err = syscall.Kill(process, syscall.SIGKILL)
		}
		if err != nil {
			t.Fatal(err)
		}
		l.wait(l.instances[0])
		if l.instances[1].unready.Load() == 0 {
			t.Error("the instance of the killed node is ready")
		}
		l.begin(folder, "2")
	})
	l.finish()
}
