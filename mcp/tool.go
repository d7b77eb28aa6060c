package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// tool is an operation for agents. It does not change.
type tool struct {
	op     *invoke.Operation
	listed *sdk.Tool

	arguments map[string]*argument // by name
	variables []string             // the names of arguments for variables of the path
	wrapper   string               // the field around a response that is not an object; "" for an object
	pages     bool                 // the response can have several pages
	begins    bool                 // offset selects the first record; otherwise a filter may have that name
}

// toolOf returns the tool for an operation.
func toolOf(op *invoke.Operation) *tool {
	t := &tool{op: op, pages: op.Has(cursor), begins: op.Has(offset)}
	input, output := t.takeArguments(), t.outputSchema()
	leaveKnown(input)
	leaveKnown(output)
	t.listed = &sdk.Tool{
		Name: nameOf(op.ID), Title: op.Summary, Description: op.Description, InputSchema: json.RawMessage(input.SelfContained()), Annotations: t.hints(),
	}
	if !op.Lifecycle.Deprecated.IsZero() { // the document has a field for it
		t.listed.Description = strings.TrimSpace(t.listed.Description + "\n\nDeprecated: this tool will be removed.")
	}
	if output != nil {
		t.listed.OutputSchema = json.RawMessage(output.SelfContained())
	}
	return t
}

// outputSchema returns the schema of structured content. The type object is at its root, because clients do not follow a
// reference to find it.
func (t *tool) outputSchema() *schema.Schema {
	of := t.op.Response
	switch {
	case of == nil:
		return nil
	case t.op.Pages:
		page := &schema.Schema{Type: []string{schema.Object}, Required: []string{"items"}, Properties: []schema.Property{{Name: "items", Schema: of}}}
		if t.pages {
			next := schema.Typed(schema.String)
			next.Description = "Pass it as `cursor` to get the next page. Absent on the last page."
			page.Properties = append(page.Properties, schema.Property{Name: "nextCursor", Schema: next})
		}
		return page
	case t.op.ReturnsObject():
		root := *of
		root.Type = []string{schema.Object}
		return &root
	case t.op.ReturnsList():
		t.wrapper = "items"
	default:
		t.wrapper = "value"
	}
	return &schema.Schema{Type: []string{schema.Object}, Required: []string{t.wrapper}, Properties: []schema.Property{{Name: t.wrapper, Schema: of}}}
}

// hints returns what a call can do, from the kind of the operation. What else a handler does is unknown, so OpenWorldHint
// keeps the protocol's default.
func (t *tool) hints() *sdk.ToolAnnotations {
	op := t.op
	hints := &sdk.ToolAnnotations{ReadOnlyHint: op.Reads, DestructiveHint: new(false), IdempotentHint: op.Kind != operation.KindPost}
	switch {
	case op.Custom && !op.Reads:
		*hints.DestructiveHint = op.Item || op.Kind != operation.KindPost
		hints.IdempotentHint = op.Kind == operation.KindPut || op.Kind == operation.KindDelete
	case op.Kind == operation.KindDelete, op.Kind != operation.KindPost && op.TakesBody():
		*hints.DestructiveHint = true // the previous state is lost
	}
	if !op.Custom {
		hints.OpenWorldHint = new(false)
	}
	return hints
}

var errPanicked = errors.New("the SDK rejects a tool or a template")

// template returns the resource template of a tool that reads a record.
func template(t *tool) *sdk.ResourceTemplate {
	return &sdk.ResourceTemplate{
		Name: t.op.ID, Title: t.op.Resource.ShortName, Description: t.op.Description,
		URITemplate: t.op.Path(), MIMEType: "application/json",
	}
}

// notByTemplate is never the way to a record: readRecord matches URIs instead, because the SDK parses its templates again
// for each request and supports only ASCII.
func notByTemplate(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return nil, errNoRecord
}

// errNoRecord is the error for a URI without a record that the caller may see. The protocol uses this code since
// 2026-07-28.
var errNoRecord = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found"}

// readRecord returns the response of the Get at a URI: a path, or a URL of the service.
func (v *visit) readRecord(records []*tool, address string) (*sdk.ReadResourceResult, error) {
	target, err := url.Parse(address)
	if err != nil || target.Opaque != "" || target.User != nil || target.IsAbs() && !v.isOwn(target) || !target.IsAbs() && target.Host != "" {
		return nil, errNoRecord
	}
	for _, t := range records {
		if !t.op.IsAt(target.EscapedPath()) {
			continue
		}
		a := v.Call(t.op, invoke.Call{Path: target.EscapedPath(), Query: target.RawQuery})
		switch {
		case a.Status == http.StatusNotFound:
			return nil, errNoRecord
		case v.challenges(a), a.IsError():
			return nil, &jsonrpc.Error{Code: codeOf(a.Status), Message: http.StatusText(a.Status), Data: json.RawMessage(a.Body.Bytes())}
		}
		return &sdk.ReadResourceResult{
			Contents:  []*sdk.ResourceContents{{URI: address, MIMEType: "application/json", Text: a.Body.String()}},
			Cacheable: sdk.Cacheable{CacheScope: "private"},
		}, nil
	}
	return nil, errNoRecord
}

// isOwn reports whether an absolute URL belongs to the service.
func (v *visit) isOwn(target *url.URL) bool {
	if v.origin != "" {
		return strings.EqualFold(target.Scheme+"://"+target.Host, v.origin)
	}
	return (target.Scheme == "http" || target.Scheme == "https") && strings.EqualFold(target.Host, v.r.Host)
}

// codeOf returns the JSON-RPC code for an error status.
func codeOf(status int) int64 {
	switch {
	case status == http.StatusUnauthorized:
		return codeUnauthorized
	case status >= http.StatusInternalServerError:
		return jsonrpc.CodeInternalError
	}
	return jsonrpc.CodeInvalidRequest
}
