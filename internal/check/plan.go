package check

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// object is a struct whose rules are compiled, in the order of its fields.
type object struct {
	model   *model.Struct
	members []member // those that have something to check
}

// member is a field of a struct.
type member struct {
	field   *model.Field
	index   int    // of a field of the struct itself; -1 for a promoted one
	value   *value // nil where validator judges the field
	foreign bool   // validator judges the field, with all that is in it
	maps    bool   // there are maps in what is validator's
}

// of returns the field in a struct.
func (m *member) of(v reflect.Value) reflect.Value {
	if m.index >= 0 {
		return v.Field(m.index)
	}
	return m.field.Value(v)
}

// member returns the member of a field, or nil where it has nothing to check.
func (o *object) member(f *model.Field) *member {
	for i := range o.members {
		if o.members[i].field == f {
			return &o.members[i]
		}
	}
	return nil
}

// value is a field, an element or a map's key, with its rules.
type value struct {
	kind     model.Kind
	nullable bool
	absence  absence
	rules    []rule
	object   *object // of a struct
	elem     *value  // of each element; nil where there is nothing to check
	keys     *value  // of a map's keys; nil likewise
}

// absence is which values are let pass unseen.
type absence int

const (
	never      absence = iota
	null               // null, behind a pointer
	empty              // null, and an empty list or map behind a pointer
	notInABody         // empty, unless it is of a field that the body has
)

// planner compiles the rules of structs, each once.
type planner struct {
	compiler *Compiler
	objects  map[*model.Struct]*object
}

func (p *planner) object(s *model.Struct) *object {
	if o := p.objects[s]; o != nil {
		return o
	}
	o := &object{model: s, members: make([]member, 0, len(s.Fields))}
	p.objects[s] = o
	for _, f := range s.Fields {
		if f.Rules.Skip {
			continue
		}
		m := member{field: f, index: -1}
		if len(f.Index) == 1 {
			m.index = f.Index[0]
		}
		at := place{owner: s, field: f, typ: f.Type, rules: f.Rules, readOnly: f.ReadOnly}
		if m.foreign = p.foreign(s, f); !m.foreign {
			m.value = p.value(at, f.Rules, f.Type, true)
		}
		if m.foreign || m.value != nil {
			o.members = append(o.members, m)
		}
	}
	return o
}

// value compiles a value, or returns nil where it has nothing to check. A field of a
// struct is one that a body can have.
func (p *planner) value(at place, rules validation.Rules, t *model.Type, isField bool) *value {
	v := &value{kind: t.Kind, nullable: t.Nullable, absence: absenceOf(rules, t)}
	p.rules(v, at, rules, t, isField)
	switch {
	case t.Kind == model.Object:
		v.object = p.object(t.Struct)
	case t.Elem != nil && (rules.Elem != nil || holdsStructs(t.Elem)):
		p.elements(v, at, rules, t)
	}
	if v.rules == nil && v.object == nil && v.elem == nil && v.keys == nil {
		return nil
	}
	return v
}

// rules compiles the rules of a value.
func (p *planner) rules(v *value, at place, rules validation.Rules, t *model.Type, isField bool) {
	judged := rules.All
	if _, required := rules.Find("required"); required && !judgedByValue(t, isField && at.field.ReadOnly) {
		judged = slices.DeleteFunc(slices.Clone(judged), func(c validation.Constraint) bool { return c.Name == "required" })
	}
	if len(judged) == 0 {
		return
	}
	here := &place{}
	*here = at
	v.rules = make([]rule, len(judged))
	for i, c := range judged {
		p.compiler.rule(&v.rules[i], here, c, t, !isField)
	}
}

// elements compiles what is in a list or map. An error of a key is told at its element.
func (p *planner) elements(v *value, at place, rules validation.Rules, t *model.Type) {
	at.typ, at.rules = t.Elem, validation.Rules{}
	if rules.Elem != nil {
		at.rules = *rules.Elem
	}
	v.elem = p.value(at, at.rules, t.Elem, false)
	if rules.Keys != nil {
		v.keys = p.value(at, *rules.Keys, &model.Type{Go: t.Base().Key(), Kind: model.String}, false)
	}
}

func absenceOf(rules validation.Rules, t *model.Type) absence {
	_, required := rules.Find("required")
	switch {
	case rules.OmitEmpty && t.Nullable:
		return empty
	case rules.OmitEmpty:
		return notInABody
	case t.Nullable && !required:
		return null
	}
	return never
}
