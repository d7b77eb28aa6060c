package soak_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	workers = 32
	// patience is how much longer the load may last until every fault has occurred.
	patience = time.Minute
	counters = 3
)

// collection is a resource that workers write to.
type collection struct {
	path     string
	ledger   *ledger
	counters []*counter
	keeps    bool // the store keeps responses for repeated requests
}

// load is the state that all workers share.
type load struct {
	*client

	service     *service
	collections []*collection
	hostile     hostility
}

// worker is one client that runs one operation after the other.
type worker struct {
	*load
	*client

	hasty  *client
	name   string
	random *rand.Rand
	made   int
	own    map[*collection][]*entry // records that certainly exist
}

// deed is an operation of workers, with its weight.
type deed struct {
	share int
	do    func(w *worker, ctx context.Context, c *collection)
}

var deeds = []deed{
	{16, (*worker).create},
	{4, (*worker).createTrap},
	{4, (*worker).createAgain},
	{18, (*worker).get},
	{10, (*worker).list},
	{3, (*worker).walk},
	{2, (*worker).stream},
	{10, (*worker).patch},
	{6, (*worker).put},
	{13, (*worker).remove},
	{10, (*worker).countUp},
	{8, (*worker).mistake},
	{2, (*worker).cancelCreate},
	{1, (*worker).cancelPatch},
	{2, (*worker).cutCreate},
	{1, (*worker).vanish},
	{1, (*worker).byteByByte},
}

func newLoad(s *service) *load {
	l := &load{client: newClient(s), service: s}
	for _, path := range []string{"/api/notes", "/api/parcels"} {
		l.collections = append(l.collections, &collection{path: path, ledger: newLedger(), keeps: s.keeps[path]})
	}
	return l
}

// makeCounters creates the records that all workers increment, before any fault.
func (l *load) makeCounters(t *testing.T) {
	t.Helper()
	for _, c := range l.collections {
		for range counters {
			w := l.newWorker("counter-" + string(rune('a'+len(c.counters))))
			for tries := 0; tries < 20 && len(w.own[c]) == 0; tries++ {
				w.create(t.Context(), c)
			}
			if len(w.own[c]) != 1 {
				t.Fatalf("cannot create a counter in %s", c.path)
			}
			e := w.own[c][0]
			w.http.CloseIdleConnections()
			c.ledger.strike(e)
			c.counters = append(c.counters, &counter{entry: e, first: e.values[0]})
		}
	}
}

func (l *load) newWorker(name string) *worker {
	seed := uint64(len(name))
	for _, r := range name {
		seed = seed*31 + uint64(r)
	}
	return &worker{
		load: l, client: l.patient(), hasty: l.hasty(), name: name, random: rand.New(rand.NewPCG(seed, 1)), own: map[*collection][]*entry{},
	}
}

// run keeps all workers busy for a time, and until every fault has occurred.
func (l *load) run(ctx context.Context, length time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, length+patience)
	defer cancel()
	var group sync.WaitGroup
	deadline := time.Now().Add(length)
	for i := range workers {
		w := l.newWorker("w" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		group.Go(func() {
			for ctx.Err() == nil && (time.Now().Before(deadline) || !l.sawEverything()) {
				w.act(ctx)
			}
			w.http.CloseIdleConnections()
		})
	}
	group.Wait()
}

// sawEverything reports whether every planted fault has occurred.
func (l *load) sawEverything() bool {
	return len(l.journal.unseen()) == 0 && len(l.hostile.unseen(l.service)) == 0
}

func (w *worker) act(ctx context.Context) {
	all := 0
	for _, d := range deeds {
		all += d.share
	}
	n := w.random.IntN(all)
	for _, d := range deeds {
		if n -= d.share; n < 0 {
			d.do(w, ctx, w.collections[w.random.IntN(len(w.collections))])
			return
		}
	}
}

// pick returns one of the worker's records, nil if it has none.
func (w *worker) pick(c *collection) *entry {
	if len(w.own[c]) == 0 {
		return nil
	}
	return w.own[c][w.random.IntN(len(w.own[c]))]
}

// arriving is about how long a header takes to arrive. If it takes longer, the test covers less.
const arriving = 100 * time.Millisecond

// checkPlaces occupies all places for concurrent requests after the load. None may be lost by a panic, a disconnected
// client or a slow one.
func (l *load) checkPlaces(t *testing.T) {
	t.Helper()
	c := l.collections[0]
	began, held := time.Now(), make([]net.Conn, 0, maxConcurrent)
	for range maxConcurrent {
		conn, err := l.dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer hangUp(conn)
		_, _ = io.WriteString(conn, l.postHead(c, 2)+"{")
		held = append(held, conn)
	}
	time.Sleep(arriving)
	busy := 0
	for _, conn := range held {
		_, _ = io.WriteString(conn, "!")
		if a := l.receive(t.Context(), conn, "POST", c.path, began); strings.Contains(string(a.body), "overloaded") {
			busy++
		}
	}
	if busy > 0 {
		t.Errorf("%d of the %d places are taken when nothing runs", busy, maxConcurrent)
	}
}

// stopAmidst stops the service while slow clients are connected.
func (l *load) stopAmidst(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, c := range l.collections {
		go l.lateBody(ctx, c)
	}
	time.Sleep(arriving)
	l.service.stop(t)
}

// slowClients is the number of hostile clients of each kind. Together they hold less than half of the places.
const slowClients = 2

// hostility counts the results of clients that only take the server's time.
type hostility struct {
	lateBodies  atomic.Int64 // rejected with 408
	lateHeaders atomic.Int64 // closed without a response
	deaf        atomic.Int64 // aborted streams, as the client sees them
	busy        atomic.Int64 // 503 responses to any of them
}

// unseen returns the results that have not occurred yet.
func (h *hostility) unseen(s *service) []string {
	var missing []string
	for text, n := range map[string]int64{
		"a body that is late is refused by 408":          h.lateBodies.Load(),
		"a header that is late drops the connection":     h.lateHeaders.Load(),
		"a client that does not read has its stream cut": min(h.deaf.Load(), s.observer.deaf.Load()),
	} {
		if n == 0 {
			missing = append(missing, text)
		}
	}
	return missing
}

// harass runs the hostile clients until the context ends. Wait returns when they have ended.
func (l *load) harass(ctx context.Context) (wait func()) {
	var group sync.WaitGroup
	for range slowClients {
		for _, c := range l.collections {
			group.Go(func() { l.repeat(ctx, func() { l.lateBody(ctx, c) }) })
		}
		group.Go(func() { l.repeat(ctx, func() { l.lateHeader(ctx) }) })
		group.Go(func() { l.repeat(ctx, func() { l.deaf(ctx) }) })
	}
	return group.Wait
}

func (*load) repeat(ctx context.Context, do func()) {
	for ctx.Err() == nil {
		do()
		pause(ctx, 20*time.Millisecond)
	}
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// lateBody sends a body byte by byte, too slowly.
func (l *load) lateBody(ctx context.Context, c *collection) {
	conn, err := l.dial(ctx)
	if err != nil {
		return
	}
	defer hangUp(conn)
	began, answered := time.Now(), make(chan struct{})
	go func() {
		defer close(answered)
		a := l.receive(context.WithoutCancel(ctx), conn, "POST", c.path, began)
		switch a.status {
		case http.StatusRequestTimeout:
			l.hostile.lateBodies.Add(1)
		case http.StatusServiceUnavailable:
			l.hostile.busy.Add(1)
		case 0:
		default:
			l.findings.add("POST %s with a late body: %d: %s", c.path, a.status, shorten(a.body))
		}
	}()
	_, _ = io.WriteString(conn, l.postHead(c, 1000)+"{")
	for {
		select {
		case <-answered:
			return
		case <-time.After(20 * time.Millisecond):
			_, _ = io.WriteString(conn, " ")
		}
	}
}

// lateHeader begins a header and does not finish it.
func (l *load) lateHeader(ctx context.Context) {
	conn, err := l.dial(ctx)
	if err != nil {
		return
	}
	defer hangUp(conn)
	_, _ = io.WriteString(conn, "GET /api/notes HTTP/1.1\r\nHost: "+l.address+"\r\nX-Late: ")
	if _, err := io.Copy(io.Discard, conn); err == nil {
		l.hostile.lateHeaders.Add(1)
	}
}

// deaf requests a long stream, and does not read it until the server has aborted it.
func (l *load) deaf(ctx context.Context) {
	conn, err := l.dial(ctx)
	if err != nil {
		return
	}
	defer hangUp(conn)
	_ = conn.SetReadBuffer(4 << 10)
	_, _ = io.WriteString(conn, "GET /api/volumes.ndjson HTTP/1.1\r\nHost: "+l.address+"\r\n\r\n")
	status := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(conn, status); err != nil || string(status) != "HTTP/1.1 200" {
		l.hostile.busy.Add(1)
		return
	}
	pause(ctx, writeTimeout+readHeaderTimeout)
	if ctx.Err() != nil {
		return
	}
	if rest, _ := io.ReadAll(conn); !bytes.HasSuffix(rest, []byte("\r\n0\r\n\r\n")) {
		l.hostile.deaf.Add(1)
	}
}

// dial opens a plain connection, with a deadline for everything on it.
func (l *load) dial(ctx context.Context) (*net.TCPConn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), conn.SetDeadline(time.Now().Add(4 * writeTimeout))
}

// hangUp closes a connection that the server may have closed already.
func hangUp(conn net.Conn) { _ = conn.Close() }

// postHead returns the header of a create with a body of a given length.
func (l *load) postHead(c *collection, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", c.path, l.address, length)
}

// receive reads the response to a request sent by hand, and checks it.
func (l *load) receive(ctx context.Context, conn net.Conn, method, target string, began time.Time) reply {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+l.address+target, http.NoBody)
	if err != nil {
		return reply{err: err}
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	a := reply{err: err}
	if err == nil {
		a = read(response)
	}
	a.took = time.Since(began)
	l.tally.count(a.status)
	l.judge(request, a)
	return a
}

// byteByByte sends a complete create, each byte separately.
func (w *worker) byteByByte(ctx context.Context, c *collection) {
	conn, err := w.dial(ctx)
	if err != nil {
		return
	}
	defer hangUp(conn)
	began, e := time.Now(), w.newEntry(c, "")
	text := e.body(e.values[0])
	for _, b := range []byte(w.postHead(c, len(text)) + text) {
		if _, err := conn.Write([]byte{b}); err != nil {
			break // the response may have been sent already
		}
	}
	w.settle(c, e, w.receive(ctx, conn, "POST", c.path, began))
}

// cutCreate disconnects in the middle of a body; the record must not be saved.
func (w *worker) cutCreate(ctx context.Context, c *collection) {
	conn, err := w.dial(ctx)
	if err != nil {
		return
	}
	e := w.newEntry(c, "cut-")
	text := e.body(e.values[0])
	_, _ = conn.Write([]byte(w.postHead(c, len(text)) + text[:1+w.random.IntN(len(text)-1)]))
	if w.random.IntN(2) == 0 {
		_ = conn.SetLinger(0) // closes with a reset
	}
	_ = conn.Close()
	c.ledger.strike(e)
	w.tally.count(0)
}

// vanish sends a complete create and disconnects without reading the response.
func (w *worker) vanish(ctx context.Context, c *collection) {
	conn, err := w.dial(ctx)
	if err != nil {
		return
	}
	e := w.newEntry(c, "")
	text := e.body(e.values[0])
	_, _ = conn.Write([]byte(w.postHead(c, len(text)) + text))
	_ = conn.Close()
	w.tally.count(0)
}

// statusOf formats a status for findings and figures.
func statusOf(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status)
}
