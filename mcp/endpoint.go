package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/resource"
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

func newEndpoint(api *invoke.API, config Config, operations []*invoke.Operation) (*endpoint, error) {
	pages, err := invoke.NewWriter(pageFormat)
	if err = errors.Join(err, api.Describe(false, operations...)); err != nil {
		return nil, err
	}
	api.Pages = pages
	tools := make([]*tool, len(operations))
	for i, op := range operations {
		tools[i] = toolOf(op)
	}
	server, err := newServer(config, tools)
	if err != nil {
		return nil, err
	}
	e := &endpoint{
		endpoint: api.Endpoint(path, operations...), origins: http.NewCrossOriginProtection(),
		hosts: slices.Concat(config.Hosts, api.Hosts()), anyHost: config.Hosts == nil, origin: api.Origin,
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
		DisableLocalhostProtection: true, // ServeHTTP does it
		MaxRequestBodyBytes:        e.endpoint.MaxBytes() + 1,
	})
	return e, nil
}

// ServeHTTP serves one request with one message. It rejects batches, which would run many operations for the rate limit
// of one.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.endpoint.Takes(w, r, http.MethodPost) {
		return
	}
	if !httpfield.HasHost(r, e.hosts) && (!e.anyHost || httpfield.IsLocal(r)) {
		e.endpoint.Reject(w, r, problem.New(http.StatusForbidden, "The Host of the request is not allowed."))
		return
	}
	if e.origins.Check(r) != nil {
		e.endpoint.Reject(w, r, problem.New(http.StatusForbidden, "Requests from other origins are not allowed."))
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

// path is the path of the endpoint's route, regardless of the prefix of the API.
const path = "/mcp"

// Mount serves the API to agents at /mcp, by streamable HTTP. The Config.Middleware of the API applies, as to all its
// routes. Call it once, before the API serves requests.
//
// Mount also serves the metadata with which agents learn how to sign in (RFC 9728), if the API has bearer tokens.
//
// If it returns an error, it serves nothing. All errors are joined. They are a nil API, errors in the config, operation
// ids that are not valid names of tools, and schemas that would share a name. A route that exists at /mcp is an error
// too.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("mcp: the API is nil")
	}
	offered := invoke.Of(api)
	var taken error
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || route.Pattern == path+"/*" {
			taken = fmt.Errorf("%s has a route already; has the API been mounted before?", path)
		}
	}
	operations, unnamed := config.operations(offered)
	if err := errors.Join(taken, config.check(offered), unnamed); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	served, err := newEndpoint(offered, config, operations)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	router := api.Router()
	router.Handle(path, served)
	if at, metadata := served.endpoint.Metadata(path); metadata != nil {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			router.Method(method, at, metadata)
		}
	}
	offered.AddLink("item", "Agents (MCP)", path) // another endpoint of the service (RFC 9727, section 2)
	return nil
}

// visit is one HTTP request of an agent. The context of its message holds it.
type visit struct {
	*invoke.Caller

	r         *http.Request
	origin    string                          // scheme and host that clients see; "" for those of the request
	challenge atomic.Pointer[invoke.Response] // the 401 for a caller who needs to sign in; nil for none
}

type visitKey struct{}

// visitOf returns the visit of a message, nil for none.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// challenges stores a 401, which then ends the connection, and reports whether the response is one.
func (v *visit) challenges(a *invoke.Response) bool {
	if a.Status != http.StatusUnauthorized {
		return false
	}
	v.challenge.Store(a)
	return true
}
