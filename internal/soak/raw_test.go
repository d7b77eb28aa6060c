package soak_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// dial opens a connection that is no http.Client's. Nothing on it takes forever.
func (l *load) dial(ctx context.Context) (*net.TCPConn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), conn.SetDeadline(time.Now().Add(4 * writeTimeout))
}

// hangUp closes a connection that the server may have closed before.
func hangUp(conn net.Conn) { _ = conn.Close() }

// postHead returns the header of a create with a body of a length.
func (l *load) postHead(c *collection, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", c.path, l.address, length)
}

// receive reads the answer to a request that was sent by hand, and judges it.
func (l *load) receive(ctx context.Context, conn net.Conn, method, target string, began time.Time) answer {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+l.address+target, http.NoBody)
	if err != nil {
		return answer{err: err}
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	a := answer{err: err}
	if err == nil {
		a = read(response)
	}
	a.took = time.Since(began)
	l.tally.count(a.status)
	l.judge(request, a)
	return a
}

// byteByByte sends a whole create, each byte on its own.
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
			break // it may have been answered already
		}
	}
	w.settle(c, e, w.receive(ctx, conn, "POST", c.path, began))
}

// cutCreate goes away in the middle of a body: such a record is never saved.
func (w *worker) cutCreate(ctx context.Context, c *collection) {
	conn, err := w.dial(ctx)
	if err != nil {
		return
	}
	e := w.newEntry(c, "cut-")
	text := e.body(e.values[0])
	_, _ = conn.Write([]byte(w.postHead(c, len(text)) + text[:1+w.random.IntN(len(text)-1)]))
	if w.random.IntN(2) == 0 {
		_ = conn.SetLinger(0) // with a reset
	}
	_ = conn.Close()
	c.ledger.strike(e)
	w.tally.count(0)
}

// vanish sends a whole create and goes away without the answer.
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

// statusOf writes a status as findings and figures name it.
func statusOf(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status)
}
