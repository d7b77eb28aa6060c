package codec

import (
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Codec decodes, encodes and copies the values of one type. It is safe for use by many
// goroutines and must not be copied.
type Codec struct {
	goType    reflect.Type // without the pointer
	decoder   decoder
	encode    encoder
	deepen    deepener
	object    *object   // nil for what is not a struct
	decodings sync.Pool // of *decoding
}

// Compile makes the codec of a type; a nullable type has the codec of what it points
// to. Its errors are the fields whose default does not fit their type, one for each,
// joined.
func Compile(t *model.Type) (*Codec, error) {
	base := *t
	base.Go, base.Nullable = t.Base(), false
	plans := newPlanner()
	decoding := plans.element(&base)
	c := &Codec{
		goType:  base.Go,
		decoder: decoding.decoder,
		encode:  encoders{}.of(&base),
		deepen:  plans.deepeners.of(&base),
		object:  decoding.object,
	}
	return c, plans.fillBlanks()
}
