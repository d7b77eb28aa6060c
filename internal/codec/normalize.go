package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Records copies records, and changes them to what stores keep of them, so that every store keeps the same:
// times are UTC to the microsecond, without the reading of a clock, and a zero has no sign.
// It is safe for use by many goroutines.
type Records struct {
	copier

	members []normalizedMember
}

// normalizedMember is a field of a record that can hold what is to be normalized.
type normalizedMember struct {
	*normalizer

	field  *model.Field
	offset uintptr
	deepen cloner // nil where all of it is in the record itself
}

// normalizer is the plan by which values of one type are normalized. It is nil for a type whose values are all
// kept as they are.
// It asks first and changes later, since nearly all records are normalized already: they pay for a
// look, and not for a copy of what they share.
type normalizer struct {
	// keeps reports whether all of a value is kept as it is. The error says what no store
	// can keep, and continues a sentence that begins with the value.
	keeps func(at address, depth int) (bool, error)
	// normalize changes a value, of which nothing is shared.
	normalize func(at address, depth int)
}

// CompileRecords makes what copies and normalizes the records of a struct.
func CompileRecords(s *model.Struct) *Records {
	cs, ns := newCloners(), newNormalizers()
	whole := &model.Type{Go: s.Go, Kind: model.Object, Struct: s}
	made := &Records{copier: copier{s.Go, cs.Of(whole, struct{}{})}}
	for _, f := range s.Fields {
		if plan := ns.field(f); plan != nil {
			made.members = append(made.members, normalizedMember{plan, f, offsetOf(s.Go, f.Index), cs.Of(f.Type, struct{}{})})
		}
	}
	return made
}

// Normalize normalizes the record that a pointer points to. What is behind its own pointers,
// lists and maps stays as it is, for others may have it too: what is to be changed is
// copied. The error is a [validation.Violation] of a value that no store can keep, or says
// that the program has set one in a field that is read-only.
func (r *Records) Normalize(pointer reflect.Value) error {
	record := pointer.UnsafePointer()
	for i := range r.members {
		m := &r.members[i]
		at := plus(record, m.offset)
		switch keeps, err := m.keeps(at, 0); {
		case err != nil:
			return m.refuse(err)
		case keeps:
			continue
		case m.deepen != nil:
			m.deepen(at, 0)
		}
		m.normalize(at, 0)
	}
	return nil
}

// refuse says that a value cannot be kept: to the client, who can send another one, unless
// clients do not set the field.
func (m *normalizedMember) refuse(err error) error {
	text := m.field.Name + " " + err.Error()
	if m.field.Writable() {
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

// field returns the normalizer of a field, nil for one whose values are all kept as they are.
func (ns *normalizers) field(f *model.Field) *normalizer {
	plan, fits := ns.Of(f.Type, struct{}{}), f.FitsIndex()
	switch {
	case fits == nil:
		return plan
	case plan == nil:
		plan = &normalizer{func(address, int) (bool, error) { return true, nil }, func(address, int) {}}
	}
	// The index is asked first: its error is the client's to fix, whatever else is to be normalized.
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
	case t.Kind == model.Uint && t.Bits == model.SignedBits:
		return &normalizer{keepsUnsigned, func(address, int) {}}
	}
	return nil
}

// Records of a program's own may lead back to themselves by pointers, which JSON never does. The
// encoder reports it; here it only must end.
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

// object is the case of structs: nil where nothing in it has to change.
func (ns *normalizers) object(t *model.Type, _ struct{}, known func(*normalizer)) *normalizer {
	var offsets []uintptr
	var members []*normalizer
	made := &normalizer{
		// All members are asked even when one differs, as a later one may be what no store can keep.
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

// mapping is the case of maps, whose entries have no address of their own.
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

// badYear is said of a time that cannot be written, or not in UTC.
const badYear = "must be within the years from 0000 to 9999 in UTC"

// What no store can keep.
var (
	errYears    = errors.New(badYear)
	errInfinite = errors.New("must be a finite number")
	errTooLarge = errors.New("must be at most 9223372036854775807")
)

// keptTime returns what stores keep of a time.
// Microseconds are what PostgreSQL keeps; a store that kept more would answer with another ETag
// after a record has moved to the other.
func keptTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// Equal by ==, not by Equal: a zone or the reading of a clock would be lost by a store.
func keepsTime(at address, _ int) (bool, error) {
	given := *(*time.Time)(at)
	if !IsWritable(given) {
		return false, errYears
	}
	return keptTime(given) == given, nil //nolint:staticcheck // a zone or a clock is a difference
}

func normalizeTime(at address, _ int) {
	t := (*time.Time)(at)
	*t = keptTime(*t)
}

// -0 equals 0 in every comparison, yet is written otherwise: two records with one value would
// have two states.
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

// It is refused rather than kept as text, which would sort and compare otherwise.
func keepsUnsigned(at address, _ int) (bool, error) {
	if *(*uint64)(at) > math.MaxInt64 {
		return false, errTooLarge
	}
	return true, nil
}
