package codec

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

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
	decode    decoder
	decodings sync.Pool // of *decoding
}

// CompileKept makes the codec of a type as stores keep it; that of a nullable type is of
// what it points to.
func CompileKept(t *model.Type) *Kept { return &Kept{typ: t.NotNull()} }

func (k *Kept) plan() {
	// Whole views: what clients see must not decide what is kept, or a member that is hidden would be
	// lost with the next save.
	whole, plans := model.ViewsOf(k.typ, nil).Whole(), newPlanner(nil)
	plans.kept = true
	k.encode, k.decode = newEncoders(true).of(k.typ, whole), plans.Of(k.typ, position{inner: whole}).decode
}

// Append appends a value to b. The error is of a value that JSON has no form for.
func (k *Kept) Append(b []byte, v reflect.Value) ([]byte, error) {
	k.once.Do(k.plan)
	if !v.CanAddr() {
		made := reflect.New(k.typ.Go).Elem()
		made.Set(v)
		v = made
	}
	b, err := k.encode(b, v.Addr().UnsafePointer(), 0)
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
	_, err := k.decode(d, v.Addr().UnsafePointer())
	decoded := d.end()
	k.decodings.Put(d)
	switch {
	case err != nil:
		return errors.New("codec: what is kept is not well-formed JSON")
	case len(decoded.Violations) > 0:
		return fmt.Errorf("codec: what is kept does not fit: %w", decoded.Violations[0].Violation)
	}
	return nil
}
