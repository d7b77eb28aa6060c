package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// errInternal tells nothing of what has failed.
var errInternal = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: http.StatusText(http.StatusInternalServerError)}

// newServer makes the SDK's server of tools and resources. It panics for what it does not take,
// which Mount returns as an error.
func newServer(config Config, tools []*tool) (_ *sdk.Server, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %v", errPanicked, cause)
		}
	}()
	server := sdk.NewServer(&sdk.Implementation{Name: config.name(), Version: config.version()}, &sdk.ServerOptions{
		Instructions: config.Instructions,
		// Nothing that is listed changes while the program runs, so that nobody need wait for news.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
		// What is listed and read is for who asked.
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	byName, records := map[string]*tool{}, recordsOf(tools)
	for _, t := range tools {
		byName[t.told.Name] = t
		server.AddTool(t.told, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return t.call(visitOf(ctx), request.Params.Arguments), nil
		})
	}
	for _, t := range records {
		server.AddResourceTemplate(template(t), notByTemplate)
	}
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
			v := visitOf(ctx)
			if v == nil {
				return nil, errInternal
			}
			defer func() {
				if cause := recover(); cause != nil {
					v.reception.Fail(nil, v.r, v.client, cause)
					result, err = nil, errInternal
				}
			}()
			switch method {
			case "subscriptions/listen": // would hold its connection for ever
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "There is nothing to subscribe to."}
			case "resources/read":
				if read, ok := request.(*sdk.ReadResourceRequest); ok {
					return v.readRecord(records, read.Params.URI)
				}
			}
			if result, err = next(ctx, method, request); err != nil {
				return nil, err
			}
			v.confine(result, byName, records)
			return result, nil
		}
	})
	return server, nil
}

// confine leaves of a list what the client may use.
func (v *visit) confine(list sdk.Result, byName map[string]*tool, records []*tool) {
	switch list := list.(type) {
	case *sdk.ListToolsResult:
		list.Tools = slices.DeleteFunc(list.Tools, func(told *sdk.Tool) bool { return !v.mayUse(byName[told.Name]) })
	case *sdk.ListResourceTemplatesResult:
		list.ResourceTemplates = slices.DeleteFunc(list.ResourceTemplates, func(told *sdk.ResourceTemplate) bool {
			return !slices.ContainsFunc(records, func(t *tool) bool { return t.op.Path() == told.URITemplate && v.mayUse(t) })
		})
	}
}

// call runs the operation with the arguments of a call. It returns a result in any case: the SDK
// tells clients the text of errors, and ends the program where a tool panics.
func (t *tool) call(v *visit, arguments json.RawMessage) (result *sdk.CallToolResult) {
	a := &answer{header: http.Header{}}
	defer func() {
		if cause := recover(); cause != nil { // http.ErrAbortHandler of a function of the user's, which ends a connection elsewhere
			a = v.fail(cause)
			result = a.result(t)
		}
	}()
	c, err := t.read(arguments)
	if err != nil {
		v.reception.Refuse(a, v.r, err)
		return a.result(t)
	}
	a = c.run(v)
	v.challenges(a)
	return a.result(t)
}
