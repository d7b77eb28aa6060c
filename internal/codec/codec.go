// Package codec turns JSON bodies into records and records into JSON, by plans made
// once from the compiled model: decoders, an encoder and a copier for each type.
//
// Decoding reads a body once and collects everything that is wrong with it. Paths are
// by JSON names: "address.city" for a member, "tags[1]" for an element, "labels[key]"
// for an entry of a map, as validator writes them.
//
// Encoding writes what [json.Marshal] of github.com/go-json-experiment/json writes
// with Deterministic, byte for byte, less the write-only members. It differs in one
// thing: a slice of a named byte type is base64, like []byte.
package codec

import (
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Codec copies the values of one type, and makes the decoders and encoders of views of it. It
// is safe for use by many goroutines and must not be copied. What only requests need is
// planned by the first of them: most programs have types that they seldom decode.
type Codec struct {
	copier

	typ     *model.Type // without the pointer
	pointer reflect.Type
	blanks  blanks // nil where no struct has defaults: new values are zero

	planState sync.Once
	state     encoder // of all members

	mutex    sync.Mutex
	decoders map[*model.View]*Decoder
	encoders map[*model.View]*Encoder
}

// Compile makes the codec of a type; a nullable type has the codec of what it points
// to. Its errors are the fields whose default does not fit their type, one for each,
// joined.
func Compile(t *model.Type) (*Codec, error) {
	base := t.NotNull()
	c := &Codec{
		copier: newCopier(base), typ: base, pointer: reflect.PointerTo(base.Go),
		decoders: map[*model.View]*Decoder{}, encoders: map[*model.View]*Encoder{},
	}
	// Without a default anywhere a new value is zero, which needs no plan at all.
	if !hasDefaults(base) {
		return c, nil
	}
	var err error
	c.blanks, err = planDefaults(base)
	return c, err
}

// Decoder returns the decoder of a view of the struct that the codec's type is or holds. It
// is the same for each call with one view, and kept as long as the codec.
func (c *Codec) Decoder(v *model.View) *Decoder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.decoders[v] == nil {
		c.decoders[v] = &Decoder{codec: c, view: v}
	}
	return c.decoders[v]
}

// Encoder returns the encoder of a view of the struct that the codec's type is or holds. It
// is the same for each call with one view, and kept as long as the codec; what is chosen for
// one request is narrowed: [Encoder.Narrow].
func (c *Codec) Encoder(v *model.View) *Encoder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.encoders[v] == nil {
		c.encoders[v] = &Encoder{codec: c, view: v}
	}
	return c.encoders[v]
}

// New returns a pointer to a new value that has its defaults. It shares no memory with
// other new values.
func (c *Codec) New() any {
	made := reflect.New(c.goType)
	if c.typ.Kind == model.Object && c.blanks != nil {
		c.blanks[c.typ.Struct].fill(made.UnsafePointer())
	}
	return made.Interface()
}

// AppendState appends what makes the state of a value as JSON: all of its members, whether
// any response shows them or not.
func (c *Codec) AppendState(b []byte, value any) ([]byte, error) {
	c.planState.Do(func() { c.state = newEncoders(false).of(c.typ, model.ViewsOf(c.typ, nil).Whole()) })
	return c.append(b, value, c.state)
}
