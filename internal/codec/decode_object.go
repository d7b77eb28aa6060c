package codec

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// objectPlan is the plan of a view of a struct: its members, and what a new one looks like.
type objectPlan struct {
	of      *model.Struct
	members []memberPlan
	byName  map[string]int // index of a member by its JSON name
	blank   *blank

	suggested []string // the JSON names that messages about unknown fields may mention
}

// memberPlan is the plan of a member.
// What is asked of a member for each body is here, so that no tag is looked at again.
type memberPlan struct {
	*model.ViewField
	plan

	name    string // the field's, at hand
	offset  uintptr
	deepen  cloner // nil where a new value shares nothing with others
	patched bool   // a merge patch goes on in it
	ruled   bool   // has rules that may take an empty value for absent
	sized   bool   // is empty where it has no elements
}

// structure is the case of structs.
func (p *planner) structure(t *model.Type, at position, known func(plan)) plan {
	v := at.view()
	o := &objectPlan{of: t.Struct, byName: make(map[string]int, len(v.Fields)), blank: p.blank(t)}
	p.objects = append(p.objects, o)
	made := plan{objectDecoder{o, "an object"}.decode, o}
	known(made)
	o.members = make([]memberPlan, len(v.Fields))
	for i := range v.Fields {
		m := &v.Fields[i]
		o.members[i] = p.member(v, m)
		o.byName[m.Field.Name] = i
	}
	o.suggested = v.Names(func(m *model.ViewField) bool { return m.Writable && !m.Field.Guarded })
	return made
}

func (p *planner) member(in *model.View, of *model.ViewField) memberPlan {
	f := of.Field
	t, kind := f.Type, f.Type.Base().Kind()
	m := memberPlan{
		ViewField: of, plan: p.field(of, position{in.Merges, in.Removes, of.Inner}), name: f.Name, offset: offsetOf(in.Struct.Go, f.Index),
		patched: in.Merges,
		ruled:   !t.Nullable && (len(f.Rules.All) > 0 || f.Rules.OmitEmpty),
		sized:   kind == reflect.Slice || kind == reflect.Map,
	}
	if p.blanks != nil { // else there is nothing that a new value could share
		m.deepen = p.cloners.Of(t, struct{}{})
	}
	return m
}

// reset gives the members of a struct that clients set, and see, the values that they have in
// blank, zero where that is invalid. All others stay, and so do fields that are no members.
func (o *objectPlan) reset(at address, blank reflect.Value) {
	for i := range o.members {
		m := &o.members[i]
		var from reflect.Value
		if blank.IsValid() {
			from = m.Field.Value(blank)
		}
		switch in := plus(at, m.offset); {
		// Write-only members stay in a replacing Put, for a client that has read the record cannot send
		// them back.
		case !m.Writable, !m.Readable, m.Field.CreateOnly:
		case m.object != nil:
			m.object.reset(in, from)
		case !from.IsValid():
			valueAt(in, m.Field.Type.Go).SetZero()
		default:
			valueAt(in, m.Field.Type.Go).Set(from)
			if m.deepen != nil {
				m.deepen(in, 0)
			}
		}
	}
}

// mark says how a body has a member.
// Marks are kept rather than a set of names: that a member is there twice, the reader of JSON
// tells.
type mark uint8

const (
	absent mark = iota
	present
	nulled // null, for a member that the record needs
)

// objectDecoder decodes structs.
type objectDecoder struct {
	*objectPlan

	want string
}

func (o objectDecoder) decode(d *decoding, at address) (bool, error) {
	if ok, err := d.open(jsontext.KindBeginObject, o.want); !ok {
		return false, err
	}
	// All structs that are open share one slice of marks, each from its base on: nested ones take
	// no allocation, and an error that leaves them behind is cleaned up by the decoding.
	base := len(d.marks)
	d.marks = append(d.marks, make([]mark, len(o.members))...)
	for next := 0; d.json.PeekKind() != jsontext.KindEndObject; next++ {
		i, set, err := o.find(d, next)
		if err != nil {
			return false, err
		}
		if next = i; !set {
			continue
		}
		m := &o.members[i]
		d.trail.ToField(m.Field)
		found, err := m.decode(d, plus(at, m.offset))
		if err != nil {
			return false, err
		}
		d.trail.Up()
		d.marks[base+i] = found
	}
	// At the end of the object, as only then is it known what is not there.
	for i, mark := range d.marks[base:] {
		if m := &o.members[i]; !d.kept && (mark == nulled || mark == absent && m.Required) {
			d.require(m.Field)
		}
	}
	d.marks = d.marks[:base]
	_, err := d.json.ReadToken()
	return err == nil, err
}

// find reads a name and returns the index of its member, and whether the body sets it. If not, its value is passed over: of
// an unknown member, whose index is that before the next one, and of one that clients cannot set, so that what was read can
// be sent back.
func (o objectDecoder) find(d *decoding, next int) (i int, set bool, err error) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return next, false, err
	}
	// Most bodies have the members in the order of the struct, so that the next one is tried before the map.
	name := d.unquote(raw)
	if i = next; next >= len(o.members) || string(name) != o.members[next].name {
		var known bool
		if i, known = o.byName[string(name)]; !known {
			return next - 1, false, d.unknown(o.objectPlan, name)
		}
	}
	if !o.members[i].Writable && !d.kept {
		return i, false, d.json.SkipValue()
	}
	return i, true, nil
}

// decode reads the member's value, which is at the address.
func (m *memberPlan) decode(d *decoding, at address) (found mark, err error) {
	switch {
	case d.kept:
		_, err = m.plan.decode(d, at)
		return present, err
	// A null for what the record needs counts as missing, so that one message tells of both.
	case m.Needed && d.json.PeekKind() == jsontext.KindNull:
		return nulled, d.json.SkipValue()
	case m.object != nil && m.Field.Default != nil && !m.patched && d.json.PeekKind() == jsontext.KindBeginObject:
		m.object.reset(at, m.object.blank.value) // of the field's default nothing is left
	}
	set, err := m.plan.decode(d, at)
	if set && m.ruled {
		// What omitempty of validate tags takes for left out.
		if v := valueAt(at, m.Field.Type.Go); v.IsZero() || m.sized && v.Len() == 0 {
			d.NoteEmpty(&d.trail)
		}
	}
	return present, err
}
