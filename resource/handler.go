package resource

import (
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// handler compiles the body and the answer of a custom operation.
func (c *compiler) handler(where string, op *compiled.Operation) {
	if isNil(op.Handler) {
		op.Handler = nil
		return
	}
	if !op.Handler.Defined() {
		c.fail(where, "Handler is made of a nil function")
		return
	}
	record, in, out := op.Handler.Types()
	if record != op.Resource.Struct.Go {
		c.fail(where, "Handler is for %s; this resource's records are %s", record, op.Resource.Struct.Go)
	}
	if !isEmpty(in) {
		c.in(where, op, in)
	}
	if !isEmpty(out) {
		c.out(where, op, out)
	}
}

// isEmpty reports whether t is struct{}, which stands for no body and no answer.
func isEmpty(t reflect.Type) bool { return t == reflect.TypeFor[struct{}]() }

func (c *compiler) in(where string, op *compiled.Operation, in reflect.Type) {
	where += fmt.Sprintf(": Handler: In (%s)", in)
	if !op.Kind.TakesBody() {
		c.fail(where, "%s has no body; write struct{}, or declare the operation as a Post", op.Kind)
		return
	}
	if r := op.Resource; in == r.Struct.Go { // whose identifier is what it is in the resource
		op.In = &compiled.Value{Type: &model.Type{Go: in, Kind: model.Object, Struct: r.Struct}, Codec: r.Codec, Checker: r.Checker}
		return
	}
	if op.In = c.ins[in]; op.In != nil {
		return
	}
	op.In = &compiled.Value{} // of a mistaken one: the operation takes a body all the same
	typ, err := model.CompileType(in)
	switch {
	case err != nil:
		c.note(where, err)
	case typ.Kind != model.Object || typ.Nullable:
		c.fail(where, "a body is a JSON object; allowed: a struct")
	default:
		c.linkType(where, typ)
		if value, ok := c.value(where, in, typ.Struct); ok {
			op.In, c.ins[in] = value, value
		}
	}
}

func (c *compiler) out(where string, op *compiled.Operation, out reflect.Type) {
	where += fmt.Sprintf(": Handler: Out (%s)", out)
	if out == op.Resource.Struct.Go || out == reflect.PointerTo(op.Resource.Struct.Go) {
		typ := &model.Type{Go: out, Kind: model.Object, Struct: op.Resource.Struct, Nullable: out.Kind() == reflect.Pointer}
		op.Out = &compiled.Value{Type: typ, Codec: op.Resource.Codec}
		return
	}
	if op.Out = c.outs[out]; op.Out != nil {
		return
	}
	typ, err := model.CompileType(out)
	if err != nil {
		c.note(where, err)
		return
	}
	c.linkType(where, typ)
	encoder, err := codec.Compile(typ)
	if err != nil {
		c.note(where, err)
		return
	}
	op.Out = &compiled.Value{Type: typ, Codec: encoder}
	c.outs[out] = op.Out
}

// processor finds the operation's Processor: its own, else the resource's where the
// operation saves.
func (c *compiler) processor(where string, d definition, m operation.Metadata, op *compiled.Operation) {
	c.checkProcessor(where, m.Processor, d.record)
	switch {
	case !isNil(m.Processor) && !op.Saves():
		c.fail(where, "Processor is set, but the operation saves no record")
	case !isNil(m.Processor):
		op.Processor = m.Processor
	case !isNil(d.defaults.Processor) && op.Saves():
		op.Processor = d.defaults.Processor
	}
}

func (c *compiler) checkProcessor(where string, p operation.Processor, record reflect.Type) {
	switch {
	case isNil(p):
	case !p.Defined():
		c.fail(where, "Processor is made of a nil function")
	case p.Record() != record:
		c.fail(where, "Processor is for %s; this resource's records are %s", p.Record(), record)
	}
}
