package mcp

import (
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// tool is an operation for agents. It does not change after toolsOf.
type tool struct {
	op     *invoke.Operation
	listed *sdk.Tool

	arguments map[string]*argument // by name
	variables []string             // the names of arguments for variables of the path
	wrapper   string               // the field around a response that is not an object; "" for an object
	pages     bool                 // the response can have several pages
	begins    bool                 // offset selects the first record; otherwise a filter may have that name
}

// toolsOf returns the tools for operations.
func toolsOf(api *invoke.API, operations []*invoke.Operation) ([]*tool, error) {
	if err := errors.Join(api.Describe(false, operations...), api.Write(format.Standard()[0], pageFormat)); err != nil {
		return nil, err
	}
	tools := make([]*tool, len(operations))
	for i, op := range operations {
		tools[i] = toolOf(op)
	}
	return tools, nil
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
