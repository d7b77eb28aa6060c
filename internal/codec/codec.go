// Package codec decodes JSON bodies into records and encodes records as JSON. It follows plans that are made once
// from the compiled model: decoders, an encoder and a copier for each type.
//
// Decoding reads a body once and collects everything that is wrong with it. Paths consist of JSON names, as in
// validator: "address.city" for a field, "tags[1]" for an element, "labels[key]" for an entry of a map.
//
// Encoding writes the same bytes as [json.Marshal] of github.com/go-json-experiment/json with Deterministic,
// without the write-only fields. The only difference: a slice of a named byte type is base64, like []byte.
package codec

import (
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Codec copies the values of one type, and creates the decoders and encoders of its views. It is safe for
// concurrent use and must not be copied. Plans that only requests need are made by the first request, because most
// programs rarely decode some of their types.
type Codec struct {
	copier

	typ     *model.Type // without the pointer
	pointer reflect.Type
	blanks  blanks // nil if no struct has defaults, so new values are zero

	planState sync.Once
	state     encoder // of all fields

	decoders sync.Map // *Decoder by *model.View
	encoders sync.Map // *Encoder by *model.View
}

// Compile returns the codec of a type. A nullable type has the codec of its base type. The error joins one error
// for each field whose default does not fit its type.
func Compile(t *model.Type) (*Codec, error) {
	base := t.NotNull()
	c := &Codec{copier: newCopier(base), typ: base, pointer: reflect.PointerTo(base.Go)}
	// Without defaults, a new value is zero and needs no plan.
	if !hasDefaults(base) {
		return c, nil
	}
	var err error
	c.blanks, err = planDefaults(base)
	return c, err
}

// Decoder returns the decoder of a view of the codec's struct. It returns the same decoder for the same view.
func (c *Codec) Decoder(v *model.View) *Decoder {
	known, ok := c.decoders.Load(v)
	if !ok {
		known, _ = c.decoders.LoadOrStore(v, &Decoder{codec: c, view: v})
	}
	return known.(*Decoder)
}

// Encoder returns the encoder of a view of the codec's struct. It returns the same encoder for the same view. For
// fields that one request chooses, use [Encoder.Narrow].
func (c *Codec) Encoder(v *model.View) *Encoder {
	known, ok := c.encoders.Load(v)
	if !ok {
		known, _ = c.encoders.LoadOrStore(v, &Encoder{codec: c, view: v})
	}
	return known.(*Encoder)
}

// New returns a pointer to a new value with its defaults. It shares no memory with other values.
func (c *Codec) New() any {
	made := reflect.New(c.goType)
	if c.typ.Kind == model.Object && c.blanks != nil {
		c.blanks[c.typ.Struct].fill(made.UnsafePointer())
	}
	return made.Interface()
}

// AppendState appends all fields of a value as JSON, including those that no response shows.
func (c *Codec) AppendState(b []byte, value any) ([]byte, error) {
	c.planState.Do(func() { c.state = newEncoders(false).of(c.typ, model.ViewsOf(c.typ, nil).View(model.AllFields)) })
	return c.append(b, value, c.state)
}
