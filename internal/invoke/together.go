package invoke

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
)

// longest is how long the calls of one transaction may take. It is shorter than the time for which stores wait for a lock, so that
// others wait, and do not fail.
const longest = 8 * time.Second

// Purpose is what happens to the transaction of several calls.
type Purpose string

// The purposes of [Caller.Together].
const (
	Check Purpose = "check" // nothing is saved
	All   Purpose = "all"   // all calls are saved, or none if one is rejected
	Good  Purpose = "good"  // what is not rejected is saved
)

// Nests reports whether [Caller.Together] can call the operation: the store can undo a part of a transaction, and the operation
// does nothing before it.
func (o *Operation) Nests() bool { return o.server.Nests() }

// Together runs an operation several times in one transaction: each as [Caller.Call] does, but a rejected call changes nothing
// for the next one, and all others are saved together. It returns the responses, and reports whether they are saved. If a
// call comes too early, or the transaction fails, it returns that response alone, and saves nothing.
func (c *Caller) Together(o *Operation, calls []Call, purpose Purpose) (responses []*Response, saved bool, failed *Response) {
	ctx, cancel := context.WithTimeout(c.request.Context(), longest)
	defer cancel()
	failure := &Response{}
	err := o.server.Together(failure, c.request.WithContext(ctx), c.client, func(r *http.Request, nest func(func() bool) error) error {
		each := &Caller{endpoint: c.endpoint, request: r, client: c.client, trial: purpose == Check}
		isWhole := true
		responses, failed = nil, nil
		for _, call := range calls {
			var response *Response
			err := nest(func() bool {
				response = each.Call(o, call)
				return !response.IsError()
			})
			switch {
			case err != nil:
				return err //nolint:wrapcheck // it is sent
			case response.Status == http.StatusServiceUnavailable, response.Status == http.StatusTooManyRequests:
				failed = response
				return serve.ErrUndone
			}
			isWhole = isWhole && !response.IsError()
			responses = append(responses, response)
		}
		if purpose == Good || purpose == All && isWhole {
			return nil
		}
		return serve.ErrUndone
	})
	switch {
	case err != nil && !errors.Is(err, serve.ErrUndone):
		return nil, false, failure
	case failed != nil:
		return nil, false, failed
	}
	return responses, err == nil, nil
}

// ndjson is the media type of lines of JSON. Pages of other origins cannot send it without asking the server (CORS).
const ndjson = "application/x-ndjson"

// ReceiveLines reads a message whose lines are the bodies of calls.
func (e *Endpoint) ReceiveLines(w http.ResponseWriter, r *http.Request, most int) (calls []Call, err error) {
	if r.Header.Get("Content-Type") != ndjson {
		return nil, operation.Error{Status: http.StatusUnsupportedMediaType, Detail: "The Content-Type must be " + ndjson + "."}
	}
	body, err := e.Receive(w, r)
	if err != nil {
		return nil, err //nolint:wrapcheck // it is sent
	}
	body = bytes.TrimSuffix(body, []byte("\n"))
	if bytes.Count(body, []byte("\n")) >= most {
		return nil, operation.Error{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("The body must have at most %d lines.", most)}
	}
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		calls = append(calls, Call{Body: line})
	}
	return calls, nil
}
