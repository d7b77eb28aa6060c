package codec

import (
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Normalizer changes records to what stores keep of them, so that every store keeps the same:
// times are UTC to the microsecond, without the reading of a clock, and a zero has no sign.
// It is safe for use by many goroutines.
type Normalizer struct {
	members []normalizedMember
}

// normalizedMember is a field of a record that can hold what is to be normalized.
type normalizedMember struct {
	field  *model.Field
	offset uintptr
	normalizer
	deepen cloner // nil where all of it is in the record itself
}

// normalizer is the plan by which values of one type are normalized.
// It asks first and changes later, since nearly all records are normalized already: they pay for a
// look, and not for a copy of what they share.
type normalizer struct {
	// keeps reports whether all of a value is kept as it is. The error says what no store
	// can keep, and continues a sentence that begins with the value.
	keeps func(at address, depth int) (bool, error)
	// normalize changes a value, of which nothing is shared.
	normalize func(at address, depth int)
}

// CompileNormalizer makes the normalizer of the records of a struct.
func CompileNormalizer(s *model.Struct) *Normalizer {
	made, plans, cloners := &Normalizer{}, normalizers{}, cloners{}
	for _, f := range s.Fields {
		if plan := plans.field(f); plan != nil {
			made.members = append(made.members, normalizedMember{f, offsetOf(s.Go, f.Index), *plan, cloners.of(f.Type)})
		}
	}
	return made
}

// Normalize normalizes the record that a pointer points to. What is behind its own pointers,
// lists and maps stays as it is, for others may have it too: what is to be changed is
// copied. The error is a [validation.Violation] of a value that no store can keep, or says
// that the program has set one in a field that is read-only.
func (s *Normalizer) Normalize(pointer reflect.Value) error {
	record := addressIn(pointer)
	for i := range s.members {
		m := &s.members[i]
		at := record.plus(m.offset)
		keeps, err := m.keeps(at, 0)
		if err != nil {
			return m.refuse(err)
		}
		if !keeps {
			m.deepen.next(at, -1)
			m.normalize(at, 0)
		}
	}
	return nil
}

// refuse says that a value cannot be kept: to the client, who can send another one, unless
// the field is none of his.
func (m *normalizedMember) refuse(err error) error {
	text := m.field.Name + " " + err.Error()
	if m.field.Writable() {
		return validation.Fail(m.field.Name, text)
	}
	return fmt.Errorf("the program has set what no store can keep: %s", text)
}

// normalizers holds the normalizers of structs, so that recursive types end.
type normalizers map[*model.Struct]*objectNormalizer

// field returns the normalizer of a field, nil for one whose values are all kept as they are.
func (ss normalizers) field(f *model.Field) *normalizer {
	plan, fits := ss.of(f.Type), fitsIndex(f)
	switch {
	case fits == nil:
		return plan
	case plan == nil:
		plan = &normalizer{func(address, int) (bool, error) { return true, nil }, func(address, int) {}}
	}
	// The index is asked first: its error is the client's to mend, whatever else is to be normalized.
	return &normalizer{func(at address, depth int) (bool, error) {
		if err := fits(at); err != nil {
			return false, err
		}
		return plan.keeps(at, depth)
	}, plan.normalize}
}

// of returns the normalizer of a type, nil for one whose values are all kept as they are.
func (ss normalizers) of(t *model.Type) *normalizer {
	inner := ss.base(t)
	if inner == nil || !t.Nullable {
		return inner
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			// Records of a program's own may lead back to themselves by pointers, which JSON never does. The
			// encoder tells of it; here it only must end.
			if at.target().isNil() || depth >= maxDepth {
				return true, nil
			}
			return inner.keeps(at.target(), depth+1)
		},
		func(at address, depth int) {
			if !at.target().isNil() && depth < maxDepth {
				inner.normalize(at.target(), depth+1)
			}
		},
	}
}

// base returns the normalizer of a type but for its pointer.
func (ss normalizers) base(t *model.Type) *normalizer {
	switch t.Kind {
	case model.Time:
		return &normalizer{keepsTime, normalizeTime}
	case model.Float:
		return normalizerOfFloat(t.Bits)
	case model.Uint:
		if t.Bits == model.SignedBits {
			return &normalizer{keepsUnsigned, func(address, int) {}}
		}
	case model.Object:
		return ss.object(t.Struct)
	case model.List:
		return normalizerOfRun(t.Elem.Go.Size(), ss.of(t.Elem), address.elements)
	case model.Array:
		return normalizerOfRun(t.Elem.Go.Size(), ss.of(t.Elem), func(at address) (address, int) { return at, t.Len })
	case model.Map:
		return normalizerOfMap(t.Base(), ss.of(t.Elem))
	}
	return nil
}

// objectNormalizer normalizes the members of a struct.
type objectNormalizer struct {
	offsets     []uintptr
	normalizers []*normalizer
}

// A struct that leads to itself is entered first, and left out again if nothing in it has to
// change.
func (ss normalizers) object(s *model.Struct) *normalizer {
	o, met := ss[s]
	if !met {
		o = &objectNormalizer{}
		ss[s] = o
		for _, f := range s.Fields {
			if plan := ss.field(f); plan != nil {
				o.offsets, o.normalizers = append(o.offsets, offsetOf(s.Go, f.Index)), append(o.normalizers, plan)
			}
		}
		if o.normalizers == nil {
			ss[s] = nil
		}
	}
	if ss[s] == nil {
		return nil
	}
	return &normalizer{o.keeps, o.normalize}
}

// All members are asked even when one differs, as a later one may be what no store can keep.
func (o *objectNormalizer) keeps(at address, depth int) (bool, error) {
	all := true
	for i, each := range o.normalizers {
		keeps, err := each.keeps(at.plus(o.offsets[i]), depth)
		if err != nil {
			return false, err
		}
		all = all && keeps
	}
	return all, nil
}

func (o *objectNormalizer) normalize(at address, depth int) {
	for i, each := range o.normalizers {
		each.normalize(at.plus(o.offsets[i]), depth)
	}
}

// normalizerOfRun returns the normalizer of elements of a size that stand in a row.
func normalizerOfRun(size uintptr, element *normalizer, elements func(address) (address, int)) *normalizer {
	if element == nil {
		return nil
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			all := true
			first, count := elements(at)
			for i := range count {
				keeps, err := element.keeps(first.plus(uintptr(i)*size), depth)
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
				element.normalize(first.plus(uintptr(i)*size), depth)
			}
		},
	}
}

// normalizerOfMap returns the normalizer of a map, whose entries have no address of their own.
func normalizerOfMap(t reflect.Type, value *normalizer) *normalizer {
	if value == nil {
		return nil
	}
	return &normalizer{
		func(at address, depth int) (bool, error) {
			all, entry := true, reflect.New(t.Elem())
			for entries := at.value(t).MapRange(); entries.Next(); {
				entry.Elem().SetIterValue(entries)
				keeps, err := value.keeps(addressIn(entry), depth)
				if err != nil {
					return false, err
				}
				all = all && keeps
			}
			return all, nil
		},
		func(at address, depth int) {
			v, key := at.value(t), reflect.New(t.Key()).Elem()
			for entries := v.MapRange(); entries.Next(); {
				entry := reflect.New(t.Elem())
				entry.Elem().SetIterValue(entries)
				key.SetIterKey(entries)
				value.normalize(addressIn(entry), depth)
				v.SetMapIndex(key, entry.Elem())
			}
		},
	}
}
