package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// errInternal hides the cause of a failure.
var errInternal = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: http.StatusText(http.StatusInternalServerError)}

// newServer returns the SDK's server with tools and resources. The SDK panics for values that it rejects; Mount returns
// that as an error.
func newServer(config Config, tools []*tool) (_ *sdk.Server, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %v", errPanicked, cause)
		}
	}()
	server := sdk.NewServer(&sdk.Implementation{Name: cmp.Or(config.Name, "API"), Version: cmp.Or(config.Version, "0.0.0")}, &sdk.ServerOptions{
		Instructions: config.Instructions,
		// The lists never change while the program runs, so clients need no notifications.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
		// Lists and records depend on the caller.
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	m := &messages{byName: map[string]*tool{}}
	for _, t := range tools {
		m.byName[t.listed.Name] = t
		server.AddTool(t.listed, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return t.call(visitOf(ctx), request.Params.Arguments), nil
		})
		if t.op.Kind == operation.KindGet && !t.op.Custom && t.op.Item { // its path is the URI of a resource
			m.records = append(m.records, t)
			server.AddResourceTemplate(template(t), notByTemplate)
		}
	}
	server.AddReceivingMiddleware(m.receive)
	return server, nil
}

// messages runs before the SDK, which does not know the caller.
type messages struct {
	byName  map[string]*tool
	records []*tool // tools that read one
}

// receive responds to messages that depend on the caller, and filters the SDK's lists.
func (m *messages) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		v := visitOf(ctx)
		if v == nil {
			return nil, errInternal
		}
		defer func() {
			if cause := recover(); cause != nil { // it would end the program
				v.Fail(cause)
				result, err = nil, errInternal
			}
		}()
		if slices.Contains(undeclared, method) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "The server does not have this method."}
		}
		if read, ok := request.(*sdk.ReadResourceRequest); ok {
			return v.readRecord(m.records, read.Params.URI)
		}
		if result, err = next(ctx, method, request); err != nil {
			return nil, err
		}
		m.confine(v, result)
		return result, nil
	}
}

// undeclared are the methods of capabilities that the server does not declare. The SDK serves some of them anyway, with
// empty lists or a connection that stays open.
var undeclared = []string{
	"prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen",
}

// confine removes from a list what the caller may not use. Callers who may not read the documentation get tools without
// its texts, and without fields that are hidden from them.
func (m *messages) confine(v *visit, list sdk.Result) {
	switch list := list.(type) {
	case *sdk.ListToolsResult:
		list.Tools = slices.DeleteFunc(list.Tools, func(told *sdk.Tool) bool { return !v.May(m.byName[told.Name].op) })
		if v.MayReadDocs() {
			return
		}
		for i, told := range list.Tools {
			list.Tools[i] = toolOf(v.Shown(m.byName[told.Name].op)).listed
		}
	case *sdk.ListResourceTemplatesResult:
		list.ResourceTemplates = slices.DeleteFunc(list.ResourceTemplates, func(told *sdk.ResourceTemplate) bool {
			return !v.May(m.byName[told.Name].op)
		})
		if v.MayReadDocs() {
			return
		}
		for i, told := range list.ResourceTemplates {
			list.ResourceTemplates[i] = template(&tool{op: v.Shown(m.byName[told.Name].op)})
		}
	}
}

// call runs the operation with the arguments of a call. It always returns a result, because the SDK would show errors to
// clients, and a panic in a tool would end the program.
func (t *tool) call(v *visit, arguments json.RawMessage) (result *sdk.CallToolResult) {
	defer func() {
		if cause := recover(); cause != nil { // http.ErrAbortHandler from a hook: it would abort an HTTP connection
			result = t.result(v.Fail(cause))
		}
	}()
	call, err := t.read(arguments)
	if err != nil {
		return t.result(v.Reject(err))
	}
	a := v.Call(t.op, call)
	v.challenges(a)
	return t.result(a)
}

// known are the formats that clients know, and none. The document uses other formats for rules that keywords cannot
// express. They make validators complain about each value, and help a model less than the description does.
var known = []string{
	"", "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid", "regex", "json-pointer",
	"int32", "int64", "float", "double", "byte",
}

// leaveKnown removes unknown formats from a schema and all that it refers to. The schemas belong to the tools alone.
func leaveKnown(of *schema.Schema) {
	simplify := func(s *schema.Schema) {
		if !slices.Contains(known, s.Format) {
			s.Format = ""
		}
		s.AllOf = slices.DeleteFunc(s.AllOf, func(part *schema.Schema) bool {
			return part.IsEmpty() || !slices.Contains(known, part.Format) && part.Equal(&schema.Schema{Format: part.Format})
		})
	}
	if of == nil {
		return
	}
	of.Each(simplify)
	for _, d := range of.Definitions() {
		d.Schema.Each(simplify)
	}
}
