package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// structRules is a struct whose rules are compiled, in the order of its fields.
type structRules struct {
	members []fieldRules // those that have something to check
}

// fieldRules is a field of a struct, with its rules.
type fieldRules struct {
	field *model.Field
	value *valueRules
	asks  bool // a rule of its value is validator's or the user's, and could panic
}

// valueRules is what a value has to follow: that of a field, an element or a map's key. A
// type that holds itself makes a circle of them, as it is one of types.
// Values without rules have none of these, so that a pass goes only where there is something to
// check.
type valueRules struct {
	kind       model.Kind
	nullable   bool         // null could be in its place
	opaque     reflect.Type // of a value that is only known when it is met; nil for all others
	absence    absence
	conditions []rule       // that are asked of an absent value, too
	rules      []rule       // all others
	object     *structRules // of a struct
	elem       *valueRules  // of each element; nil where there is nothing to check
	keys       *valueRules  // of a map's keys; nil likewise
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

// declaration is what a struct says of a value, of which messages are made.
type declaration struct {
	owner     *model.Struct
	field     *model.Field
	kind      model.Kind
	isElement bool // of a list or map in the field: its name is known when it is met
}

// judge is a compiled check of a value.
type judge func(v reflect.Value) bool

// rule is a rule of one value, with what it reports when it is broken.
type rule struct {
	judge  judge  // nil for a rule that looks around
	around around // nil for all others
	isOwn  bool   // the user's: it may ask for the name of the value
	told   template
}

// planner compiles the rules of structs, each once: structs may hold one another, and one that
// is met again while it is compiled is referred to.
type planner struct {
	compiler *Compiler
	objects  map[*model.Struct]*structRules
	asks     bool // a rule of the field that is compiled asks validator or the user's function
}

// The plan is entered before its fields are compiled, for one of them may be of the same struct.
func (p *planner) object(s *model.Struct) *structRules {
	if o := p.objects[s]; o != nil {
		return o
	}
	o := &structRules{members: make([]fieldRules, 0, len(s.Fields))}
	p.objects[s] = o
	defer func(asks bool) { p.asks = asks }(p.asks)
	for _, f := range s.Fields {
		if f.Rules.Skip {
			continue
		}
		p.asks = false
		if value := p.value(declaration{s, f, f.Type.Kind, false}, f.Rules, f.Type); value != nil {
			o.members = append(o.members, fieldRules{f, value, p.asks})
		}
	}
	return o
}

// value compiles a value, or returns nil where it has nothing to check.
func (p *planner) value(at declaration, rules model.Rules, t *model.Type) *valueRules {
	v := &valueRules{kind: t.Kind, nullable: isNullable(t), absence: absenceOf(rules, t)}
	if isOpaque(t) {
		v.opaque = t.Base()
	}
	p.rules(v, at, rules, t)
	switch {
	case t.Kind == model.Object:
		v.object = p.object(t.Struct)
	case t.Elem != nil && (rules.Elem != nil || t.Elem.StructIn() != nil):
		p.elements(v, at, rules, t)
	}
	if v.conditions == nil && v.rules == nil && v.object == nil && v.elem == nil && v.keys == nil {
		return nil
	}
	return v
}

// elements compiles the rules of what is in a list or map. An error of a key is reported at its element.
func (p *planner) elements(v *valueRules, at declaration, rules model.Rules, t *model.Type) {
	at.kind, at.isElement = t.Elem.Kind, true
	var elem model.Rules
	if rules.Elem != nil {
		elem = *rules.Elem
	}
	v.elem = p.value(at, elem, t.Elem)
	if rules.Keys != nil {
		v.keys = p.value(at, *rules.Keys, keyType(t))
	}
}

func keyType(t *model.Type) *model.Type { return &model.Type{Go: t.Base().Key(), Kind: model.String} }

// rules compiles the rules of a value, the conditions first: behind omitempty they would not be asked of
// an empty value, of which they mostly are.
// Room for rules is made at once: violations point to where a rule stands in it.
func (p *planner) rules(v *valueRules, at declaration, tag model.Rules, t *model.Type) {
	var conditions, others []model.Constraint
	for _, c := range tag.All {
		switch {
		case isCondition(c):
			conditions = append(conditions, c)
		// Where zero is a value, the decoder has told that the member is missing, or it is there.
		case c.Name != "required" || at.judgesByValue(t):
			others = append(others, c)
		}
	}
	all := slices.Concat(conditions, others)
	if len(all) == 0 {
		return
	}
	here := new(at) // a copy, so that at itself stays off the heap where no rule needs it
	rules := make([]rule, len(all))
	for i, c := range all {
		p.rule(&rules[i], here, c, t)
	}
	if len(conditions) > 0 {
		v.conditions = rules[:len(conditions)]
	}
	v.rules = rules[len(conditions):]
}

// rule compiles a rule into r, which stands in a slice: it holds an atomic value and must not be copied.
func (p *planner) rule(r *rule, at *declaration, c model.Constraint, t *model.Type) {
	r.told.compiler, r.told.at = p.compiler, at
	r.told.code, r.told.rule = called(c)
	r.told.presence = strings.HasPrefix(r.told.code, "required") && (numbers | only(model.Bool)).has(t.Kind)
	r.judge, r.around = p.compiled(c, at, t)
	r.isOwn = p.compiler.isOwn(c)
}

// compiled compiles the check of a rule; one of two is nil.
func (p *planner) compiled(c model.Constraint, at *declaration, t *model.Type) (judge, around) {
	spec := p.compiler.rules[c.Name]
	switch {
	case c.Or != nil:
		return nil, p.anyOf(c.Or, at, t)
	case spec.own != nil:
		p.asks = true
		return nil, ownRule(*spec.own, c.Param, at)
	case spec.fields:
		return nil, p.compiler.aroundOf(c, at, t)
	}
	ask := p.compiler.ask(c)
	if judged := p.compiler.judgeOf(c, t, ask); judged != nil {
		return judged, nil
	}
	p.asks = true
	return ask, nil
}

func (c *Compiler) isOwn(rule model.Constraint) bool {
	return c.rules[rule.Name].own != nil || slices.ContainsFunc(rule.Or, c.isOwn)
}

// anyOf compiles alternatives, of which one that holds is enough.
func (p *planner) anyOf(alternatives []model.Constraint, at *declaration, t *model.Type) around {
	rules := make([]rule, len(alternatives))
	for i, c := range alternatives {
		rules[i].judge, rules[i].around = p.compiled(c, at, t)
	}
	return func(in scope, v reflect.Value) bool {
		for i := range rules {
			if r := &rules[i]; r.judge != nil && r.judge(v) || r.judge == nil && r.around(in, v) {
				return true
			}
		}
		return false
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

// isNullable reports whether null can be in the place of a value.
func isNullable(t *model.Type) bool { return t.Nullable || t.Kind == model.Any }

// judgesByValue reports whether required can be told from the value: text may not be empty and a pointer
// not null. What a zero number, boolean, time or struct means, only the body can tell.
func (d *declaration) judgesByValue(t *model.Type) bool {
	if t.Nullable || t.Kind == model.String {
		return true
	}
	if d.isElement { // the decoder says of members alone that null is missing
		return t.Kind == model.Any
	}
	return d.field.ReadOnly && only(model.List, model.Map, model.Bytes, model.Any).has(t.Kind)
}
