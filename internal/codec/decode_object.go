package codec

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// objectPlan is the plan of a view of a struct.
type objectPlan struct {
	of      *model.Struct
	members []fieldPlan
	byName  map[string]int // index of a field by its JSON name
	blank   *blank

	suggested []string // the JSON names that messages about unknown fields may mention
}

// fieldPlan is the plan of a field. It holds everything that decoding needs, so that no tag is read per request.
type fieldPlan struct {
	*model.ViewField
	plan

	offset  uintptr
	deepen  walker // nil if a new value shares nothing with others
	patched bool   // a merge patch continues in it
	ruled   bool   // its rules may count an empty value as absent
	sized   bool   // it is empty if it has no elements
}

// structure handles structs.
func (p *planner) structure(t *model.Type, at position, known func(plan)) plan {
	v := at.view()
	o := &objectPlan{of: t.Struct, byName: make(map[string]int, len(v.Fields)), blank: p.blank(t)}
	p.objects = append(p.objects, o)
	made := plan{objectDecoder{o, "an object"}.decode, o}
	known(made)
	o.members = make([]fieldPlan, len(v.Fields))
	for i := range v.Fields {
		m := &v.Fields[i]
		o.members[i] = p.ofField(v, m)
		o.byName[m.Field.Name] = i
	}
	o.suggested = v.Names(func(m *model.ViewField) bool { return m.Writable && !m.Field.Guarded })
	return made
}

func (p *planner) ofField(in *model.View, of *model.ViewField) fieldPlan {
	f := of.Field
	t, kind := f.Type, f.Type.Base().Kind()
	m := fieldPlan{
		ViewField: of, plan: p.field(of, position{in.Merges, in.Removes, of.Inner}), offset: offsetOf(in.Struct.Go, f.Index),
		patched: in.Merges,
		ruled:   !t.Nullable && (len(f.Rules.All) > 0 || f.Rules.OmitEmpty),
		sized:   kind == reflect.Slice || kind == reflect.Map,
	}
	if p.blanks != nil { // otherwise a new value shares nothing
		m.deepen = p.copiers.Of(t, struct{}{})
	}
	return m
}

// reset sets the fields that clients can read and set to their values in blank, or to zero if blank is invalid.
// Other fields keep their values.
func (o *objectPlan) reset(at address, blank reflect.Value) {
	for i := range o.members {
		m := &o.members[i]
		var from reflect.Value
		if blank.IsValid() {
			from = m.Field.Value(blank)
		}
		switch in := plus(at, m.offset); {
		// A replacing Put keeps write-only fields, because a client that has read the record cannot send them back.
		case !m.Writable, !m.Readable, m.Field.CreateOnly:
		case m.object != nil:
			m.object.reset(in, from)
		case !from.IsValid():
			valueAt(in, m.Field.Type.Go).SetZero()
		default:
			valueAt(in, m.Field.Type.Go).Set(from)
			m.deepen.copy(in)
		}
	}
}

// mark is how a body has a field. A set of names is not needed, because the JSON reader rejects duplicates.
type mark uint8

const (
	absent mark = iota
	present
	nulled // null, for a field that the record needs
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
	// All open structs share one slice of marks, each starting at its base, so nested structs do not allocate.
	base := len(d.marks)
	d.marks = append(d.marks, make([]mark, len(o.members))...)
	for d.json.PeekKind() != jsontext.KindEndObject {
		i, set, err := o.find(d)
		if err != nil {
			return false, err
		}
		if !set {
			continue
		}
		m := &o.members[i]
		d.location.ToField(m.Field)
		found, err := m.decode(d, plus(at, m.offset))
		if err != nil {
			return false, err
		}
		d.location.Up()
		d.marks[base+i] = found
	}
	// Only at the end of the object is it known which fields are missing.
	for i, mark := range d.marks[base:] {
		if m := &o.members[i]; !d.stored && (mark == nulled || mark == absent && m.Required) {
			d.require(m.Field)
		}
	}
	d.marks = d.marks[:base]
	_, err := d.json.ReadToken()
	return err == nil, err
}

// find reads a name and returns the index of its field, and whether the body sets it. If not, it skips the value: of an
// unknown field, and of a field that clients cannot set, so that they can send back what they read.
func (o objectDecoder) find(d *decoding) (i int, set bool, err error) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return 0, false, err
	}
	name := d.unquote(raw)
	i, known := o.byName[string(name)]
	switch {
	case !known:
		return 0, false, d.unknown(o.objectPlan, name)
	case !o.members[i].Writable && !d.stored:
		return i, false, d.json.SkipValue()
	}
	return i, true, nil
}

// decode decodes the value of the field.
func (m *fieldPlan) decode(d *decoding, at address) (found mark, err error) {
	switch {
	case d.stored:
		_, err = m.plan.decode(d, at)
		return present, err
	// Null counts as missing for a field that the record needs, so that there is one message for both.
	case m.Needed && d.json.PeekKind() == jsontext.KindNull:
		return nulled, d.json.SkipValue()
	case m.object != nil && m.Field.Default != nil && !m.patched && d.json.PeekKind() == jsontext.KindBeginObject:
		m.object.reset(at, m.object.blank.value) // the body replaces the whole default of the field
	}
	set, err := m.plan.decode(d, at)
	if set && m.ruled {
		// The same values as for omitempty in validate tags.
		if v := valueAt(at, m.Field.Type.Go); v.IsZero() || m.sized && v.Len() == 0 {
			d.NoteEmpty(&d.location)
		}
	}
	return present, err
}
