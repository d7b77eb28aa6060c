package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/operation"
)

// recordsOf returns the tools that read a record: their paths are URIs of resources.
func recordsOf(tools []*tool) []*tool {
	var records []*tool
	for _, t := range tools {
		if t.op.Kind == operation.KindGet && !t.op.Custom && t.op.Item {
			records = append(records, t)
		}
	}
	return records
}

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
