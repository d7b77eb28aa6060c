package soak_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// get reads one of the worker's records; half of the time with If-None-Match.
func (w *worker) get(ctx context.Context, c *collection) {
	e := w.pick(c)
	if e == nil {
		return
	}
	a := w.send(ctx, "GET", c.path+"/"+e.id, "")
	switch {
	case a.status == http.StatusOK:
		if a.whole && !slices.ContainsFunc(e.values, func(v int) bool { return e.matches(a.body, v) }) {
			w.findings.add("GET %s: the record %q has not one of the values %v: %s", c.path, e.mark, e.values, shorten(a.body))
		}
	case !oneOf(a.status, 0, 500, 503):
		w.findings.add("GET %s of a record that is there: %d: %s", c.path, a.status, shorten(a.body))
	}
	if tag := a.header.Get("ETag"); tag != "" && w.random.IntN(2) == 0 {
		again := w.send(ctx, "GET", c.path+"/"+e.id, "", "If-None-Match", tag)
		if !oneOf(again.status, 0, 304, 500, 503) {
			w.findings.add("GET %s with the ETag of a moment ago: %d: %s", c.path, again.status, shorten(again.body))
		}
	}
}

// list requests a page in one of many ways.
func (w *worker) list(ctx context.Context, c *collection) {
	n := w.random.IntN(1000)
	queries := []string{
		"", "?page=2&itemsPerPage=10", "?itemsPerPage=100&sort=-value",
		fmt.Sprintf("?value[gte]=%d&sort=value", n), fmt.Sprintf("?value[lt]=%d&sort=-mark", n), "?text=text+TEXT",
	}
	query := queries[n%len(queries)]
	a := w.send(ctx, "GET", c.path+query, "")
	if !oneOf(a.status, 0, 200, 500, 503) {
		w.findings.add("GET %s%s: %d: %s", c.path, query, a.status, shorten(a.body))
	}
	if e := w.pick(c); e != nil {
		w.find(ctx, c, e)
	}
}

// find searches for one of the worker's records by its mark.
func (w *worker) find(ctx context.Context, c *collection, e *entry) {
	a := w.send(ctx, "GET", c.path+"?mark="+url.QueryEscape(e.mark), "")
	if a.status != http.StatusOK || !a.whole {
		return
	}
	var found []struct {
		Mark string `json:"mark"`
	}
	same := 0
	if err := json.Unmarshal(a.body, &found); err != nil {
		w.findings.add("GET %s: the page is not an array: %v: %s", c.path, err, shorten(a.body))
		return
	}
	for _, r := range found {
		if r.Mark == e.mark {
			same++
		}
	}
	if same != 1 {
		w.findings.add("GET %s: the filter finds the record %q %d times: %s", c.path, e.mark, same, shorten(a.body))
	}
}

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// walk reads a few pages by cursor. No record may occur twice.
func (w *worker) walk(ctx context.Context, c *collection) {
	target, seen := c.path+"?cursor=&itemsPerPage=20", map[int64]bool{}
	for range 5 {
		a := w.send(ctx, "GET", target, "")
		var page []struct {
			ID int64 `json:"id"`
		}
		if a.status != http.StatusOK || json.Unmarshal(a.body, &page) != nil {
			if !oneOf(a.status, 0, 200, 500, 503) {
				w.findings.add("GET %s: %d: %s", target, a.status, shorten(a.body))
			}
			return
		}
		for _, r := range page {
			if seen[r.ID] {
				w.findings.add("GET %s: the record %d is on two pages", target, r.ID)
			}
			seen[r.ID] = true
		}
		next := nextLink.FindStringSubmatch(a.header.Get("Link"))
		if next == nil {
			return
		}
		target = next[1]
	}
}

// stream reads the whole collection as lines. Their identifiers must increase.
func (w *worker) stream(ctx context.Context, c *collection) {
	a := w.send(ctx, "GET", c.path+".ndjson", "")
	if a.status != http.StatusOK {
		return
	}
	last := int64(0)
	for line := range bytes.Lines(a.body) {
		var r struct {
			ID int64 `json:"id"`
		}
		if json.Unmarshal(line, &r) != nil {
			return // the last line of an aborted stream
		}
		if r.ID <= last {
			w.findings.add("GET %s.ndjson: the record %d comes after %s", c.path, r.ID, strconv.FormatInt(last, 10))
		}
		last = r.ID
	}
}

// mistakes are requests that are rejected before anything is saved. {path} is the path of a collection.
var mistakes = []struct {
	request, body, contentType string
	status                     int
}{
	{"POST {path}", `{"mark":`, "", 400},
	{"POST {path}", `{"mark":"x","mark":"y"}`, "", 400},
	{"POST {path}", `[]`, "", 400},
	{"POST {path}", `{"mark":"","value":-1}`, "", 400},
	{"POST {path}", `{"mark":7}`, "", 400},
	{"POST {path}", `{"nobody":"knows"}`, "", 400},
	{"POST {path}", `mark=x`, "text/plain", 415},
	{"POST {path}", `{"mark":"` + strings.Repeat("x", 80<<10) + `"}`, "", 413},
	{"POST {path}", `{"mark":"x","tags":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, "", 413},
	{"PATCH {path}/999999999", `{"value":1}`, "", 404},
	{"PUT {path}/999999999", `{"mark":"x"}`, "", 404},
	{"DELETE {path}/999999999", ``, "", 404},
	{"GET {path}/999999999", ``, "", 404},
	{"GET {path}/none", ``, "", 404},
	{"GET {path}?nobody=knows", ``, "", 400},
	{"GET {path}?page=0", ``, "", 400},
	{"GET {path}?cursor=wrong", ``, "", 400},
	{"GET {path}?mark=" + strings.Repeat("x", 9<<10), ``, "", 414},
	{"POST {path}/1", `{}`, "", 405},
	{"GET /api/nothing", ``, "", 404},
	{"GET /nothing/at/all", ``, "", 404},
	{"HEAD {path}", ``, "", 200},
	{"OPTIONS {path}", ``, "", 204},
}

func (w *worker) mistake(ctx context.Context, c *collection) {
	m := mistakes[w.random.IntN(len(mistakes))]
	method, target, _ := strings.Cut(strings.Replace(m.request, "{path}", c.path, 1), " ")
	var header []string
	if m.contentType != "" {
		header = []string{"Content-Type", m.contentType}
	}
	a := w.send(ctx, method, target, m.body, header...)
	if !oneOf(a.status, m.status, 0, 500, 503) {
		w.findings.add("%s: %d, want %d: %s", shorten(m.request), a.status, m.status, shorten(a.body))
	}
}
