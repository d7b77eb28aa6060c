package soak_test

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/trove-api/trove/operation/observe"
)

// entry is what a client knows about a record that it created. Only its worker uses it.
type entry struct {
	mark   string
	id     string // "" if the client never got it
	sure   bool   // the record exists; otherwise it may or may not exist
	values []int  // the possible values of the record
}

// counter is a record that all workers increment.
type counter struct {
	entry     *entry
	first     int
	succeeded atomic.Int64 // changes with the response 200
	lost      atomic.Int64 // changes that were too late: 412
	open      atomic.Int64 // changes without a response, saved or not
}

// ledger has the expected records of a collection. Deleted records are removed, and must not exist at the end.
type ledger struct {
	mu      sync.Mutex
	entries map[string]*entry
}

func newLedger() *ledger { return &ledger{entries: map[string]*entry{}} }

func (l *ledger) note(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[e.mark] = e
}

func (l *ledger) strike(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.entries, e.mark)
}

// compare reports missing and unexpected records in the store. It returns how many records of unknown state exist.
func (l *ledger) compare(where string, records []kept, f *findings) (open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]int{}
	for _, r := range records {
		found[r.mark]++
		e := l.entries[r.mark]
		switch {
		case e == nil:
			f.add("%s: the record %q is there; its create was refused, or it was deleted", where, r.mark)
		case !slices.Contains(e.values, r.value):
			f.add("%s: the record %q has the value %d, want one of %v", where, r.mark, r.value, e.values)
		case !e.sure:
			open++
		}
	}
	for mark, e := range l.entries {
		if n := found[mark]; n > 1 || n == 0 && e.sure {
			f.add("%s: the record %q is there %d times, want once", where, mark, n)
		}
	}
	return open
}

// compare compares a counter with the changes whose responses reported success.
func (c *counter) compare(where string, records []kept, f *findings) {
	i := slices.IndexFunc(records, func(r kept) bool { return r.mark == c.entry.mark })
	if i < 0 {
		f.add("%s: the counter %q is gone", where, c.entry.mark)
		return
	}
	least := c.first + int(c.succeeded.Load())
	if value, most := records[i].value, least+int(c.open.Load()); value < least || value > most {
		f.add("%s: the counter %q is %d, want %d to %d: updates were lost or made twice", where, c.entry.mark, value, least, most)
	}
}

// overtime is the error of an operation that timed out without a fault of a store, because the machine was too busy.
const overtime = "context deadline exceeded"

// journal is a log that counts: the handler of Config.Logger.
type journal struct {
	findings  *findings
	mu        sync.Mutex
	incidents map[string]bool
	causes    map[string]int
}

func newJournal(f *findings) *journal {
	return &journal{findings: f, incidents: map[string]bool{}, causes: map[string]int{}}
}

func (*journal) Enabled(context.Context, slog.Level) bool { return true }
func (j *journal) WithAttrs([]slog.Attr) slog.Handler     { return j }
func (j *journal) WithGroup(string) slog.Handler          { return j }

func (j *journal) Handle(_ context.Context, record slog.Record) error {
	incident, cause := "", record.Message
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "incident":
			incident = a.Value.String()
		case "error", "panic":
			cause = a.Value.String()
		}
		return true
	})
	kind := kindOf(cause)
	if kind == "" {
		j.findings.add("the log has a failure that was not planted: %s: %s", record.Message, shorten(cause))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.causes[kind]++
	j.incidents[incident] = true
	return nil
}

// kindOf returns the planted fault in an error, or overtime; "" for others.
func kindOf(cause string) string {
	for _, kind := range allFaults {
		if strings.Contains(cause, kind) {
			return kind
		}
	}
	if strings.Contains(cause, overtime) {
		return overtime
	}
	return ""
}

// take removes an incident, and reports whether it was in the log.
func (j *journal) take(incident string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	known := j.incidents[incident]
	delete(j.incidents, incident)
	return known
}

func (j *journal) count(kind string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.causes[kind]
}

// unseen returns the planted faults that are not in the log yet.
func (j *journal) unseen() []string {
	var missing []string
	for _, kind := range allFaults {
		if j.count(kind) == 0 {
			missing = append(missing, kind)
		}
	}
	return missing
}

// complaints receives the lines of http.Server.ErrorLog.
type complaints struct{ findings *findings }

func (c complaints) Write(line []byte) (int, error) {
	c.findings.add("net/http complains: %s", shorten(line))
	return len(line), nil
}

// observer counts the requests that begin and end.
type observer struct {
	findings    *findings
	begun       atomic.Int64
	ended       atomic.Int64
	failures    atomic.Int64 // 500 responses
	unavailable atomic.Int64 // 503 responses
	deaf        atomic.Int64 // streams that were not read
}

// watched is the state of a request in its context.
type watched struct{ ended atomic.Bool }

type watchedKey struct{}

func (o *observer) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	o.begun.Add(1)
	return context.WithValue(ctx, watchedKey{}, &watched{})
}

func (o *observer) End(ctx context.Context, outcome *observe.Outcome) {
	o.ended.Add(1)
	request, ok := ctx.Value(watchedKey{}).(*watched)
	switch {
	case !ok:
		o.findings.add("an observer's End is given another context than Begin made: %s", outcome.Operation.ID)
	case request.ended.Swap(true):
		o.findings.add("an observer is called twice for the end of a request: %s", outcome.Operation.ID)
	}
	switch outcome.Status {
	case http.StatusInternalServerError:
		o.failures.Add(1)
		if outcome.Incident == "" || outcome.Err == nil {
			o.findings.add("an observer gets a 500 without its incident or its error: %s", outcome.Operation.ID)
		}
	case http.StatusServiceUnavailable:
		o.unavailable.Add(1)
	}
	if outcome.Operation.Resource == "Volume" && outcome.Err != nil && strings.Contains(outcome.Err.Error(), "gone away") {
		o.deaf.Add(1)
	}
}
