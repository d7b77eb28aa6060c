package soak_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// maxOwn is the maximum number of records of a worker in a collection, so that the stores do not grow over time.
const maxOwn = 40

// newEntry returns a new, unique record.
func (w *worker) newEntry(c *collection, trap string) *entry {
	w.made++
	e := &entry{mark: fmt.Sprintf("%s%s-%d", trap, w.name, w.made), values: []int{w.random.IntN(1000)}}
	c.ledger.note(e)
	return e
}

func (e *entry) body(value int) string {
	return fmt.Sprintf(`{"mark":%q,"value":%d,"text":%q,"tags":["soak","%d"]}`, e.mark, value, strings.Repeat("text ", value%60), value)
}

// settle records what the response to a create implies for the record.
func (w *worker) settle(c *collection, e *entry, a reply) {
	switch {
	case a.status == http.StatusCreated:
		e.sure, e.id = true, a.header.Get("Location")[len(c.path)+1:]
		w.own[c] = append(w.own[c], e)
		if a.whole && !e.matches(a.body, e.values[0]) {
			w.findings.add("POST %s: the answer is not the record %q: %s", c.path, e.mark, shorten(a.body))
		}
	case a.status != 0:
		c.ledger.strike(e)
	}
}

// matches reports whether a body shows the record with a value.
func (e *entry) matches(body []byte, value int) bool {
	var shown struct {
		Mark  string `json:"mark"`
		Value int    `json:"value"`
	}
	return json.Unmarshal(body, &shown) == nil && shown.Mark == e.mark && shown.Value == value
}

func (w *worker) create(ctx context.Context, c *collection) {
	if len(w.own[c]) >= maxOwn {
		w.remove(ctx, c)
		return
	}
	e := w.newEntry(c, "")
	a := w.send(ctx, "POST", c.path, e.body(e.values[0]))
	w.settle(c, e, a)
	if !oneOf(a.status, 0, 201, 500, 503) {
		w.findings.add("POST %s: %d: %s", c.path, a.status, shorten(a.body))
	}
}

// createTrap creates a record that makes a hook fail, so that it is never saved.
func (w *worker) createTrap(ctx context.Context, c *collection) {
	names := make([]string, 0, len(traps))
	for name := range traps {
		names = append(names, name)
	}
	e := w.newEntry(c, names[w.random.IntN(len(names))])
	a := w.send(ctx, "POST", c.path, e.body(e.values[0]))
	w.settle(c, e, a)
	if !oneOf(a.status, 0, 500, 503) {
		w.findings.add("POST %s: a record that is a trap for hooks is answered %d", c.path, a.status)
	}
}

// createAgain repeats a create until it succeeds, and once more. Its key prevents a second record.
func (w *worker) createAgain(ctx context.Context, c *collection) {
	if !c.keeps || len(w.own[c]) >= maxOwn {
		w.create(ctx, c)
		return
	}
	e := w.newEntry(c, "")
	first, body := reply{}, e.body(e.values[0])
	for range 5 {
		impatient, cancel := context.WithTimeout(ctx, time.Duration(1+w.random.IntN(50))*time.Millisecond)
		first = w.hasty.send(impatient, "POST", c.path, body, "Idempotency-Key", e.mark)
		cancel()
		if first.status == http.StatusCreated {
			break
		}
	}
	if first.status != http.StatusCreated {
		return // the responses do not prove that none of the requests was saved
	}
	w.settle(c, e, first)
	again := w.send(ctx, "POST", c.path, body, "Idempotency-Key", e.mark)
	switch {
	case oneOf(again.status, 0, 500, 503):
	case again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("Location") != first.header.Get("Location"):
		w.findings.add("POST %s: sent again, the answer is %d: %s; the first one was %s", c.path, again.status, shorten(again.body), shorten(first.body))
	}
}

// cancelCreate starts a create and cancels it soon.
func (w *worker) cancelCreate(ctx context.Context, c *collection) {
	impatient, cancel := context.WithTimeout(ctx, time.Duration(w.random.IntN(4000))*time.Microsecond)
	defer cancel()
	e := w.newEntry(c, "")
	w.settle(c, e, w.hasty.send(impatient, "POST", c.path, e.body(e.values[0])))
}

func oneOf(status int, of ...int) bool {
	return slices.Contains(of, status)
}
