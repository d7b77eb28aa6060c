package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/invoke"
)

// result converts a response to the result of a call. An error has no structured content, because clients validate that
// against the schema of success.
func (t *tool) result(a *invoke.Response) *sdk.CallToolResult {
	text := a.Body.String()
	if a.IsError() {
		refusal := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
		for _, name := range [...]string{"WWW-Authenticate", "Retry-After"} { // the body has neither the missing scope nor the time to wait
			if value := a.Header().Get(name); value != "" {
				refusal.Content = append(refusal.Content, &sdk.TextContent{Text: name + ": " + value})
			}
		}
		return refusal
	}
	if text == "" {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Done."}}}
	}
	if t.wrapper != "" {
		text = `{"` + t.wrapper + `":` + text + `}`
	}
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(text)}
	if tag := a.Header().Get("ETag"); t.op.ShowsTag() && tag != "" {
		result.Content = append(result.Content, &sdk.TextContent{Text: "To change this record, send If-Match: " + tag})
	}
	return result
}
