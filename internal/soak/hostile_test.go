package soak_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

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
