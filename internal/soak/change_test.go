package soak_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

func (w *worker) patch(ctx context.Context, c *collection) {
	w.change(ctx, w.client, c, request{"PATCH", valueAlone})
}

func valueAlone(_ *entry, value int) string { return fmt.Sprintf(`{"value":%d}`, value) }

func (w *worker) put(ctx context.Context, c *collection) {
	w.change(ctx, w.client, c, request{"PUT", (*entry).body})
}

// cancelPatch starts an update and cancels it soon.
func (w *worker) cancelPatch(ctx context.Context, c *collection) {
	impatient, cancel := context.WithTimeout(ctx, time.Duration(w.random.IntN(4000))*time.Microsecond)
	defer cancel()
	w.change(impatient, w.hasty, c, request{"PATCH", valueAlone})
}

// request is a way to give a record another value.
type request struct {
	method string
	body   func(e *entry, value int) string
}

// change gives one of the worker's records another value.
func (w *worker) change(ctx context.Context, by *client, c *collection, r request) {
	e := w.pick(c)
	if e == nil {
		return
	}
	value := w.random.IntN(1000)
	a := by.send(ctx, r.method, c.path+"/"+e.id, r.body(e, value))
	switch {
	case a.status == http.StatusOK:
		e.values = []int{value}
		if a.whole && !e.matches(a.body, value) {
			w.findings.add("%s %s: the answer does not show the change of %q to %d: %s", r.method, c.path, e.mark, value, shorten(a.body))
		}
	case a.status == 0: // the request may still be running, so the record is left alone
		e.values = append(e.values, value)
		w.leave(c, e)
	case !oneOf(a.status, 500, 503):
		w.findings.add("%s %s of a record that is there: %d: %s", r.method, c.path, a.status, shorten(a.body))
	}
}

// leave removes a record from those that the worker uses.
func (w *worker) leave(c *collection, e *entry) {
	w.own[c] = slices.DeleteFunc(w.own[c], func(other *entry) bool { return other == e })
}

func (w *worker) remove(ctx context.Context, c *collection) {
	e := w.pick(c)
	if e == nil {
		return
	}
	a := w.send(ctx, "DELETE", c.path+"/"+e.id, "")
	switch {
	case a.status == http.StatusNoContent:
		c.ledger.strike(e)
		w.leave(c, e)
	case a.status == 0:
		e.sure = false
		w.leave(c, e)
	case !oneOf(a.status, 500, 503):
		w.findings.add("DELETE %s of a record that is there: %d: %s", c.path, a.status, shorten(a.body))
	}
}

// countUp increments a counter, unless another client has changed it meanwhile.
func (w *worker) countUp(ctx context.Context, c *collection) {
	shared := c.counters[w.random.IntN(len(c.counters))]
	target := c.path + "/" + shared.entry.id
	now := w.send(ctx, "GET", target, "")
	var shown struct {
		Value int `json:"value"`
	}
	if now.status != http.StatusOK || json.Unmarshal(now.body, &shown) != nil {
		return
	}
	a := w.send(ctx, "PATCH", target, fmt.Sprintf(`{"value":%d}`, shown.Value+1), "If-Match", now.header.Get("ETag"))
	switch a.status {
	case http.StatusOK:
		shared.succeeded.Add(1)
	case http.StatusPreconditionFailed:
		shared.lost.Add(1)
	case 0:
		shared.open.Add(1)
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
	default:
		w.findings.add("PATCH %s with If-Match: %d: %s", c.path, a.status, shorten(a.body))
	}
}
