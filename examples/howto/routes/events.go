package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// hub passes changes of orders on to the streams of their owners.
type hub struct {
	mu      sync.Mutex
	streams map[chan int64]string // the identifiers of orders, for a user
}

func newHub() *hub { return &hub{streams: map[chan int64]string{}} }

// committed runs after each commit. It waits for no client: a stream that is full ends, and its client reconnects.
func (h *hub) committed(_ context.Context, changes []store.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, change := range changes {
		order, ok := change.After.(*Order)
		if !ok { // deleted, or no order
			continue
		}
		for stream, user := range h.streams {
			if user != order.Owner {
				continue
			}
			select {
			case stream <- order.ID:
			default:
				delete(h.streams, stream)
				close(stream)
			}
		}
	}
}

// serve sends the identifiers of changed orders as server-sent events.
func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	user, _ := operation.PrincipalAs[*User](r.Context())
	stream := make(chan int64, 100)
	h.mu.Lock()
	h.streams[stream] = user.Name
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.streams, stream)
	}()

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	beat := time.NewTicker(15 * time.Second) // so that proxies keep the connection
	defer beat.Stop()
	out := http.NewResponseController(w)
	for text := "retry: 2000\n\n"; ; {
		_ = out.SetWriteDeadline(time.Now().Add(30 * time.Second)) // instead of the minute that Serve allows in all
		if _, err := fmt.Fprint(w, text); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			text = ": still here\n\n"
		case id, open := <-stream:
			if !open {
				return
			}
			text = fmt.Sprintf("event: order\ndata: /api/orders/%d\n\n", id)
		}
	}
}
