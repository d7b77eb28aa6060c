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
