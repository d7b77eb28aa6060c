package postgres_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// line is a connection to the server that a test can cut and repair.
type line struct {
	t      *testing.T
	server string

	gate     sync.RWMutex // locked while the line delays what is sent
	mutex    sync.Mutex
	listener net.Listener
	address  string
	open     []net.Conn
}

// leased returns a line to the server, and a DSN that leads through it to a new schema.
func leased(t *testing.T) (through *line, dsn string) {
	t.Helper()
	dsn = schema(t)
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	through = &line{t: t, server: net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))), address: "127.0.0.1:0"}
	through.repair()
	t.Cleanup(through.cut)
	host, port, err := net.SplitHostPort(through.address)
	if err != nil {
		t.Fatal(err)
	}
	return through, with(with(dsn, "host", host), "port", port)
}

// repair accepts connections again, on the same port.
func (l *line) repair() {
	listener, err := (&net.ListenConfig{}).Listen(l.t.Context(), "tcp", l.address)
	if err != nil {
		l.t.Fatal(err)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.listener, l.address = listener, listener.Addr().String()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			l.connect(client)
		}
	}()
}

func (l *line) connect(client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(l.t.Context(), "tcp", l.server)
	if err != nil {
		_ = client.Close()
		return
	}
	l.mutex.Lock()
	l.open = append(l.open, client, server)
	l.mutex.Unlock()
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() {
			_, _ = io.Copy(gated{way[0], &l.gate}, way[1])
			_ = way[0].Close()
		}()
	}
}

// gated is a connection that does not send while its gate is locked.
type gated struct {
	io.Writer

	gate *sync.RWMutex
}

func (g gated) Write(sent []byte) (int, error) {
	g.gate.RLock()
	defer g.gate.RUnlock()
	return g.Writer.Write(sent)
}

// cut closes every connection and accepts no more.
func (l *line) cut() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_ = l.listener.Close()
	for _, conn := range l.open {
		_ = conn.Close()
	}
	l.open = nil
}

func TestAStoreIsUnavailableWhileTheServerIsAway(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	through, dsn := leased(t)
	s := table[counter](t, open(t, dsn))
	record := &counter{}
	addTo(ctx, t, s, record)
	calls := map[string]func() error{
		"Get":      func() error { _, err := s.Get(ctx, record.ID); return err },
		"List":     func() error { _, err := s.List(ctx, store.Query{}); return err },
		"Transact": func() error { return s.Transact(ctx, incrementing(record.ID)) },
	}
	through.cut()
	for range 3 {
		for name, call := range calls {
			if err := call(); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	through.repair()
	for name, call := range calls {
		if err := call(); err != nil {
			t.Errorf("%s, with the server back: %v", name, err)
		}
	}
}

func TestACommitWithoutAResponseIsNotRunAgain(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	through, dsn := leased(t)
	s := table[counter](t, open(t, dsn))
	record, runs := &counter{}, 0
	addTo(ctx, t, s, record)
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		defer through.cut()
		runs++
		return incrementing(record.ID)(ctx, tx)
	})
	if !errors.Is(err, store.ErrUnavailable) || runs != 1 {
		t.Errorf("after %d runs: %v", runs, err)
	}
	through.repair()
	if found, err := s.Get(ctx, record.ID); err != nil || found.N != 0 {
		t.Errorf("the record %+v, %v", found, err)
	}
}

// A pooler accepts statements while its server is down, and keeps them waiting.
func TestAfterALostConnectionCallsDoNotWaitForAServerThatDoesNotRespond(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx := impatient(t)
	through, dsn := leased(t)
	d := connectTo(t, with(dsn, "pool_max_conns", "3"))
	var idle []sqlstore.Rows
	for range 3 {
		rows, err := d.Query(ctx, "SELECT 1")
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, rows)
	}
	for _, rows := range idle {
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	through.gate.Lock()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := d.Exec(short, "SELECT 1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that its caller ends: %v", err)
	}
	for ctx.Err() == nil && !postgres.Doubts(d) {
		time.Sleep(time.Millisecond)
	}
	for _, want := range []string{"the server does not respond", "the server is not responding"} {
		if _, err := d.Exec(ctx, "SELECT 1"); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), want) {
			t.Errorf("while the server does not respond: %v, want %s", err, want)
		}
	}
	through.gate.Unlock()
	for ctx.Err() == nil {
		if _, err := d.Exec(ctx, "SELECT 1"); err == nil {
			return
		} else if d.Fault(err).Kind != sqlstore.UnavailableFault && !errors.Is(err, store.ErrUnavailable) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the server is not found again")
}
