package compiled

import (
	"context"
	"log/slog"
	"slices"
	"sync"
)

// Overhear keeps the reason of the last rejected or failed request in a string, and writes nothing to the
// API's log until the function that it returns is called. It is for tests, while nobody else uses the API.
func (a *API) Overhear(reason *string) (end func()) {
	logger := a.Logger
	a.Logger = slog.New(&overheard{reason: reason})
	return func() { a.Logger = logger }
}

// overheard is a log that keeps reasons.
type overheard struct {
	mu     sync.Mutex
	reason *string
}

// Enabled reports true: each level can have a reason.
func (*overheard) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps the reason of an entry.
func (o *overheard) Handle(_ context.Context, entry slog.Record) error {
	entry.Attrs(func(attr slog.Attr) bool {
		if slices.Contains([]string{"because", "error", "panic"}, attr.Key) {
			o.mu.Lock()
			defer o.mu.Unlock()
			*o.reason = attr.Value.String()
		}
		return true
	})
	return nil
}

// WithAttrs and WithGroup change nothing of what is kept.
func (o *overheard) WithAttrs([]slog.Attr) slog.Handler { return o }
func (o *overheard) WithGroup(string) slog.Handler      { return o }
