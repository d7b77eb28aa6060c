package postgres_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// meter is between a program and the server. It counts round trips and statements, by the messages of the protocol.
type meter struct {
	mu                sync.Mutex
	trips, statements int
	up                bool // the last bytes went to the server

	direct string       // the DSN without the meter
	holds  sync.RWMutex // locked while the meter delays what the server sends
	cuts   atomic.Bool  // connections end when the server sends something
}

// metered returns a meter, and a DSN that leads through it to a new schema.
func metered(t testing.TB) (m *meter, dsn string) {
	t.Helper()
	dsn = schema(t)
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	m = &meter{direct: dsn}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))))
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(server, io.TeeReader(client, &upward{meter: m, startup: true}))
				_ = server.Close()
			}()
			go func() { _, _ = io.Copy(client, io.TeeReader(server, downward{m})); _ = client.Close() }()
		}
	}()
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return m, with(with(dsn, "host", host), "port", port)
}

// upward sees what one connection sends.
type upward struct {
	*meter

	startup bool   // the next message has no type
	unread  []byte // the begin of a message
}

func (u *upward) Write(sent []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.up {
		u.up = true
		u.trips++
	}
	for u.unread = append(u.unread, sent...); ; {
		at := 1
		if u.startup {
			at = 0
		}
		if len(u.unread) < at+4 {
			return len(sent), nil
		}
		end := at + int(binary.BigEndian.Uint32(u.unread[at:]))
		if len(u.unread) < end {
			return len(sent), nil
		}
		if kind := u.unread[0]; at == 1 && (kind == 'E' || kind == 'Q') { // Execute, Query
			u.statements++
		}
		u.startup, u.unread = false, u.unread[end:]
	}
}

// downward sees what the server sends.
type downward struct{ *meter }

func (d downward) Write(sent []byte) (int, error) {
	d.holds.RLock()
	defer d.holds.RUnlock()
	if d.cuts.Load() {
		return 0, io.ErrClosedPipe
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.up = false
	return len(sent), nil
}

// costs returns how many statements and round trips a call makes: the least of some runs, because a pool may test its
// connection before one.
func (m *meter) costs(call func(n int)) string {
	trips, statements := 1<<30, 1<<30
	for n := range 5 { // the first ones prepare the statements
		m.mu.Lock()
		m.trips, m.statements = 0, 0
		m.mu.Unlock()
		call(n)
		m.mu.Lock()
		trips, statements = min(trips, m.trips), min(statements, m.statements)
		m.mu.Unlock()
	}
	return fmt.Sprintf("%d in %d", statements, trips)
}

type shelf struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"required"`
}

type scroll struct {
	ID      int64  `json:"id"`
	Title   string `json:"title" validate:"required,max=100"`
	Code    string `json:"code" api:"unique"`
	Shelf   *int64 `json:"shelf" api:"ref=Shelf,expand"`
	Version int    `json:"version" api:"version"`
}

// scrolls returns an API with scrolls on shelves, of which shelf 1 exists. Options change the resource of the scrolls.
func scrolls(t *testing.T, dsn string, options ...func(*resource.Of[scroll])) service {
	t.Helper()
	db := open(t, dsn)
	shelves, table := sqlstore.Table[shelf](db), sqlstore.Table[scroll](db)
	if err := db.Create(t.Context(), shelves, table, db.Log()); err != nil {
		t.Fatal(err)
	}
	of := resource.Of[scroll]{Store: table}
	for _, option := range options {
		option(&of)
	}
	api, err := resource.New(resource.Config{}, resource.Of[shelf]{Store: shelves}, of)
	if err != nil {
		t.Fatal(err)
	}
	s := service{t, api}
	s.must("POST /api/shelves", `{"name":"first"}`)
	return s
}

func TestHowManyStatementsAndRoundTripsRequestsCost(t *testing.T) {
	t.Parallel()
	m, dsn := metered(t)
	dsn = with(dsn, "pool_max_conns", "1")
	s := scrolls(t, dsn)
	isOfTransaction := 2 // BEGIN and COMMIT
	if pooled() {
		isOfTransaction = 3 // it also sets lock_timeout
	}
	own, alone := strconv.Itoa(2+isOfTransaction)+" in 2", "1 in 1"
	if pooled() {
		alone = strconv.Itoa(1+isOfTransaction) + " in 1"
	}
	for n := range 10 {
		s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"old","code":"old %d"}`, n))
	}
	for _, test := range []struct {
		name, want string
		call       func(n int)
	}{
		{"create", alone, func(n int) { s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"new","code":"new %d"}`, n)) }},
		{"create with a reference", alone, func(n int) {
			s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"new","code":"on %d","shelf":"/api/shelves/1"}`, n))
		}},
		{"patch of a reference", own, func(n int) {
			s.must("PATCH /api/scrolls/1", fmt.Sprintf(`{"shelf":%s}`, []string{`"/api/shelves/1"`, "null"}[n%2]))
		}},
		{"patch", own, func(n int) { s.must("PATCH /api/scrolls/1", fmt.Sprintf(`{"title":"patched %d"}`, n)) }},
		{"put", own, func(n int) { s.must("PUT /api/scrolls/1", fmt.Sprintf(`{"title":"replaced %d","code":"old 0"}`, n)) }},
		{"delete", own, func(n int) { s.must(fmt.Sprintf("DELETE /api/scrolls/%d", 2+n), "") }},
	} {
		if got := m.costs(test.call); got != test.want {
			t.Errorf("%s costs %s round trips, want %s", test.name, got, test.want)
		}
	}
}

func TestARequestWhoseWriteIsNotItsLastStatementCostsATransaction(t *testing.T) {
	t.Parallel()
	direct(t)
	m, dsn := metered(t)
	dsn = with(dsn, "pool_max_conns", "1")
	for name, test := range map[string]struct {
		want    string
		options func(*resource.Of[scroll])
	}{
		"a processor": {"3 in 2", func(of *resource.Of[scroll]) {
			of.Operations = []operation.Operation{operation.Get{}, operation.Post{Processor: operation.Process(
				func(ctx context.Context, _ *operation.Request, s *scroll, save operation.Save[scroll]) error {
					return save(ctx, s)
				},
			)}}
		}},
		"an output": {"3 in 2", func(of *resource.Of[scroll]) {
			of.Output = operation.Output(func(_ context.Context, s *scroll) (shelf, error) { return shelf{s.ID, s.Title}, nil })
		}},
		"a history": {"5 in 4", func(of *resource.Of[scroll]) { of.History = true }},
		"only a Prepare, which comes before the write": {"1 in 1", func(of *resource.Of[scroll]) {
			of.Prepare = func(context.Context, *operation.Request, *scroll) error { return nil }
		}},
	} {
		s := scrolls(t, dsn, test.options)
		got := m.costs(func(n int) { s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"new","code":"%s %d"}`, name, n)) })
		if got != test.want {
			t.Errorf("a create with %s costs %s round trips, want %s", name, got, test.want)
		}
	}
}
