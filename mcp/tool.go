package mcp

import (
	"encoding/json"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// tool is an operation as agents see it. Nothing of it changes once it is made.
type tool struct {
	op   *guest.Operation
	told *sdk.Tool

	arguments map[string]*argument // by name
	wrapper   string               // the member that the answer stands in, which is no object; "" for one that is
	pages     bool                 // there may be more than one page
	begins    bool                 // ... which can begin at any record; elsewhere a filter can be called offset
}

// toolsOf makes the tools of operations.
func toolsOf(api *guest.API, operations []*guest.Operation) ([]*tool, error) {
	if err := errors.Join(api.Describe(operations...), api.Write(format.Standard()[0], pageFormat)); err != nil {
		return nil, err
	}
	tools := make([]*tool, len(operations))
	for i, op := range operations {
		t := &tool{op: op, pages: op.Has(cursor), begins: op.Has(offset)}
		input, output := t.takeArguments(), t.answer()
		leaveKnown(input)
		leaveKnown(output)
		t.told = &sdk.Tool{
			Name: op.ID, Title: op.Summary, Description: op.Description, InputSchema: json.RawMessage(input.Whole()), Annotations: t.hints(),
		}
		if op.Deprecated { // which has a field of its own in the document
			t.told.Description += "\n\nDeprecated: it is to go."
		}
		if output != nil {
			t.told.OutputSchema = json.RawMessage(output.Whole())
		}
		tools[i] = t
	}
	return tools, nil
}

// answer returns the schema of structured content. Its root says that it is an object, which
// clients look for there, not behind a reference.
func (t *tool) answer() *schema.Schema {
	of := t.op.Output
	switch {
	case of == nil:
		return nil
	case t.op.Pages:
		page := &schema.Schema{Type: []string{schema.Object}, Required: []string{"items"}, Properties: []schema.Property{{Name: "items", Schema: of}}}
		if t.pages {
			next := schema.Typed(schema.String)
			next.Description = "The argument `cursor` of a call for the next page. Not there on the last one."
			page.Properties = append(page.Properties, schema.Property{Name: "nextCursor", Schema: next})
		}
		return page
	case t.op.OutputIsObject:
		root := *of
		root.Type = []string{schema.Object}
		return &root
	case t.op.OutputLists:
		t.wrapper = "items"
	default:
		t.wrapper = "value"
	}
	return &schema.Schema{Type: []string{schema.Object}, Required: []string{t.wrapper}, Properties: []schema.Property{{Name: t.wrapper, Schema: of}}}
}

// hints tell clients what a call can do, by the kind of the operation. What a handler does beyond
// its record only its author knows, so that the protocol's own guess stands there.
func (t *tool) hints() *sdk.ToolAnnotations {
	op := t.op
	hints := &sdk.ToolAnnotations{ReadOnlyHint: op.Reads, DestructiveHint: new(false), IdempotentHint: op.Kind != operation.KindPost}
	switch {
	case op.Membership != nil:
		*hints.DestructiveHint = op.Kind == operation.KindDelete
	case op.Custom && !op.Reads:
		*hints.DestructiveHint = op.Item || op.Kind != operation.KindPost
		hints.IdempotentHint = op.Kind == operation.KindPut || op.Kind == operation.KindDelete
	case op.Kind == operation.KindPut, op.Kind == operation.KindPatch, op.Kind == operation.KindDelete:
		*hints.DestructiveHint = true // what was there is gone
	}
	if !op.Custom {
		hints.OpenWorldHint = new(false)
	}
	return hints
}

var errPanicked = errors.New("the SDK refuses a tool or a template")
