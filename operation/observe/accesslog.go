package observe

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// AccessLog returns an observer that writes one log entry, "request", for each request. Its level is Info, or Warn for
// a 5xx and for responses that the server aborted. Its attributes are method, route, operation, status, bytes, ms and
// client, and request_id and incident if there is one. It never logs the path, query, header fields or body, except for
// a request id that comes from a header field. A nil logger is slog.Default.
func AccessLog(logger *slog.Logger) Observer {
	if logger == nil {
		logger = slog.Default()
	}
	return accessLog{logger}
}

type accessLog struct{ logger *slog.Logger }

func (accessLog) Begin(ctx context.Context, _ Operation, _ *http.Request) context.Context {
	return ctx
}

func (l accessLog) End(ctx context.Context, outcome *Outcome) {
	level := slog.LevelInfo
	if outcome.Status >= http.StatusInternalServerError || outcome.Incident != "" {
		level = slog.LevelWarn
	}
	if !l.logger.Enabled(ctx, level) {
		return
	}
	entry := [9]slog.Attr{
		slog.String("method", outcome.Request.Method),
		slog.String("route", outcome.Operation.Route),
		slog.String("operation", outcome.Operation.ID),
		slog.Int("status", outcome.Status),
		slog.Int64("bytes", outcome.Bytes),
		slog.Float64("ms", float64(outcome.Duration)/float64(time.Millisecond)),
		slog.String("client", outcome.Request.RemoteAddr),
	}
	attributes := entry[:7]
	if outcome.RequestID != "" {
		attributes = append(attributes, slog.String("request_id", outcome.RequestID))
	}
	if outcome.Incident != "" {
		attributes = append(attributes, slog.String("incident", outcome.Incident))
	}
	l.logger.LogAttrs(ctx, level, "request", attributes...)
}
