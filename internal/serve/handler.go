package serve

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// newHandler calls the user's handler, and saves the record of the path if the handler changed it.
func newHandler(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares, o.decode = true, decodeIn
	o.savesBy(putRecord)
	o.before = o.beforeHandler()
	if op.Reads {
		return o.reads([]step{
			when(len(op.Parents) > 0, "parents", readParents),
			when(op.Item, "read", readItem),
			{"write", handle},
		})
	}
	return o.writes([]step{
		when(op.TakesBody(), "deserialize", deserialize),
		when(op.TakesBody(), "validate", validateBody),
	}, []step{{"write", handle}})
}

// beforeHandler returns the first function of a HandleAfter, which runs before the transaction; nil for none.
func (o *Operation) beforeHandler() func(ctx context.Context, c *call) error {
	before := o.Handler.Before()
	if before == nil {
		return nil
	}
	return func(ctx context.Context, c *call) error {
		if c.in == nil {
			c.in = o.Handler.NewIn()
		}
		return before(ctx, c.request, c.in)
	}
}

// decodeIn decodes the body of a handler.
func decodeIn(c *call) *codec.Decoder {
	c.in = c.op.In.Codec.New()
	return c.op.In.Decoder
}

// handle calls the handler with the decoded body.
func handle(ctx context.Context, c *call) error {
	if c.in == nil {
		c.in = c.op.Handler.NewIn()
	}
	return c.callHandler(ctx, c.in)
}

// callHandler calls the handler, and saves the record if the handler changed it.
func (c *call) callHandler(ctx context.Context, in any) (err error) {
	o := c.op
	if c.record == nil {
		c.record = reflect.New(o.Resource.Struct.Go).Interface()
	}
	c.out, err = o.Handler.Call(ctx, c.record, in)
	if err == nil && o.Lists {
		// Its records are shown like those of a store, without the fields that the caller may not see.
		var page compiled.Page
		page, err = o.Resource.PageOf(c.out)
		c.items, c.total = page.Items, noTotal
	} else if err == nil && c.isNilObject(c.out) {
		err = errNilOutput
	}
	// An unchanged record is not saved, so that it keeps its version and ETag.
	if err != nil || !o.Saves || reflect.DeepEqual(c.previous, c.record) {
		return err
	}
	if err := c.validateChange(ctx); err != nil {
		return err
	}
	// The rule is checked on the record as the handler has changed it.
	if o.Gate != nil {
		if err := authorizeChange(ctx, c); err != nil {
			return err
		}
	}
	return o.write(ctx, c)
}

// errNilOutput reports a handler that returned nil, although the OpenAPI document promises an object.
var errNilOutput = errors.New("the handler returned a nil pointer without an error")

func (c *call) isNilObject(out any) bool {
	o := c.op
	if o.Output != nil { // out is the record that Output converts
		v := reflect.ValueOf(out)
		return v.Kind() == reflect.Pointer && v.IsNil()
	}
	return o.Out != nil && o.Out.Type.Kind == model.Object && o.Out.Type.Nullable && reflect.ValueOf(out).IsNil()
}
