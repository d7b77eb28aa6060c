package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/internal/guest"
)

// result makes the result of a call of its answer. That of a refusal has no structured content:
// clients hold what is structured to the schema of success.
func (t *tool) result(a *guest.Response) *sdk.CallToolResult {
	text := a.Body.String()
	if a.IsError() {
		refusal := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
		for _, name := range [...]string{"WWW-Authenticate", "Retry-After"} { // bodies do not say which scope is wanted, nor when to try again
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
	if tag := a.Header().Get("ETag"); t.op.ShowsTag && tag != "" {
		result.Content = append(result.Content, &sdk.TextContent{Text: "If-Match of a change to this record: " + tag})
	}
	return result
}
