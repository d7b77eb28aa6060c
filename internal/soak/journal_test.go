package soak_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

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
