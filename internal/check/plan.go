package check

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// structRules is a struct whose rules are compiled, in the order of its fields.
type structRules struct {
	model   *model.Struct
	members []fieldRules // those that have something to check
}

// fieldRules is a field of a struct, with its rules.
type fieldRules struct {
	field       *model.Field
	index       int         // of a field of the struct itself; -1 for a promoted one
	value       *valueRules // nil where validator judges the field
	byValidator bool        // validator judges the field, with all that is in it
	maps        bool        // there are maps in what is validator's
}

// of returns the field in a struct.
func (m *fieldRules) of(v reflect.Value) reflect.Value {
	if m.index >= 0 {
		return v.Field(m.index)
	}
	return m.field.Value(v)
}

// member returns the member of a field, or nil where it has nothing to check.
func (o *structRules) member(f *model.Field) *fieldRules {
	for i := range o.members {
		if o.members[i].field == f {
			return &o.members[i]
		}
	}
	return nil
}

// valueRules is what a value has to follow: that of a field, an element or a map's key. A
// type that holds itself makes a circle of them, as it is one of types.
// Values without rules have none of these, so that a pass goes only where there is something to
// check.
type valueRules struct {
	kind     model.Kind
	nullable bool
	absence  absence
	rules    []rule
	object   *structRules // of a struct
	elem     *valueRules  // of each element; nil where there is nothing to check
	keys     *valueRules  // of a map's keys; nil likewise
}

// absence is which values are let pass unseen. Which are absent depends on where a value
// stands: behind a pointer null is absent and zero is a value; without one a zero may be what
// nobody sent or what a body says, and only the body tells.
type absence int

const (
	never      absence = iota
	null               // null, behind a pointer
	empty              // null, and an empty list or map behind a pointer
	notInABody         // empty, unless it is of a field that the body has
)

// planner compiles the rules of structs, each once: structs may hold one another, and one that
// is met again while it is compiled is referred to.
type planner struct {
	compiler *Compiler
	objects  map[*model.Struct]*structRules
}

// The plan is entered before its fields are compiled, for one of them may be of the same struct.
func (p *planner) object(s *model.Struct) *structRules {
	if o := p.objects[s]; o != nil {
		return o
	}
	o := &structRules{model: s, members: make([]fieldRules, 0, len(s.Fields))}
	p.objects[s] = o
	for _, f := range s.Fields {
		if f.Rules.Skip {
			continue
		}
		m := fieldRules{field: f, index: -1}
		if len(f.Index) == 1 {
			m.index = f.Index[0]
		}
		at := declaration{owner: s, field: f, typ: f.Type, rules: f.Rules, readOnly: f.ReadOnly}
		if m.byValidator = p.needsValidator(s, f); !m.byValidator {
			m.value = p.value(at, f.Rules, f.Type, true)
		}
		if m.byValidator || m.value != nil {
			o.members = append(o.members, m)
		}
	}
	return o
}

// value compiles a value, or returns nil where it has nothing to check. A field of a
// struct is one that a body can have.
func (p *planner) value(at declaration, rules model.Rules, t *model.Type, isField bool) *valueRules {
	v := &valueRules{kind: t.Kind, nullable: t.Nullable, absence: absenceOf(rules, t)}
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
// Room for rules is made at once: violations point to where a rule stands in it.
func (p *planner) rules(v *valueRules, at declaration, rules model.Rules, t *model.Type, isField bool) {
	judged := rules.All
	// Where zero is a value, the decoder has told that the member is missing, or it is there.
	if _, required := rules.Find("required"); required && !judgedByValue(t, isField && at.field.ReadOnly) {
		judged = slices.DeleteFunc(slices.Clone(judged), func(c model.Constraint) bool { return c.Name == "required" })
	}
	if len(judged) == 0 {
		return
	}
	here := &declaration{} // a copy, so that at itself stays off the heap where no rule needs it
	*here = at
	v.rules = make([]rule, len(judged))
	for i, c := range judged {
		p.compiler.rule(&v.rules[i], here, c, t, !isField)
	}
}

// elements compiles what is in a list or map. An error of a key is told at its element.
func (p *planner) elements(v *valueRules, at declaration, rules model.Rules, t *model.Type) {
	at.typ, at.rules = t.Elem, model.Rules{}
	if rules.Elem != nil {
		at.rules = *rules.Elem
	}
	v.elem = p.value(at, at.rules, t.Elem, false)
	if rules.Keys != nil {
		v.keys = p.value(at, *rules.Keys, &model.Type{Go: t.Base().Key(), Kind: model.String}, false)
	}
}

// absenceOf goes by omitempty first, as validator does, then by the pointer.
func absenceOf(rules model.Rules, t *model.Type) absence {
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
