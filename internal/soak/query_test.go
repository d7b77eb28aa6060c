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

	"github.com/go-json-experiment/json"
)

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
