package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
)

// endpoint serves the messages of agents.
type endpoint struct {
	reception *httpserve.Reception
	origins   *http.CrossOriginProtection
	hosts     []string
	tools     []*tool
	signsIn   bool // there is a way to
	limit     int64
	patience  time.Duration // for a body; 0 for none
	next      http.Handler  // of the SDK
}

// envelope is how many bytes a message may have around the body of an operation.
const envelope = 64 << 10

func newEndpoint(api *compiled.API, config Config, tools []*tool) (*endpoint, error) {
	server, err := newServer(config, tools)
	if err != nil {
		return nil, err
	}
	e := &endpoint{
		reception: httpserve.NewReception(api, path),
		origins:   http.NewCrossOriginProtection(),
		hosts:     config.Hosts,
		tools:     tools,
		signsIn:   len(api.Authentication) > 0,
		limit:     api.MaxBodyBytes + envelope,
	}
	limited := true
	for _, t := range tools {
		e.limit = max(e.limit, t.op.MaxBodyBytes+envelope)
		limited = limited && t.op.Timeout > 0
		e.patience = max(e.patience, t.op.Timeout)
	}
	if !limited {
		e.patience = 0
	}
	for _, origin := range config.Origins {
		if err := e.origins.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	e.next = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // hosts.go says whom a name may lead here
		MaxRequestBodyBytes:        e.limit + 1,
	})
	return e, nil
}

// ServeHTTP answers one request, which has one message: batches, which the protocol had once,
// would be many operations for the price of one.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const methods = "POST, OPTIONS"
	switch r.Method {
	case http.MethodPost:
	case http.MethodOptions:
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		refused := problem.New(refusal.NoMethod.Status(), refusal.NoMethod.Says(methods))
		refused.Header = []string{"Allow", methods}
		e.reception.Refuse(w, r, refused)
		return
	}
	if err := errors.Join(e.checkHost(r), e.checkOrigin(r)); err != nil {
		e.reception.Refuse(w, r, err)
		return
	}
	client := e.reception.Identify(w, r)
	if client == nil {
		return
	}
	v := &visit{reception: e.reception, r: r, client: client}
	if e.isShut(v) {
		e.reception.Challenge(w, r)
		return
	}
	body, err := e.receive(w, r)
	if err != nil {
		e.reception.Refuse(w, r, err)
		return
	}
	e.answer(w, v, body)
}

// isShut reports whether there is nothing here for who asks, but for somebody who signs in:
// clients that are told so when they connect ask their user to.
func (e *endpoint) isShut(v *visit) bool {
	if !e.signsIn || !v.client.IsNobody(v.r.Context()) {
		return false
	}
	return len(e.tools) > 0 && !slices.ContainsFunc(e.tools, v.mayUse)
}

// receive reads the message whole.
func (e *endpoint) receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	if e.patience > 0 {
		_ = control.SetReadDeadline(time.Now().Add(e.patience)) // a writer that has no deadlines reads on
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, e.limit))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, problem.New(refusal.TooLarge.Status(), refusal.TooLarge.Says(e.limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// The deadline stays, or the server would wait for the rest before it answers.
		late := problem.New(refusal.Timeout.Status(), refusal.Timeout.Says())
		late.Header = []string{"Connection", "close"}
		return nil, late
	}
	if err != nil {
		return nil, problem.New(refusal.BadRequest.Status(), "The body ended before it was complete.")
	}
	if e.patience > 0 {
		_ = control.SetReadDeadline(time.Time{})
	}
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) == 0 || text[0] != '{' {
		return nil, problem.New(refusal.BadRequest.Status(), "The body is not one message of JSON-RPC: send one object, no batch.")
	}
	return body, nil
}

// answer has the SDK answer a message. Who is to sign in for what it asks is answered here, as
// HTTP does.
func (e *endpoint) answer(w http.ResponseWriter, v *visit, body []byte) {
	r := v.r.WithContext(context.WithValue(v.r.Context(), visitKey{}, v))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	held := &answer{header: http.Header{}}
	e.next.ServeHTTP(held, r)
	if refused := v.challenge.Load(); refused != nil {
		sendChallenge(w, refused, body)
		return
	}
	header := w.Header()
	maps.Copy(header, held.header)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(max(held.status, http.StatusOK))
	_, _ = w.Write(held.body.Bytes()) // the client may be gone, which is nobody's fault
}

// codeUnauthorized is the code of a message that wants its sender to sign in, of those that
// JSON-RPC leaves to services.
const codeUnauthorized = -32001

// sendChallenge answers 401 with the ways to sign in. The body is the error of the message, for
// clients that read on.
func sendChallenge(w http.ResponseWriter, refused *answer, message []byte) {
	var asked struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(message, &asked) // has been read before, or the error is of no message
	id, _ := jsonrpc.MakeID(asked.ID)
	body, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Error: &jsonrpc.Error{
		Code: codeUnauthorized, Message: "Say who you are.", Data: json.RawMessage(refused.body.Bytes()),
	}})
	header := w.Header()
	for _, name := range []string{"Www-Authenticate", "Vary", "Cache-Control"} {
		if values := refused.header[name]; values != nil {
			header[name] = values
		}
	}
	header.Set("Content-Type", "application/json")
	w.WriteHeader(refused.status)
	if err == nil {
		_, _ = w.Write(body)
	}
}
