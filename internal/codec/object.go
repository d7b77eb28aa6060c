package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// object is the plan of a struct: its members, and what a new one looks like.
type object struct {
	goType   reflect.Type
	members  []member
	byName   map[string]int // index of a member by its JSON name
	writable []string       // the JSON names that clients may use
	blank    reflect.Value  // a struct with its defaults; see fillBlank
	plain    bool           // the blank is zero
	deepen   deepener
}

// member is the plan of a field.
type member struct {
	field   *model.Field
	decoder decoder
	object  *object // its struct, if it is one and no pointer
	deepen  deepener
	ruled   bool // has rules that may take an empty value for absent
}

// structOf returns the plan of the struct that a type is or points to, nil for other
// types.
func (p *planner) structOf(t *model.Type) *object {
	if t.Kind != model.Object {
		return nil
	}
	if o, ok := p.objects[t.Struct]; ok {
		return o
	}
	o := &object{goType: t.Struct.Go, byName: map[string]int{}, deepen: p.deepeners.object(t.Struct)}
	p.objects[t.Struct] = o
	p.order = append(p.order, o)
	for i, f := range t.Struct.Fields {
		o.members = append(o.members, p.member(f))
		o.byName[f.Name] = i
		if f.Writable() {
			o.writable = append(o.writable, f.Name)
		}
	}
	return o
}

func (p *planner) member(f *model.Field) member {
	m := member{
		field:   f,
		decoder: p.field(f),
		deepen:  p.deepeners.of(f.Type),
		ruled:   !f.Type.Nullable && (len(f.Rules.All) > 0 || f.Rules.OmitEmpty),
	}
	if !f.Type.Nullable {
		m.object = p.structOf(f.Type)
	}
	return m
}

// fill makes v a new struct with its defaults.
func (o *object) fill(v reflect.Value) {
	v.Set(o.blank)
	o.deepen.run(v)
}

// begin is fill for v that is zero.
func (o *object) begin(v reflect.Value) {
	if !o.plain {
		o.fill(v)
	}
}

// reset gives the members of v that clients set, and show, the values that they have in
// blank. Read-only and write-only members stay, and so do fields that are no members.
func (o *object) reset(v, blank reflect.Value) {
	for i := range o.members {
		m := &o.members[i]
		at, from := m.field.Value(v), m.field.Value(blank)
		switch {
		case m.field.ReadOnly, m.field.WriteOnly:
		case m.object != nil:
			m.object.reset(at, from)
		default:
			at.Set(from)
			m.deepen.run(at)
		}
	}
}
