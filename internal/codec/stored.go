package codec

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Stored writes and reads values as JSON for stores, without loss. It has all fields, regardless of views, and
// distinguishes nil lists, maps and byte slices (null) from empty ones. Zero values of types that marshal
// themselves are left out, because such a type may not be able to read them. It is safe for concurrent use. Its
// first use makes the plan.
type Stored struct {
	typ       *model.Type // without the pointer
	once      sync.Once
	encode    encoder
	decode    decoder
	decodings sync.Pool // of *decoding
}

// CompileStored returns the codec for stores of a type. A nullable type has that of its base type.
func CompileStored(t *model.Type) *Stored { return &Stored{typ: t.NotNull()} }

func (k *Stored) plan() {
	// Views of all fields, because a field hidden from clients must still be stored.
	whole, plans := model.ViewsOf(k.typ, nil).View(model.AllFields), newPlanner(nil)
	plans.stored = true
	k.encode, k.decode = newEncoders(true).of(k.typ, whole), plans.Of(k.typ, position{inner: whole}).decode
}

// Append appends a value to b. It returns an error for a value that has no JSON form.
func (k *Stored) Append(b []byte, v reflect.Value) ([]byte, error) {
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

// Read reads text that Append wrote into a zero value. Fields that the type does not have are ignored. The error
// says where the text does not fit, without repeating it.
func (k *Stored) Read(text []byte, v reflect.Value) error {
	k.once.Do(k.plan)
	d, ok := k.decodings.Get().(*decoding)
	if !ok {
		d = new(decoding)
	}
	d.begin(text, "")
	d.stored = true
	_, err := k.decode(d, v.Addr().UnsafePointer())
	decoded := d.end()
	k.decodings.Put(d)
	switch {
	case err != nil:
		return errors.New("codec: the stored text is not well-formed JSON")
	case len(decoded.Violations) > 0:
		return fmt.Errorf("codec: the stored text does not fit the type: %w", decoded.Violations[0].Violation)
	}
	return nil
}
