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
	Copier

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
	// Without a default anywhere a new value is zero, which needs no plan at all.
	c := &Codec{Copier: *CompileCopier(base), typ: base, pointer: reflect.PointerTo(base.Go)}
	if !hasDefaults(base) {
		return c, nil
	}
	plans, err := planDefaults(base)
	c.blanks = plans.blanks
	return c, err
}

// Decoder returns the decoder of a view of the struct that the codec's type is or holds. It
// is the same for each call with one view, and kept as long as the codec.
func (c *Codec) Decoder(v *model.View) *Decoder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.decoders[v] == nil {
		if c.decoders == nil {
			c.decoders = map[*model.View]*Decoder{}
		}
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
		if c.encoders == nil {
			c.encoders = map[*model.View]*Encoder{}
		}
		c.encoders[v] = &Encoder{codec: c, view: v}
	}
	return c.encoders[v]
}

// AppendState appends what makes the state of a value as JSON: all of its members, whether
// any answer shows them or not.
func (c *Codec) AppendState(b []byte, value any) ([]byte, error) {
	c.planState.Do(func() { c.state = newEncoders().of(c.typ, model.ViewsOf(c.typ, nil).Whole()) })
	return c.append(b, value, c.state)
}
