package accesstest

import (
	"context"
	"log/slog"
)

// reasons is the log of an API in rehearsal. It keeps why the last request was refused, or
// failed, which no answer tells.
type reasons struct{ last *string }

// Enabled reports that everything is told.
func (reasons) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps the reason that an entry has.
func (r reasons) Handle(_ context.Context, entry slog.Record) error {
	entry.Attrs(func(attr slog.Attr) bool {
		if attr.Key == "because" || attr.Key == "error" {
			*r.last = attr.Value.String()
		}
		return true
	})
	return nil
}

// WithAttrs and WithGroup change nothing of what is kept.
func (r reasons) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r reasons) WithGroup(string) slog.Handler      { return r }
