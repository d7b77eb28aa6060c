package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTwoInstancesLoseNothingAcknowledgedAndBookNothingTwice(t *testing.T) {
	t.Parallel()
	for name, db := range map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { t.Helper(); return filepath.Join(t.TempDir(), "rental.db") },
		"PostgreSQL": func(t *testing.T) string { t.Helper(); return ownDatabase(t, "TROVE_TEST_POSTGRES") },
		"MariaDB":    func(t *testing.T) string { t.Helper(); return ownDatabase(t, "TROVE_TEST_MYSQL") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			name := db(t)
			l := newLoad(t, 2*time.Minute, name, name)
			one, other := l.instances[0], l.instances[1]
			l.wait(one, other)
			other.kill()
			l.wait(one)
			other.start()
			l.wait(one, other)
			l.finish()
		})
	}
}

// ownDatabase creates a database on the server of a variable, and returns its DSN. It is dropped with the test.
func ownDatabase(t *testing.T, variable string) string {
	t.Helper()
	if os.Getenv(variable) == "" {
		t.Skipf("%s is not set", variable)
	}
	dsn, err := url.Parse(os.Getenv(variable))
	if err != nil {
		t.Fatal(err)
	}
	server, err := openDatabase(t.Context(), dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	name, force := "rental_"+strings.ToLower(rand.Text()), ""
	if dsn.Scheme != "mysql" {
		force = " WITH (FORCE)"
	}
	t.Cleanup(func() {
		_, err := server.Exec(context.Background(), "DROP DATABASE "+name+force)
		if err := errors.Join(err, server.Close()); err != nil {
			t.Error(err)
		}
	})
	if _, err := server.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	dsn.Path = "/" + name
	return dsn.String()
}

// signal sends a signal to a node of a cluster.
func (l *load) signal(folder, node, name string) {
	l.t.Helper()
	if out, err := exec.CommandContext(l.ctx, filepath.Join(folder, "kill"), node, name).CombinedOutput(); err != nil {
		l.t.Fatalf("kill %s of node %s: %v: %s", name, node, err, out)
	}
}

// begin starts a node of a cluster again, which its script ends.
func (l *load) begin(folder, node string) {
	l.t.Helper()
	command := exec.Command(filepath.Join(folder, "start"), node) //nolint:noctx // the script ends it
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		l.t.Fatal(err)
	}
	go func() { _ = command.Wait() }()
}

// during runs a fault, waits until both instances save changes again, and reports how long they did not.
func (l *load) during(fault string, run func()) (longest time.Duration) {
	l.t.Helper()
	for _, i := range l.instances {
		i.writes.reset()
		i.readiness.reset()
		i.unready.Store(0)
	}
	run()
	l.wait(l.instances[:]...)
	var lines []string
	for n, i := range l.instances {
		saves, _ := i.writes.read()
		ready, _ := i.readiness.read()
		longest = max(longest, saves)
		lines = append(lines, fmt.Sprintf("instance %d saved nothing for %s, and was not ready for %s", n+1, saves.Round(time.Millisecond), ready.Round(time.Millisecond)))
	}
	l.t.Logf("%s: %s", fault, strings.Join(lines, "; "))
	return longest
}
