package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cost has the times of a question, shortest first.
type cost struct {
	name        string
	trove, hand []time.Duration
}

const (
	fewest = 5
	most   = 300
)

// measure sends the request and runs the statement, in turn, for a time. The first ones warm the caches.
func (q *question) measure(ctx context.Context, api http.Handler, d *database, budget time.Duration) (cost, error) {
	found, statement := cost{name: q.name}, d.rebind(q.hand)
	for began, i := time.Now(), -2; i < fewest || i < most && time.Since(began) < budget; i++ {
		at := time.Now()
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api"+q.target, http.NoBody))
		served := time.Since(at)
		if w.Code != http.StatusOK {
			return found, fmt.Errorf("%s: %d %s", q.target, w.Code, w.Body)
		}
		at = time.Now()
		if err := d.read(ctx, statement, q.args...); err != nil {
			return found, fmt.Errorf("%s: %w", q.hand, err)
		}
		if i >= 0 {
			found.trove, found.hand = append(found.trove, served), append(found.hand, time.Since(at))
		}
	}
	slices.Sort(found.trove)
	slices.Sort(found.hand)
	return found, nil
}

// write writes one line for each question.
func write(out io.Writer, sizes []size) error {
	header, rule := "| request |", "| --- |"
	for _, s := range sizes {
		header, rule = header+" "+thousands(s.rows)+" rows: ms | p99 | by hand |", rule+" ---: | ---: | ---: |"
	}
	var text strings.Builder
	text.WriteString(header + "\n" + rule + "\n")
	for i, first := range sizes[0].costs {
		text.WriteString("| " + first.name + " |")
		for _, s := range sizes {
			c := s.costs[i]
			fmt.Fprintf(&text, " %s | %s | %.2f |", milliseconds(at(c.trove, 50)), milliseconds(at(c.trove, 99)),
				float64(at(c.trove, 50))/float64(at(c.hand, 50)))
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// at returns a percentile of sorted times.
func at(times []time.Duration, percent int) time.Duration { return times[(len(times)-1)*percent/100] }

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond))
}

// thousands returns a number with a comma before each three digits.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
