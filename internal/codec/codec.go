package codec

import (
	"reflect"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Codec decodes, encodes and copies the values of one type. It is safe for use by many
// goroutines and must not be copied. What only requests need is planned by the first of
// them: most programs have types that they seldom decode.
type Codec struct {
	Copier

	typ       *model.Type // without the pointer
	pointer   reflect.Type
	defaults  bool // there are some: new values are not zero
	decode    decodePlan
	encode    encodePlan
	decodings sync.Pool // of *decoding
}

// decodePlan is how a codec decodes.
type decodePlan struct {
	once    sync.Once
	decoder decoder
	scanner scanner // nil where the decoder reads all bodies
	object  *object // nil for what is not a struct
	err     error   // the defaults that do not fit
}

// encodePlan is how a codec encodes.
type encodePlan struct {
	once    sync.Once
	encode  encoder
	members []memberEncoder // nil for what is not a struct
	state   encoder         // of all members; nil where encode is one
}

// Compile makes the codec of a type; a nullable type has the codec of what it points
// to. Its errors are the fields whose default does not fit their type, one for each,
// joined.
func Compile(t *model.Type) (*Codec, error) {
	base := notNull(t)
	c := &Codec{
		Copier:   *CompileCopier(base),
		typ:      base,
		pointer:  reflect.PointerTo(base.Go),
		defaults: hasDefaults(base, map[*model.Struct]bool{}),
	}
	if !c.defaults {
		return c, nil
	}
	return c, c.decoding().err
}

// decoding returns how the codec decodes.
func (c *Codec) decoding() *decodePlan {
	c.decode.once.Do(c.planDecoding)
	return &c.decode
}

func (c *Codec) planDecoding() {
	plans := newPlanner()
	element := plans.element(c.typ)
	c.decode.decoder, c.decode.object = element.decoder, element.object
	if c.typ.Kind == model.Object {
		c.decode.scanner = scanners{map[*model.Struct]*objectScanner{}, plans}.object(c.typ.Struct)
	}
	c.decode.err = plans.fillBlanks()
}

// encoding returns how the codec encodes.
func (c *Codec) encoding() *encodePlan {
	c.encode.once.Do(c.planEncoding)
	return &c.encode
}

func (c *Codec) planEncoding() {
	encoders := newEncoders(false)
	c.encode.encode = encoders.of(c.typ)
	if object := encoders.objects[c.typ.Struct]; object != nil {
		c.encode.members = object.members
	}
	if encoders.hidden {
		c.encode.state = newEncoders(true).of(c.typ)
	}
}

// Select returns a codec that encodes the members of those names and no others. It
// decodes nothing.
func (c *Codec) Select(names []string) *Codec {
	chosen := &objectEncoder{}
	for _, m := range c.encoding().members {
		if slices.Contains(names, m.name) {
			chosen.members = append(chosen.members, m)
		}
	}
	selected := &Codec{Copier: Copier{goType: c.goType}, pointer: c.pointer}
	selected.encode.once.Do(func() { selected.encode.encode = chosen.encode })
	return selected
}
