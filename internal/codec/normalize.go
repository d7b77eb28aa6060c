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
	*normalizer

	field  *model.Field
	offset uintptr
	deepen cloner // nil if all of it is in the record itself
}

// normalizer normalizes values of one type. It is nil for a type that needs none. It checks first and changes
// later, because nearly all records are normal already and then need no copy.
type normalizer struct {
	// keeps reports whether a value is already normal. The error says what no store can keep, and continues a
	// sentence that begins with the value.
	keeps func(at address, depth int) (bool, error)
	// normalize changes a value, which must share nothing.
	normalize func(at address, depth int)
}

// CompileRecords returns the Records of a struct.
func CompileRecords(s *model.Struct) *Records {
	cs, ns := newCloners(), newNormalizers()
	whole := &model.Type{Go: s.Go, Kind: model.Object, Struct: s}
	made := &Records{copier: copier{s.Go, cs.Of(whole, struct{}{})}}
	for _, f := range s.Fields {
		if plan := ns.field(f); plan != nil {
			made.members = append(made.members, normalizedField{plan, f, offsetOf(s.Go, f.Index), cs.Of(f.Type, struct{}{})})
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
		switch keeps, err := m.keeps(at, 0); {
		case err != nil:
			return m.reject(err)
		case keeps:
			continue
		case m.deepen != nil:
			m.deepen(at, 0)
		}
		m.normalize(at, 0)
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
	model.Fold[struct{}, *normalizer]
}

func newNormalizers() *normalizers {
	ns := &normalizers{}
	ns.Scalar, ns.List, ns.Map, ns.Object, ns.Null = ns.scalar, ns.list, ns.mapping, ns.object, ns.null
	return ns
}

// field returns the normalizer of a field, nil if it needs none.
func (ns *normalizers) field(f *model.Field) *normalizer {
	plan, fits := ns.Of(f.Type, struct{}{}), f.FitsIndex()
	switch {
	case f.Password:
		return &normalizer{keepsPassword, func(address, int) {}}
	case fits == nil:
		return plan
	case plan == nil:
		plan = &normalizer{func(address, int) (bool, error) { return true, nil }, func(address, int) {}}
	}
	// The index is checked first: its error is one that the client can fix.
	return &normalizer{func(at address, depth int) (bool, error) {
		if err := fits(valueAt(at, f.Type.Go)); err != nil {
			return false, err
		}
		return plan.keeps(at, depth)
	}, plan.normalize}
}

func (ns *normalizers) scalar(t *model.Type, _ struct{}) *normalizer {
	switch {
	case t.Kind == model.Time:
		return &normalizer{keepsTime, normalizeTime}
	case t.Kind == model.Float && t.Bits == 32:
		return &normalizer{keepsFloat[float32], normalizeFloat[float32]}
	case t.Kind == model.Float:
		return &normalizer{keepsFloat[float64], normalizeFloat[float64]}
	case t.Kind == model.Numeral:
		return &normalizer{keepsNumeral, normalizeNumeral}
	case t.Kind == model.Uint && t.Bits == model.SignedBits:
		return &normalizer{keepsUnsigned, func(address, int) {}}
	}
	return nil
}

// keepsPassword returns an error for a password that is not hashed.
func keepsPassword(at address, _ int) (bool, error) { return true, passwords.Check(*(*string)(at)) }

// null handles pointers. A program's records may contain themselves, which the encoder reports; here the recursion
// only has to end.
func (ns *normalizers) null(t *model.Type, at struct{}) *normalizer {
	inner := ns.Base(t, at)
	if inner == nil {
		return nil
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			if target := *(*address)(at); target != nil && depth < maxDepth {
				return inner.keeps(target, depth+1)
			}
			return true, nil
		},
		func(at address, depth int) {
			if target := *(*address)(at); target != nil && depth < maxDepth {
				inner.normalize(target, depth+1)
			}
		},
	}
}

// object handles structs. It is nil if no field needs normalizing.
func (ns *normalizers) object(t *model.Type, _ struct{}, known func(*normalizer)) *normalizer {
	var offsets []uintptr
	var members []*normalizer
	made := &normalizer{
		// All fields are checked even if one differs, because a later one may be impossible to store.
		func(at address, depth int) (bool, error) {
			all := true
			for i, each := range members {
				keeps, err := each.keeps(plus(at, offsets[i]), depth)
				if err != nil {
					return false, err
				}
				all = all && keeps
			}
			return all, nil
		},
		func(at address, depth int) {
			for i, each := range members {
				each.normalize(plus(at, offsets[i]), depth)
			}
		},
	}
	known(made)
	for _, f := range t.Struct.Fields {
		if plan := ns.field(f); plan != nil {
			offsets, members = append(offsets, offsetOf(t.Struct.Go, f.Index)), append(members, plan)
		}
	}
	if members == nil {
		return nil
	}
	return made
}

func (ns *normalizers) list(t *model.Type, at struct{}) *normalizer {
	element, size := ns.Of(t.Elem, at), t.Elem.Go.Size()
	if element == nil {
		return nil
	}
	elements := elementsAt
	if t.Kind == model.Array {
		elements = func(at address) (address, int) { return at, t.Len }
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			all := true
			first, count := elements(at)
			for i := range count {
				keeps, err := element.keeps(plus(first, uintptr(i)*size), depth)
				if err != nil {
					return false, err
				}
				all = all && keeps
			}
			return all, nil
		},
		func(at address, depth int) {
			first, count := elements(at)
			for i := range count {
				element.normalize(plus(first, uintptr(i)*size), depth)
			}
		},
	}
}

// mapping handles maps, whose entries have no memory address.
func (ns *normalizers) mapping(of *model.Type, at struct{}) *normalizer {
	t, value := of.Base(), ns.Of(of.Elem, at)
	if value == nil {
		return nil
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			all, entry := true, reflect.New(t.Elem())
			for entries := valueAt(at, t).MapRange(); entries.Next(); {
				entry.Elem().SetIterValue(entries)
				keeps, err := value.keeps(entry.UnsafePointer(), depth)
				if err != nil {
					return false, err
				}
				all = all && keeps
			}
			return all, nil
		},
		func(at address, depth int) {
			v, key := valueAt(at, t), reflect.New(t.Key()).Elem()
			for entries := v.MapRange(); entries.Next(); {
				entry := reflect.New(t.Elem())
				entry.Elem().SetIterValue(entries)
				key.SetIterKey(entries)
				value.normalize(entry.UnsafePointer(), depth)
				v.SetMapIndex(key, entry.Elem())
			}
		},
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

// storedTime returns a time as stores keep it. PostgreSQL keeps microseconds; with more precision elsewhere, ETags
// would differ between stores.
func storedTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// Compared with ==, because a store would lose a zone or a clock reading that Equal ignores.
func keepsTime(at address, _ int) (bool, error) {
	given := *(*time.Time)(at)
	if !IsWritable(given) {
		return false, errYears
	}
	return storedTime(given) == given, nil //nolint:staticcheck // a zone or a clock is a difference
}

func normalizeTime(at address, _ int) {
	t := (*time.Time)(at)
	*t = storedTime(*t)
}

// -0 equals 0 but is written differently, so one value would have two ETags.
func keepsFloat[F float32 | float64](at address, _ int) (bool, error) {
	f := float64(*(*F)(at))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return false, errInfinite
	}
	return f != 0 || !math.Signbit(f), nil
}

func normalizeFloat[F float32 | float64](at address, _ int) {
	if f := (*F)(at); *f == 0 {
		*f = 0
	}
}

// Rejected instead of stored as text, which would sort and compare differently.
func keepsUnsigned(at address, _ int) (bool, error) {
	if *(*uint64)(at) > math.MaxInt64 {
		return false, errTooLarge
	}
	return true, nil
}

// The zero value is 0 in JSON, so a store that keeps JSON returns it as "0".
func keepsNumeral(at address, _ int) (bool, error) {
	number := *(*model.Number)(at)
	if number == "" {
		return false, nil
	}
	if text := jsontext.Value(number); text.Kind() != jsontext.KindNumber || !text.IsValid() || !isFinite(text) {
		return false, errNumeral
	}
	return true, nil
}

func normalizeNumeral(at address, _ int) {
	if number := (*model.Number)(at); *number == "" {
		*number = "0"
	}
}
