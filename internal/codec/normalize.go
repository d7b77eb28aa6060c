package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/validation"
)

// Records copies records and normalizes them to what every store can keep: times are UTC in microseconds, without a
// monotonic clock reading, and a zero has no sign. It is safe for concurrent use.
type Records struct {
	copier

	members []normalizedField
}

// normalizedField is a field of a record that may need normalizing.
type normalizedField struct {
	field     *model.Field
	offset    uintptr
	deepen    cloner // nil if all of it is in the record itself
	normalize normalizer
}

// normalizer normalizes a value, which must share nothing. It is nil for a type that needs none. The error says what no
// store can keep, and continues a sentence that begins with the value.
type normalizer func(at address, depth int) error

// CompileRecords returns the Records of a struct.
func CompileRecords(s *model.Struct) *Records {
	cs, ns := newCloners(), newNormalizers()
	whole := &model.Type{Go: s.Go, Kind: model.Object, Struct: s}
	made := &Records{copier: copier{s.Go, cs.Of(whole, struct{}{})}}
	for _, f := range s.Fields {
		if plan := ns.field(f); plan != nil {
			made.members = append(made.members, normalizedField{f, offsetOf(s.Go, f.Index), cs.Of(f.Type, struct{}{}), plan})
		}
	}
	return made
}

// Normalize normalizes the record that a pointer points to. It does not change what the record's pointers, lists
// and maps share with others; it copies it first. The error is a [validation.Violation] for a value that no store
// can keep, unless the field is read-only: then the program has set it, and it is another error.
func (r *Records) Normalize(pointer reflect.Value) error {
	record := pointer.UnsafePointer()
	for i := range r.members {
		m := &r.members[i]
		at := plus(record, m.offset)
		if m.deepen != nil {
			m.deepen(at, 0)
		}
		if err := m.normalize(at, 0); err != nil {
			return m.reject(err)
		}
	}
	return nil
}

// reject returns the error of a value that cannot be stored. It is a violation only if clients can set the field. A
// password that is not hashed is an error of the program, because clients cannot fix it.
func (m *normalizedField) reject(err error) error {
	text := m.field.Name + " " + err.Error()
	if m.field.Writable() && !m.field.Password {
		return validation.Fail(m.field.Name, text)
	}
	return fmt.Errorf("the program has set what no store can keep: %s", text)
}

// normalizers makes the normalizers of types.
type normalizers struct {
	model.Fold[struct{}, normalizer]
}

func newNormalizers() *normalizers {
	ns := &normalizers{}
	ns.Scalar, ns.List, ns.Map, ns.Object, ns.Null = ns.scalar, ns.list, ns.mapping, ns.object, ns.null
	return ns
}

// field returns the normalizer of a field, nil if it needs none.
func (ns *normalizers) field(f *model.Field) normalizer {
	plan, fits := ns.Of(f.Type, struct{}{}), f.FitsIndex()
	switch {
	case f.Password: // clients cannot send what is not hashed
		return func(at address, _ int) error { return passwords.Check(*(*string)(at)) }
	case fits == nil:
		return plan
	}
	return func(at address, depth int) error {
		// The index is checked first: its error is one that the client can fix.
		if err := fits(valueAt(at, f.Type.Go)); err != nil || plan == nil {
			return err
		}
		return plan(at, depth)
	}
}

func (ns *normalizers) scalar(t *model.Type, _ struct{}) normalizer {
	switch {
	case t.Kind == model.Time:
		return normalizeTime
	case t.Kind == model.Float && t.Bits == 32:
		return normalizeFloat[float32]
	case t.Kind == model.Float:
		return normalizeFloat[float64]
	case t.Kind == model.Numeral:
		return normalizeNumeral
	case t.Kind == model.Uint && t.Bits == model.SignedBits:
		return checkUnsigned
	}
	return nil
}

// null handles pointers. A program's records may contain themselves, which the encoder reports; here the recursion
// only has to end.
func (ns *normalizers) null(t *model.Type, at struct{}) normalizer {
	inner := ns.Base(t, at)
	if inner == nil {
		return nil
	}
	return func(at address, depth int) error {
		if target := *(*address)(at); target != nil && depth < maxDepth {
			return inner(target, depth+1)
		}
		return nil
	}
}

// object handles structs. It is nil if no field needs normalizing.
func (ns *normalizers) object(t *model.Type, _ struct{}, known func(normalizer)) normalizer {
	var offsets []uintptr
	var members []normalizer
	all := func(at address, depth int) error {
		for i, member := range members {
			if err := member(plus(at, offsets[i]), depth); err != nil {
				return err
			}
		}
		return nil
	}
	known(all)
	for _, f := range t.Struct.Fields {
		if plan := ns.field(f); plan != nil {
			offsets, members = append(offsets, offsetOf(t.Struct.Go, f.Index)), append(members, plan)
		}
	}
	if members == nil {
		return nil
	}
	return all
}

func (ns *normalizers) list(t *model.Type, at struct{}) normalizer {
	element, size, isArray := ns.Of(t.Elem, at), t.Elem.Go.Size(), t.Kind == model.Array
	if element == nil {
		return nil
	}
	return func(at address, depth int) error {
		first, count := at, t.Len
		if !isArray {
			first, count = elementsAt(at)
		}
		for i := range count {
			if err := element(plus(first, uintptr(i)*size), depth); err != nil {
				return err
			}
		}
		return nil
	}
}

// mapping handles maps, whose entries have no memory address.
func (ns *normalizers) mapping(of *model.Type, at struct{}) normalizer {
	t, value := of.Base(), ns.Of(of.Elem, at)
	if value == nil {
		return nil
	}
	return func(at address, depth int) error {
		v, key := valueAt(at, t), reflect.New(t.Key()).Elem()
		for entries := v.MapRange(); entries.Next(); {
			entry := reflect.New(t.Elem())
			entry.Elem().SetIterValue(entries)
			key.SetIterKey(entries)
			if err := value(entry.UnsafePointer(), depth); err != nil {
				return err
			}
			v.SetMapIndex(key, entry.Elem())
		}
		return nil
	}
}

// badYear is the message for a time that cannot be written, or not in UTC.
const badYear = "must be within the years from 0000 to 9999 in UTC"

// Errors for values that no store can keep.
var (
	errYears    = errors.New(badYear)
	errInfinite = errors.New("must be a finite number")
	errNumeral  = errors.New("must be a number")
	errTooLarge = errors.New("must be at most 9223372036854775807")
)

// normalizeTime makes a time what stores keep. PostgreSQL keeps microseconds; with more precision elsewhere, ETags would
// differ between stores.
func normalizeTime(at address, _ int) error {
	t := (*time.Time)(at)
	if !IsWritable(*t) {
		return errYears
	}
	*t = t.UTC().Truncate(time.Microsecond)
	return nil
}

// -0 equals 0 but is written differently, so one value would have two ETags.
func normalizeFloat[F float32 | float64](at address, _ int) error {
	f := (*F)(at)
	if *f == 0 {
		*f = 0
	}
	if math.IsNaN(float64(*f)) || math.IsInf(float64(*f), 0) {
		return errInfinite
	}
	return nil
}

// Rejected instead of stored as text, which would sort and compare differently.
func checkUnsigned(at address, _ int) error {
	if *(*uint64)(at) > math.MaxInt64 {
		return errTooLarge
	}
	return nil
}

// The zero value is 0 in JSON, so a store that keeps JSON returns it as "0".
func normalizeNumeral(at address, _ int) error {
	number := (*model.Number)(at)
	if *number == "" {
		*number = "0"
	}
	if text := jsontext.Value(*number); text.Kind() != jsontext.KindNumber || !text.IsValid() || !isFinite(text) {
		return errNumeral
	}
	return nil
}
