package mcp

import (
	"encoding/json"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// tool is an operation as agents see it. Nothing of it changes once it is made.
type tool struct {
	op     *compiled.Operation
	server *httpserve.Server
	format *compiled.Format // of its answers
	told   *sdk.Tool

	arguments   map[string]*argument // by name
	wholeBody   bool                 // the argument body is all of the body, which is no object
	namedInBody bool                 // the body may have the identifier that the path has, too
	wrapper     string               // the member that the answer stands in, which is no object; "" for one that is
	tellsTag    bool                 // answers tell their entity tag, which changes of the record want
}

// toolsOf makes the tools of operations.
func toolsOf(api *compiled.API, operations []*compiled.Operation) ([]*tool, error) {
	schemas, err := describe.New(api)
	if err != nil {
		return nil, err
	}
	formats, err := compiled.Formats([]format.Format{format.Standard()[0], pageFormat}, nil)
	if err != nil {
		return nil, err
	}
	tools := make([]*tool, len(operations))
	inputs, outputs := make([]*schema.Schema, len(operations)), make([]*schema.Schema, len(operations))
	for i, op := range operations {
		t := &tool{op: op, server: httpserve.NewServer(op), format: formats[0], tellsTag: tellsTag(op)}
		if op.Pages {
			t.format = formats[1]
		}
		inputs[i] = t.takeArguments(schemas)
		if op.Answers() {
			outputs[i] = t.answer(schemas)
		}
		tools[i] = t
	}
	// Schemas refer to others by name, so that all are made before any has one.
	if _, err := schemas.Name(); err != nil {
		return nil, err
	}
	for i, t := range tools {
		leaveKnown(inputs[i])
		leaveKnown(outputs[i])
		t.told = &sdk.Tool{
			Name: t.op.ID, Title: describe.Summary(t.op), Description: description(t.op),
			InputSchema: json.RawMessage(inputs[i].Whole()), Annotations: t.hints(),
		}
		if outputs[i] != nil {
			t.told.OutputSchema = json.RawMessage(outputs[i].Whole())
		}
	}
	return tools, nil
}

// description returns the text of an operation, with what has a field of its own in the document.
func description(op *compiled.Operation) string {
	text := describe.Description(op)
	if !op.Lifecycle.Deprecated.IsZero() {
		text += "\n\nDeprecated: it is to go."
	}
	return text
}

// answer returns the schema of structured content. Its root says that it is an object, which
// clients look for there, not behind a reference.
func (t *tool) answer(schemas *describe.Schemas) *schema.Schema {
	of, _ := schemas.Answer(t.op)
	if t.op.Pages {
		page := &schema.Schema{Type: []string{schema.Object}, Required: []string{"items"}, Properties: []schema.Property{{Name: "items", Schema: of}}}
		if t.pages() {
			next := schema.Typed(schema.String)
			next.Description = "The argument `cursor` of a call for the next page. Not there on the last one."
			page.Properties = append(page.Properties, schema.Property{Name: "nextCursor", Schema: next})
		}
		return page
	}
	switch kind := t.op.Out.Type.Kind; {
	case t.op.Lists: // records of which Out is each
		t.wrapper = "items"
	case kind == model.Object, kind == model.Map && !t.op.Out.Type.Nullable:
		root := *of
		root.Type = []string{schema.Object}
		return &root
	case kind.IsList():
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

// tellsTag reports whether the answer shows a record that cannot be changed without its tag.
func tellsTag(op *compiled.Operation) bool {
	if !op.Shows {
		return false
	}
	for _, other := range op.Resource.Operations {
		if other.RequirePrecondition {
			return true
		}
	}
	return false
}

var errPanicked = errors.New("the SDK refuses a tool or a template")
