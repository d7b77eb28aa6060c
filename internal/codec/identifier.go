package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// Integer reads a field of 64 bits from records, without a [reflect.Value] of it: answers of some formats have the
// identifier of each record two or three times. The zero value reads none.
type Integer struct {
	pointer reflect.Type // to a record
	offset  uintptr
}

// IntegerOf returns what reads the identifier of a struct, the zero Integer where that is of another type.
func IntegerOf(s *model.Struct) Integer {
	if len(s.IDs) != 1 || s.ID.Type.Kind != model.Int || s.ID.Type.Nullable || s.ID.Type.Go.Kind() != reflect.Int64 {
		return Integer{}
	}
	return Integer{reflect.PointerTo(s.Go), offsetOf(s.Go, s.ID.Index)}
}

// In returns the field of the record that record points to, false for what is none of them.
func (n Integer) In(record any) (int64, bool) {
	v := reflect.ValueOf(record)
	if n.pointer == nil || !v.IsValid() || v.Type() != n.pointer || v.IsNil() {
		return 0, false
	}
	return *as[int64](addressIn(v).plus(n.offset)), true
}
