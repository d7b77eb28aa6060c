package httpserve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// sendError sends the response of an error. All steps use it, so that no error is sent twice or with internal details. The
// cause of a failure is only logged, with the incident that the response names.
func (x *exchange) sendError(err error) {
	if x.varyErrors != nil {
		addField(x.w.Header(), "Vary", x.varyErrors)
	}
	err = x.logDenied(err)
	p, violations := x.translate(err)
	if violations != nil {
		x.watch.failed(err, "")
		x.sendProblem(nil, violations)
		return
	}
	if p.Status >= http.StatusInternalServerError && x.isFault(err) {
		p.Incident = newIncident()
		x.log(err, p.Incident)
	}
	switch {
	case p.Status == http.StatusTooManyRequests:
		x.logLimited(p)
	case p.Status == http.StatusConflict && errors.Is(err, store.ErrConstraint):
		x.logConstraint(err)
	}
	x.watch.failed(err, p.Incident)
	p.SetHeader(x.w.Header())
	x.sendProblem(p, nil)
}

// sendProblem sends a problem or violations, in the format that the client wants, else as problem+json.
func (x *exchange) sendProblem(p *problem.Problem, violations *model.Report) {
	var status int
	var body []byte
	var length []string
	if p != nil {
		status, body, length = p.Status, p.Append(x.buffers.response[:0]), p.Length()
	} else {
		shape := x.op.Resource.Errors
		status, body = shape.Status(), problem.AppendViolations(x.buffers.response[:0], shape, violations)
	}
	body, types := x.inFormat(status, p, violations, body)
	x.status, x.begun, x.body = status, true, body
	if length == nil || types != nil { // not prepared, or not JSON
		length = []string{strconv.Itoa(len(body))}
	}
	x.bytes += problem.Send(x.w, x.r, status, problem.Body{Text: body, Type: types, Length: length})
}

// translate returns the problem or the violations of an error. Trove's own errors take precedence over the result of MapError.
func (x *exchange) translate(err error) (*problem.Problem, *model.Report) {
	if err == store.ErrNotFound && x.op.API.MapError == nil { //nolint:errorlint // the most common error, found without a search
		return x.missing(), nil
	}
	if own, ok := errors.AsType[*problem.Problem](err); ok {
		return own, nil
	}
	if refused, ok := errors.AsType[*execute.RejectedError](err); ok {
		return x.problemOfCall(refused), nil
	}
	if refused, ok := errors.AsType[*execute.ForbiddenError](err); ok {
		return x.problemOfForbidden(refused), nil
	}
	if x.isLate(err) {
		return unavailable("The operation took too long. Try again later."), nil
	}
	if _, ok := errors.AsType[*unverifiedError](err); ok {
		return unavailable("The credentials cannot be verified right now. Try again later."), nil
	}
	if own, ok := errors.AsType[execute.InvalidError](err); ok {
		return nil, own.Found
	}
	if x.op.API.MapError != nil {
		if mapped := x.op.API.MapError(err); mapped != nil {
			err = mapped
		}
	}
	if found, only := validation.Violations(err); only && len(found) > 0 {
		refused := new(model.Report)
		refused.AddOwn(found)
		return nil, refused
	}
	return x.problemOf(err), nil
}

// problemOfKind returns the problem of a kind of error.
func problemOfKind(r problem.Kind, about ...any) *problem.Problem {
	return problem.New(r.Status(), r.Detail(about...))
}

// problemOfCall returns the problem of a call that package execute rejects.
func (x *exchange) problemOfCall(refused *execute.RejectedError) *problem.Problem {
	switch refused.Reason {
	case execute.Precondition:
		return x.preconditionFailed()
	case execute.Referred:
		return problem.New(http.StatusConflict, refused.Detail)
	case execute.NoParent:
		return problem.New(problem.NotFound.Status(), refused.Detail)
	case execute.KeyUsed:
		return problemOfKind(problem.KeyReused)
	}
	malformed := problem.New(problem.BadRequest.Status(), refused.Detail)
	if refused.Pointer != "" {
		malformed.Fields = []problem.Field{{Name: "pointer", Value: refused.Pointer}}
	}
	return malformed
}

// problemOf returns the problem of an error of user code or of a store. That of an unknown error has no detail.
func (x *exchange) problemOf(err error) *problem.Problem {
	if own, ok := errors.AsType[operation.Error](err); ok {
		p := problem.Of(own)
		switch {
		case p.Status >= http.StatusInternalServerError:
			p.Detail = ""
		case p.Status == http.StatusUnauthorized: // with challenges (RFC 9110, section 15.5.2)
			p.Header = append(p.Header, x.challenges(nil)...)
		}
		return p
	}
	if taken, ok := errors.AsType[store.UniqueError](err); ok {
		return x.problemOfTaken(taken, err)
	}
	if _, ok := errors.AsType[store.ReferenceError](err); ok { // of a table of user code, or of a field that clients cannot set
		return problem.New(problem.Conflict.Status(), "The change conflicts with another record.")
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return x.missing()
	case errors.Is(err, store.ErrConstraint):
		return problem.New(problem.Conflict.Status(), "The change conflicts with a rule of the database.")
	case errors.Is(err, store.ErrConflict):
		return problemOfKind(problem.Conflict)
	case errors.Is(err, store.ErrUnavailable):
		return unavailable(problem.Unavailable.Detail())
	case x.isGivenUp(err):
		return unavailable("")
	}
	return problemOfKind(problem.Internal)
}

// problemOfTaken returns the problem of a value that must be unique. The field may be that of another resource, if a hook wrote
// to its store. No response names a hidden field.
func (x *exchange) problemOfTaken(taken store.UniqueError, err error) *problem.Problem {
	field, message := x.op.Resource.Struct.Field(taken.Field), ""
	if field != nil {
		message = field.Messages["unique"]
	}
	if field != nil && field.Hidden {
		return problem.New(problem.Taken.Status(), cmp.Or(message, "The change conflicts with another record."))
	}
	what := taken.Field
	if fields := strings.Split(what, ","); len(fields) > 1 {
		what = "The combination of " + strings.Join(fields, " and ")
	}
	conflict := problemOfKind(problem.Taken, what)
	conflict.Detail = cmp.Or(message, conflict.Detail)
	name := taken.Field
	if at, ok := errors.AsType[*execute.PlacedError](err); ok {
		name = at.Place + "." + name
	}
	conflict.Fields = []problem.Field{{Name: "field", Value: name}}
	return conflict
}

// unavailable returns a 503 with a Retry-After of one second (RFC 9110, section 10.2.3).
func unavailable(detail string) *problem.Problem {
	p := problem.New(problem.Unavailable.Status(), detail)
	p.Header = []string{"Retry-After", "1"}
	return p
}

// isFault reports whether the cause of an error must be logged. Problems of Trove itself, such as overload, have no cause.
func (x *exchange) isFault(err error) bool {
	_, own := errors.AsType[*problem.Problem](err)
	return !own && !x.isGivenUp(err)
}

// isGivenUp reports whether a request failed because its client or a middleware with a timeout canceled it.
func (x *exchange) isGivenUp(err error) bool {
	ctx := x.r.Context()
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx)))
}

// isLate reports whether a request failed because of the timeout of its operation or of a middleware. Deadlines that a hook or
// a store sets do not count.
func (x *exchange) isLate(err error) bool {
	if errors.Is(x.r.Context().Err(), context.DeadlineExceeded) {
		return x.isGivenUp(err)
	}
	return !x.ends.IsZero() && !time.Now().Before(x.ends) && errors.Is(err, context.DeadlineExceeded)
}

// inFormat writes an error in the format that the client wants. It returns the JSON if the client wants none, or if the format
// does not write errors or fails.
func (x *exchange) inFormat(status int, p *problem.Problem, violations *model.Report, text []byte) (body []byte, types []string) {
	if !x.negotiated && x.hasErrors { // errors of earlier steps also have the requested format
		_ = negotiateType(x.r.Context(), x) // 406 is not what is sent here
	}
	if !x.negotiated || x.format.WriteError == nil {
		return text, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			x.logPanic(cause, newIncident())
			body, types = text, nil
		}
	}()
	x.writeLeads(x.w.Header())
	data := format.ErrorResponse{
		Status: status, JSON: text, Body: x.op.FormatBody, Resource: x.op.Resource.ShortName, Parameters: x.parameters(), Query: x.r.URL.RawQuery,
	}
	if x.translated { // clients know only the query that was sent
		data.Query = x.query
	}
	if p != nil {
		p.Describe(&data)
	} else {
		problem.DescribeViolations(&data, violations)
	}
	body, err := x.format.WriteError(nil, &data)
	if err != nil {
		x.log(err, newIncident())
		return text, nil
	}
	return body, x.format.RefusalTypes
}

// handlePanic responds to a panic of a hook, handler, store or encoder with 500. It aborts a response that has begun, which
// every HTTP client notices.
func (x *exchange) handlePanic(cause any) {
	// A user function wants the connection dropped. There is no fault to log.
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(cause) //nolint:forbidigo // asks net/http to drop the connection
	}
	incident := newIncident()
	x.logPanic(cause, incident)
	x.watch.failed(fmt.Errorf("panic: %v", cause), incident)
	if x.begun {
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to abort the response
	}
	p := problem.New(problem.Internal.Status(), "")
	p.Incident = incident
	x.sendProblem(p, nil)
}

// newIncident returns a new incident, which identifies a failure in the log and in the response.
func newIncident() string { return uuid.NewString() }

// log logs the cause of a failure.
func (x *exchange) log(err error, incident string) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation failed",
		append(x.logged(incident), slog.String("error", x.redact(err.Error())))...)
}

// logPanic logs a panic with its stack.
func (x *exchange) logPanic(cause any, incident string) {
	if x.secret != "" {
		cause = x.redact(fmt.Sprint(cause))
	}
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "operation panicked",
		append(x.logged(incident), slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))...)
}

// logDenied logs why a rule denies the request, which responses never contain. It returns the error, with store.ErrNotFound for
// a hidden record. The level is Info, because a denial is not a failure.
func (x *exchange) logDenied(err error) error {
	if err == store.ErrNotFound { //nolint:errorlint // the most common error, found without a search
		return err
	}
	var why *authz.Denial
	if forbidden, ok := errors.AsType[*execute.ForbiddenError](err); ok {
		why = &forbidden.Denial
	} else if hidden, ok := errors.AsType[*execute.HiddenError](err); ok {
		why, err = &hidden.Denial, store.ErrNotFound
	} else {
		return err
	}
	if logger := x.op.API.Logger; logger.Enabled(x.r.Context(), slog.LevelInfo) {
		logger.LogAttrs(x.r.Context(), slog.LevelInfo, "access denied",
			append(x.logged(""), slog.String("rule", why.Rule), slog.String("because", why.Because))...)
	}
	return err
}

// logLimited logs that a client has tried too often, such as to guess a password, like any other denial.
func (x *exchange) logLimited(p *problem.Problem) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelInfo, "access denied", append(x.logged(""), slog.String("because", x.redact(p.Error())))...)
}

// logConstraint logs which rule of the database rejects a change, because no response names it. The level is Warn, because a
// validation rule should reject the change first.
func (x *exchange) logConstraint(err error) {
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelWarn, "constraint violated",
		append(x.logged(""), slog.String("error", x.redact(err.Error())))...)
}

// redact removes the credentials of the request from a string for logs.
func (x *exchange) redact(text string) string {
	if x.secret == "" {
		return text
	}
	return strings.ReplaceAll(text, x.secret, "…")
}

// logged returns the attributes that identify a request in logs, with an incident unless it is "". It logs the template of
// the path, because a path may contain private data.
func (x *exchange) logged(incident string) []slog.Attr {
	var attributes []slog.Attr
	if incident != "" {
		attributes = append(attributes, slog.String("incident", incident))
	}
	attributes = append(attributes, slog.String("operation", x.op.ID), slog.String("method", x.r.Method), slog.String("path", x.op.Path()))
	if id := x.op.API.RequestID(x.r); id != "" {
		attributes = append(attributes, slog.String("request_id", id))
	}
	return attributes
}
