package codec

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// Kept writes and reads the values of one type as a store keeps them in a document: JSON
// that is read as it was written. It has all members, whoever may see or set them, and tells
// nil lists, maps and bytes (null) from empty ones. Values of types that marshal themselves
// are left out where they are zero, for such a type need not read what it writes of its zero
// value. It is safe for use by many goroutines; it is planned by its first use.
type Kept struct {
	typ       *model.Type // without the pointer
	once      sync.Once
	encode    encoder
	decoder   decoder
	decodings sync.Pool // of *decoding
}

// CompileKept makes the codec of a type as stores keep it; that of a nullable type is of
// what it points to.
func CompileKept(t *model.Type) *Kept { return &Kept{typ: t.NotNull()} }

func (k *Kept) plan() {
	whole, encoders := model.ViewsOf(k.typ, nil).Whole(), newEncoders()
	// Whole views: what clients see must not decide what is kept, or a member that is hidden would be
	// lost with the next save.
	encoders.kept = true
	plans := newPlanner(nil)
	plans.kept = true
	k.encode, k.decoder = encoders.of(k.typ, whole), plans.base(k.typ, position{inner: whole})
}

// Append appends a value to b. The error is of a value that JSON has no form for.
func (k *Kept) Append(b []byte, v reflect.Value) ([]byte, error) {
	k.once.Do(k.plan)
	if !v.CanAddr() {
		made := reflect.New(k.typ.Go).Elem()
		made.Set(v)
		v = made
	}
	b, err := k.encode(b, addressIn(v.Addr()), 0)
	if err != nil {
		return b, fmt.Errorf("codec: %w", err)
	}
	return b, nil
}

// Read reads text, which Append has written, onto a value that is zero. Members that the
// type does not have are passed over. The error says where the text does not fit, and
// repeats nothing of it.
func (k *Kept) Read(text []byte, v reflect.Value) error {
	k.once.Do(k.plan)
	d, ok := k.decodings.Get().(*decoding)
	if !ok {
		d = new(decoding)
	}
	d.begin(text, "")
	d.kept = true
	_, err := k.decoder.decode(d, v)
	decoded := d.result()
	d.end()
	d.marks = d.marks[:0] // which an error leaves behind
	k.decodings.Put(d)
	switch {
	case err != nil:
		return errors.New("codec: what is kept is not well-formed JSON")
	case len(decoded.Violations) > 0:
		return fmt.Errorf("codec: what is kept does not fit: %w", decoded.Violations[0].Violation)
	}
	return nil
}

// keptNil reads the null that is kept of a nil list, map or bytes, if it is next.
func (d *decoding) keptNil(v reflect.Value) (bool, error) {
	if !d.kept || d.json.PeekKind() != jsontext.KindNull {
		return false, nil
	}
	v.SetZero()
	return true, d.json.SkipValue()
}

// orNil returns the encoder of a type that is not behind a pointer, where null stands for
// what is nil.
func orNil(t *model.Type, base encoder) encoder {
	var isNil func(at address) bool
	switch t.Kind {
	case model.List, model.Bytes:
		isNil = func(at address) bool { return *as[[]struct{}](at) == nil }
	case model.Map:
		isNil = func(at address) bool { return at.target().isNil() }
	default:
		return base
	}
	return func(b []byte, at address, depth int) ([]byte, error) {
		if isNil(at) {
			return append(b, "null"...), nil
		}
		return base(b, at, depth)
	}
}

// isUnkept returns whether a value is left out of what is kept, nil for a type of which all
// are in it.
func isUnkept(t *model.Type) func(at address) bool {
	if t.Nullable || t.Kind != model.Custom && t.Kind != model.Text && t.Kind != model.Key {
		return nil
	}
	return func(at address) bool { return at.value(t.Go).IsZero() }
}
