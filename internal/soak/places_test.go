package soak_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

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
