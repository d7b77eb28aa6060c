package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

// These variables make the program of the tests an instance of the rental: its database, and its listen address.
const (
	instanceDB   = "RENTAL_INSTANCE_DB"
	instanceAddr = "RENTAL_INSTANCE_ADDR"
)

// TestMain runs the tests, or an instance of the rental for one of them.
func TestMain(m *testing.M) {
	if name := os.Getenv(instanceDB); name != "" {
		ctx, end := context.WithCancel(context.Background())
		go func() {
			defer end()
			_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends, however it ends
		}()
		if err := serve(ctx, name, os.Getenv(instanceAddr)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// openDatabase opens the database of an instance. Unlike the program, it knows MariaDB.
func openDatabase(ctx context.Context, name string) (*sqlstore.DB, error) {
	if strings.HasPrefix(name, "mysql://") {
		return mysql.Open(ctx, name)
	}
	return database.Open(ctx, name)
}

// serve serves the rental, without limits of rate, and GET /readyz.
func serve(ctx context.Context, name, address string) error {
	db, err := openDatabase(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	r, err := open(ctx, db)
	if err != nil {
		return err
	}
	r.accounts.Hasher = &password.Hasher{Memory: 8, Passes: 1}
	r.send = func(context.Context, string, string) error { return nil }
	r.rate = 0
	api, err := r.newAPI()
	if err != nil {
		return err
	}
	api.Router().Get("/readyz", api.Readyz)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return resource.Serve(ctx, listener, api)
}

// instance is a process that serves the rental.
type instance struct {
	t       *testing.T
	db      string
	address string
	log     string
	process *exec.Cmd
	kills   atomic.Int64 // odd while it is killed

	writes, readiness pulse
	unready           atomic.Int64 // how often it was not ready
}

// newInstance starts an instance.
func newInstance(t *testing.T, db string) *instance {
	t.Helper()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = free.Close()
	i := &instance{t: t, db: db, address: free.Addr().String(), log: filepath.Join(t.TempDir(), "log")}
	t.Cleanup(func() {
		i.kill()
		if text, err := os.ReadFile(i.log); err == nil && t.Failed() {
			t.Logf("the log of %s ends with %s", i.address, text[max(0, len(text)-4000):])
		}
	})
	i.start()
	return i
}

// start starts the process, and waits until it is ready.
func (i *instance) start() {
	i.t.Helper()
	program, err := os.Executable()
	if err != nil {
		i.t.Fatal(err)
	}
	log, err := os.OpenFile(i.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	i.process = exec.CommandContext(i.t.Context(), program)
	i.process.Env = append(os.Environ(), instanceDB+"="+i.db, instanceAddr+"="+i.address)
	i.process.Stderr = log
	if _, err = i.process.StdinPipe(); err == nil { // open as long as the test runs
		err = i.process.Start()
	}
	if err != nil {
		i.t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if r, err := i.send(i.t.Context(), "", "GET /readyz", ""); err == nil && r.status == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			i.t.Fatalf("the instance at %s does not become ready", i.address)
		}
	}
	if i.kills.Load()%2 == 1 {
		i.kills.Add(1)
	}
}

// kill kills the process.
func (i *instance) kill() {
	i.t.Helper()
	i.kills.Add(1)
	_ = i.process.Process.Kill() // an error means that it has ended
	_ = i.process.Wait()
}

// response is a response of an instance.
type response struct {
	status int
	header http.Header
	body   string
}

// client limits how long a response may take, so that a request that waits forever is an error.
var client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// send sends a request such as "GET /api/items" once. The caller is a cookie; "" is anonymous. The header is names and
// values.
func (i *instance) send(ctx context.Context, cookie, request, body string, header ...string) (response, error) {
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(ctx, method, "http://"+i.address+path, strings.NewReader(body))
	if err != nil {
		return response{}, err
	}
	if body != "" {
		r.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[method == http.MethodPatch])
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	for n := 0; n+1 < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	got, err := client.Do(r)
	if err != nil {
		return response{}, err
	}
	text, err := io.ReadAll(got.Body)
	return response{got.StatusCode, got.Header, string(text)}, errors.Join(err, got.Body.Close())
}

// pulse measures the longest time from one success to the next.
type pulse struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	beats   int
}

// reset begins the measurement.
func (p *pulse) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.longest, p.beats = time.Now(), 0, 0
}

// beat notes a success.
func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.last, p.longest, p.beats = now, max(p.longest, now.Sub(p.last)), p.beats+1
}

// read returns the longest time, also of one that has not ended, and the number of successes.
func (p *pulse) read() (time.Duration, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.longest, time.Since(p.last)), p.beats
}
