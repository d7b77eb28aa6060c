package httpserve

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/trove-api/trove/internal/problem"
)

// recoverPanic answers a panic of a hook, handler, store or encoder like an error. Where
// the answer has begun already, it is broken off, which every client of HTTP notices.
func (x *exchange) recoverPanic() {
	cause := recover()
	if cause == nil {
		return
	}
	// A function of the user's wants the connection dropped. There is no fault to log.
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(cause) //nolint:forbidigo // asks net/http to drop the connection
	}
	incident := newIncident()
	x.logPanic(cause, incident)
	x.watch.failed(fmt.Errorf("panic: %v", cause), incident)
	if x.begun {
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to break off the answer
	}
	refusal := problem.New(http.StatusInternalServerError, "")
	refusal.Incident = incident
	x.refuseWith(refusal, nil)
}

// redactCause takes the credentials of the request out of what was panicked with.
func (x *exchange) redactCause(cause any) any {
	if x.secret == "" {
		return cause
	}
	return x.redact(fmt.Sprint(cause))
}

// logPanic writes what the answer does not tell the client.
// With the stack, as it is the only thing that tells where a function of the user's went wrong.
func (x *exchange) logPanic(cause any, incident string) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation panicked",
		append(x.logged(incident), slog.Any("panic", x.redactCause(cause)), slog.String("stack", string(debug.Stack())))...)
}
