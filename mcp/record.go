package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/operation"
)

// recordsOf returns the tools that read a record, whose paths are addresses of resources.
func recordsOf(tools []*tool) []*tool {
	var records []*tool
	for _, t := range tools {
		if t.op.Kind == operation.KindGet && !t.op.Custom && t.op.Item {
			records = append(records, t)
		}
	}
	return records
}

// template is how a client learns of the addresses of records.
func template(t *tool) *sdk.ResourceTemplate {
	return &sdk.ResourceTemplate{
		Name: t.op.ID, Title: t.op.Resource, Description: t.op.Description,
		URITemplate: t.op.Path, MIMEType: "application/json",
	}
}

// notByTemplate stands where the SDK looks addresses up, which readRecord does in its place: it
// takes the SDK's templates anew for each request, and knows no letters beyond ASCII.
func notByTemplate(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return nil, errNoRecord
}

// errNoRecord is of an address where nothing is that the caller may see. The code is that of the
// protocol since 2026-07-28.
var errNoRecord = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found"}

// readRecord answers what a Get of the address would. The address is the path, or a URL of the
// service that the request was sent to.
func (v *visit) readRecord(records []*tool, address string) (*sdk.ReadResourceResult, error) {
	target, err := url.Parse(address)
	if err != nil || target.Opaque != "" || target.User != nil || target.IsAbs() && !isOwn(target, v.r.Host) || !target.IsAbs() && target.Host != "" {
		return nil, errNoRecord
	}
	for _, t := range records {
		if !t.op.IsAt(target.EscapedPath()) {
			continue
		}
		a := v.Call(t.op, guest.Call{Path: target.EscapedPath(), Query: target.RawQuery})
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

// isOwn reports whether a URL is one of the service that was asked.
func isOwn(target *url.URL, host string) bool {
	return (target.Scheme == "http" || target.Scheme == "https") && strings.EqualFold(target.Host, host)
}

// codeOf is the code of JSON-RPC for a refusal.
func codeOf(status int) int64 {
	switch {
	case status == http.StatusUnauthorized:
		return codeUnauthorized
	case status >= http.StatusInternalServerError:
		return jsonrpc.CodeInternalError
	}
	return jsonrpc.CodeInvalidRequest
}
