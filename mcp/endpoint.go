package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/problem"
)

// endpoint serves the messages of agents.
type endpoint struct {
	endpoint *invoke.Endpoint
	origins  *http.CrossOriginProtection
	hosts    []string // of the config, and the one that clients see
	anyHost  bool     // requests from the network may have any Host
	origin   string   // scheme and host that clients see; "" for those of each request
	tools    []*tool
	signsIn  bool         // the API has schemes
	next     http.Handler // of the SDK
}

func newEndpoint(api *invoke.API, config Config, tools []*tool) (*endpoint, error) {
	server, err := newServer(config, tools)
	if err != nil {
		return nil, err
	}
	operations := make([]*invoke.Operation, len(tools))
	for i, t := range tools {
		operations[i] = t.op
	}
	e := &endpoint{
		endpoint: api.Endpoint(path, operations...), origins: http.NewCrossOriginProtection(),
		hosts: slices.Concat(config.Hosts, api.Hosts()), anyHost: config.Hosts == nil, origin: api.Origin(),
		tools: tools, signsIn: api.HasSchemes,
	}
	origins := config.Origins
	if e.origin != "" {
		origins = append(slices.Clip(origins), e.origin)
	}
	for _, origin := range origins {
		if err := e.origins.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	e.next = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // checkHost does it
		MaxRequestBodyBytes:        e.endpoint.MaxBytes() + 1,
	})
	return e, nil
}

// ServeHTTP serves one request with one message. It rejects batches, which would run many operations for the rate limit
// of one.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.endpoint.TakesPost(w, r) {
		return
	}
	if err := errors.Join(e.checkHost(r), e.checkOrigin(r)); err != nil {
		e.endpoint.Reject(w, r, err)
		return
	}
	if _, ok := httpfield.Accept(r.Header["Accept"], []string{format.JSON}, nil); !ok {
		e.endpoint.Reject(w, r, problem.New(http.StatusNotAcceptable, "Responses are application/json. Add it to the Accept header."))
		return
	}
	caller := e.endpoint.Authenticate(w, r)
	if caller == nil {
		return
	}
	v := &visit{Caller: caller, r: r, origin: e.origin}
	if e.isShut(v) {
		e.endpoint.Challenge(w, r)
		return
	}
	body, err := e.endpoint.Receive(w, r)
	if text := bytes.TrimLeft(body, " \t\r\n"); err == nil && (len(text) == 0 || text[0] != '{') {
		err = invoke.Invalid("The body must be a single JSON-RPC message. Batches are not supported.", nil)
	}
	if err != nil {
		e.endpoint.Reject(w, r, err)
		return
	}
	e.respond(w, v, body)
}

// isShut reports whether an anonymous caller can use no tool. Clients that get 401 when they connect let their user sign
// in.
func (e *endpoint) isShut(v *visit) bool {
	return e.signsIn && v.IsAnonymous() && len(e.tools) > 0 && !slices.ContainsFunc(e.tools, func(t *tool) bool { return v.May(t.op) })
}

// respond lets the SDK respond to a message. A 401 of the operation becomes a 401 of the connection.
func (e *endpoint) respond(w http.ResponseWriter, v *visit, body []byte) {
	r := v.r.WithContext(context.WithValue(v.r.Context(), visitKey{}, v))
	r.Header = r.Header.Clone()
	r.Header.Set("Accept", "application/json, text/event-stream") // the SDK requires both, and responds only with JSON
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	held := &invoke.Response{}
	e.next.ServeHTTP(held, r)
	if refused := v.challenge.Load(); refused != nil {
		sendChallenge(w, refused, body)
		return
	}
	header := w.Header()
	maps.Copy(header, held.Header())
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(max(held.Status, http.StatusOK))
	_, _ = w.Write(held.Body.Bytes()) // the client may be gone
}

// codeUnauthorized is the error code for messages that need credentials, from the range that JSON-RPC reserves for
// servers.
const codeUnauthorized = -32001

// sendChallenge sends 401 with the ways to sign in. The body is a JSON-RPC error, for clients that read it.
func sendChallenge(w http.ResponseWriter, refused *invoke.Response, message []byte) {
	var asked struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(message, &asked) // checked before, or the error has no message
	id, _ := jsonrpc.MakeID(asked.ID)
	body, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Error: &jsonrpc.Error{
		Code: codeUnauthorized, Message: "Authentication required.", Data: json.RawMessage(refused.Body.Bytes()),
	}})
	header := w.Header()
	for _, name := range []string{"Www-Authenticate", "Vary", "Cache-Control"} {
		if values := refused.Header()[name]; values != nil {
			header[name] = values
		}
	}
	header.Set("Content-Type", "application/json")
	w.WriteHeader(refused.Status)
	if err == nil {
		_, _ = w.Write(body)
	}
}
