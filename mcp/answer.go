package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// answer is what an operation answers an inner request with. It is an http.ResponseWriter.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the fields of the answer.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write keeps a part of the body.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// refused reports whether the answer is a refusal.
func (a *answer) refused() bool { return a.status >= http.StatusBadRequest }

// result makes the result of a call of the answer. That of a refusal has no structured content:
// clients hold what is structured to the schema of success.
func (a *answer) result(t *tool) *sdk.CallToolResult {
	text := a.body.String()
	if a.refused() {
		refusal := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
		for _, name := range [...]string{"WWW-Authenticate", "Retry-After"} { // bodies do not say which scope is wanted, nor when to try again
			if value := a.header.Get(name); value != "" {
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
	if tag := a.header.Get("ETag"); t.tellsTag && tag != "" {
		result.Content = append(result.Content, &sdk.TextContent{Text: "If-Match of a change to this record: " + tag})
	}
	return result
}
