package codec

import (
	"reflect"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Codec decodes, encodes and copies the values of one type. It is safe for use by many
// goroutines and must not be copied.
type Codec struct {
	Copier

	pointer   reflect.Type // to it
	decoder   decoder
	scanner   scanner // nil where the decoder reads all bodies
	encode    encoder
	members   []memberEncoder // nil for what is not a struct
	state     encoder         // of all members; nil where encode is one
	object    *object         // nil for what is not a struct
	decodings sync.Pool       // of *decoding
}

// Compile makes the codec of a type; a nullable type has the codec of what it points
// to. Its errors are the fields whose default does not fit their type, one for each,
// joined.
func Compile(t *model.Type) (*Codec, error) {
	base := *t
	base.Go, base.Nullable = t.Base(), false
	plans := newPlanner()
	decoding := plans.element(&base)
	encoders := newEncoders(false)
	c := &Codec{
		Copier:  Copier{base.Go, plans.deepeners.of(&base)},
		pointer: reflect.PointerTo(base.Go),
		decoder: decoding.decoder,
		encode:  encoders.of(&base),
		object:  decoding.object,
	}
	if object := encoders.objects[base.Struct]; object != nil {
		c.members = object.members
	}
	if base.Kind == model.Object {
		c.scanner = scanners{map[*model.Struct]*objectScanner{}, plans}.object(base.Struct)
	}
	if encoders.hidden {
		c.state = newEncoders(true).of(&base)
	}
	return c, plans.fillBlanks()
}

// Select returns a codec that encodes the members of those names and no others. It
// decodes nothing.
func (c *Codec) Select(names []string) *Codec {
	chosen := &objectEncoder{}
	for _, m := range c.members {
		if slices.Contains(names, m.name) {
			chosen.members = append(chosen.members, m)
		}
	}
	return &Codec{Copier: Copier{goType: c.goType}, pointer: c.pointer, encode: chosen.encode}
}
