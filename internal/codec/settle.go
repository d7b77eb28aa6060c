package codec

import (
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Settler changes records to what stores keep of them, so that every store keeps the same:
// times are UTC to the microsecond, without the reading of a clock, and a zero has no sign.
// It is safe for use by many goroutines.
type Settler struct {
	members []settledMember
}

// settledMember is a field of a record that can hold what is to be settled.
type settledMember struct {
	field  *model.Field
	offset uintptr
	settler
	deepen cloner // nil where all of it is in the record itself
}

// It asks first and changes later, since nearly all records are settled already: they pay for a
// look, and not for a copy of what they share.
// settler is the plan by which values of one type are settled.
type settler struct {
	// keeps reports whether all of a value is kept as it is. The error says what no store
	// can keep, and continues a sentence that begins with the value.
	keeps func(at address, depth int) (bool, error)
	// settle changes a value, of which nothing is shared.
	settle func(at address, depth int)
}

// CompileSettler makes the settler of the records of a struct.
func CompileSettler(s *model.Struct) *Settler {
	made, settlers, cloners := &Settler{}, settlers{}, cloners{}
	for _, f := range s.Fields {
		if plan := settlers.field(f); plan != nil {
			made.members = append(made.members, settledMember{f, offsetOf(s.Go, f.Index), *plan, cloners.of(f.Type)})
		}
	}
	return made
}

// Settle settles the record that a pointer points to. What is behind its own pointers,
// lists and maps stays as it is, for others may have it too: what is to be changed is
// copied. The error is a [validation.Violation] of a value that no store can keep, or says
// that the program has set one in a field that is read-only.
func (s *Settler) Settle(pointer reflect.Value) error {
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
			m.settle(at, 0)
		}
	}
	return nil
}

// refuse says that a value cannot be kept: to the client, who can send another one, unless
// the field is none of his.
func (m *settledMember) refuse(err error) error {
	text := m.field.Name + " " + err.Error()
	if m.field.Writable() {
		return validation.Fail(m.field.Name, text)
	}
	return fmt.Errorf("the program has set what no store can keep: %s", text)
}

// settlers holds the settlers of structs, so that recursive types end.
type settlers map[*model.Struct]*objectSettler

// field returns the settler of a field, nil for one whose values are all kept as they are.
func (ss settlers) field(f *model.Field) *settler {
	plan, fits := ss.of(f.Type), fitsIndex(f)
	switch {
	case fits == nil:
		return plan
	case plan == nil:
		plan = &settler{func(address, int) (bool, error) { return true, nil }, func(address, int) {}}
	}
	// The index is asked first: its error is the client's to mend, whatever else is to be settled.
	return &settler{func(at address, depth int) (bool, error) {
		if err := fits(at); err != nil {
			return false, err
		}
		return plan.keeps(at, depth)
	}, plan.settle}
}

// of returns the settler of a type, nil for one whose values are all kept as they are.
func (ss settlers) of(t *model.Type) *settler {
	inner := ss.base(t)
	if inner == nil || !t.Nullable {
		return inner
	}
	return &settler{
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
				inner.settle(at.target(), depth+1)
			}
		},
	}
}

// base returns the settler of a type but for its pointer.
func (ss settlers) base(t *model.Type) *settler {
	switch t.Kind {
	case model.Time:
		return &settler{keepsTime, settleTime}
	case model.Float:
		return settlerOfFloat(t.Bits)
	case model.Uint:
		if t.Bits == model.SignedBits {
			return &settler{keepsUnsigned, func(address, int) {}}
		}
	case model.Object:
		return ss.object(t.Struct)
	case model.List:
		return settlerOfRun(t.Elem.Go.Size(), ss.of(t.Elem), address.elements)
	case model.Array:
		return settlerOfRun(t.Elem.Go.Size(), ss.of(t.Elem), func(at address) (address, int) { return at, t.Len })
	case model.Map:
		return settlerOfMap(t.Base(), ss.of(t.Elem))
	}
	return nil
}

// objectSettler settles the members of a struct.
type objectSettler struct {
	offsets  []uintptr
	settlers []*settler
}

func (ss settlers) object(s *model.Struct) *settler {
	o, met := ss[s]
	if !met {
		o = &objectSettler{}
		ss[s] = o
		for _, f := range s.Fields {
			if plan := ss.field(f); plan != nil {
				o.offsets, o.settlers = append(o.offsets, offsetOf(s.Go, f.Index)), append(o.settlers, plan)
			}
		}
		if o.settlers == nil {
			ss[s] = nil
		}
	}
	if ss[s] == nil {
		return nil
	}
	return &settler{o.keeps, o.settle}
}

func (o *objectSettler) keeps(at address, depth int) (bool, error) {
	all := true
	for i, each := range o.settlers {
		keeps, err := each.keeps(at.plus(o.offsets[i]), depth)
		if err != nil {
			return false, err
		}
		all = all && keeps
	}
	return all, nil
}

func (o *objectSettler) settle(at address, depth int) {
	for i, each := range o.settlers {
		each.settle(at.plus(o.offsets[i]), depth)
	}
}

// settlerOfRun returns the settler of elements of a size that stand in a row.
func settlerOfRun(size uintptr, element *settler, elements func(address) (address, int)) *settler {
	if element == nil {
		return nil
	}
	return &settler{
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
				element.settle(first.plus(uintptr(i)*size), depth)
			}
		},
	}
}

// settlerOfMap returns the settler of a map, whose entries have no address of their own.
func settlerOfMap(t reflect.Type, value *settler) *settler {
	if value == nil {
		return nil
	}
	return &settler{
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
				value.settle(addressIn(entry), depth)
				v.SetMapIndex(key, entry.Elem())
			}
		},
	}
}
