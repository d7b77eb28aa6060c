package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
)

// structRules is a struct with its compiled rules, in the order of fields.
type structRules struct {
	members []fieldRules // only fields with something to check
}

// fieldRules is a field of a struct, with its rules.
type fieldRules struct {
	field *model.Field
	value *valueRules
	asks  bool // the rules call validator or the user's function
}

// valueRules is what a field, an element or the key of a map has to follow. A type that contains itself makes a
// cycle. A value without rules has none, so that a pass skips it.
type valueRules struct {
	kind       model.Kind
	nullable   bool         // null could be in its place
	opaque     reflect.Type // the declared type, if the value can have another one; else nil
	absence    absence
	conditions []rule // also run for an absent value
	rules      []rule
	object     *structRules // of a struct
	elem       *valueRules  // of each element; nil if it has nothing to check
	keys       *valueRules  // of the keys of a map; nil likewise
}

// absence is which values count as absent, so that their rules are skipped. Behind a pointer, null is absent and
// zero is a value. Without one, only the body shows whether a client sent a zero.
type absence int

const (
	never      absence = iota
	null               // null, behind a pointer
	empty              // null, and an empty list or map behind a pointer
	notInABody         // empty, unless the body sends the field
)

// declaration is the place of a value in its struct, for messages.
type declaration struct {
	owner     *model.Struct
	field     *model.Field
	kind      model.Kind
	layout    string // of the rule datetime; "" for none
	isElement bool   // of a list or map in the field, so its name is only known at run time
}

// judge is a compiled check of a value alone.
type judge func(v reflect.Value) bool

// rule is a rule of one value, with what it reports when it is broken.
type rule struct {
	judge   judge      // nil for a contextual rule
	judgeIn contextual // nil for all others
	isOwn   bool       // from Config.Rules: it may request the name of the value
	broken  template
}

// planner compiles the rules of structs, each once, because structs may contain each other.
type planner struct {
	compiler *Compiler
	objects  map[*model.Struct]*structRules
	asks     bool // a rule of the current field calls validator or the user's function
}

// object adds the plan before it compiles the fields, because one of them may be of the same struct.
func (p *planner) object(s *model.Struct) *structRules {
	if o := p.objects[s]; o != nil {
		return o
	}
	o := &structRules{members: make([]fieldRules, 0, len(s.Fields))}
	p.objects[s] = o
	defer func(asks bool) { p.asks = asks }(p.asks)
	for _, f := range s.Fields {
		if f.Rules.Skip || p.compiler.invalid[f] {
			continue
		}
		p.asks = false
		if value := p.value(declaration{owner: s, field: f, kind: f.Type.Kind}, f.Rules, f.Type); value != nil {
			o.members = append(o.members, fieldRules{f, value, p.asks})
		}
	}
	return o
}

// value compiles the rules of a value, or returns nil if there is nothing to check.
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

// elements compiles the rules of a list or map. A broken rule of a key is reported at its element.
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

// rules compiles the rules of a value. Conditions come first, because they also run for empty values that omitempty
// skips. The slice is allocated once: violations point into it.
func (p *planner) rules(v *valueRules, at declaration, tag model.Rules, t *model.Type) {
	var conditions, others []model.Constraint
	for _, c := range tag.All {
		switch {
		case isCondition(c):
			conditions = append(conditions, c)
		// If zero is a value, the decoder decides whether the field is missing.
		case c.Name != "required" || at.judgesByValue(t):
			others = append(others, c)
		}
	}
	all := slices.Concat(conditions, others)
	if len(all) == 0 {
		return
	}
	here := new(at) // a copy, so that at itself stays off the heap if there is no rule
	here.layout = LayoutOf(tag)
	rules := make([]rule, len(all))
	for i, c := range all {
		p.rule(&rules[i], here, c, t)
	}
	if len(conditions) > 0 {
		v.conditions = rules[:len(conditions)]
	}
	v.rules = rules[len(conditions):]
}

// rule compiles a rule into r in place, because r contains an atomic value and must not be copied.
func (p *planner) rule(r *rule, at *declaration, c model.Constraint, t *model.Type) {
	r.broken.compiler, r.broken.at = p.compiler, at
	r.broken.code, r.broken.rule = called(c)
	r.broken.presence = strings.HasPrefix(r.broken.code, "required") && (numbers | only(model.Bool)).has(t.Kind)
	r.judge, r.judgeIn = p.compiled(c, at, t)
	if at.field.Password {
		r.acceptHashes()
	}
	r.isOwn = p.compiler.isOwn(c)
}

// acceptHashes makes the rule of a password hold for the hash of one, which is in the record if the body keeps the
// password. Bodies cannot have a hash.
func (r *rule) acceptHashes() {
	if holds := r.judge; holds != nil {
		r.judge = func(v reflect.Value) bool { return holds(v) || passwords.IsHash(v.String()) }
	} else {
		holdsIn := r.judgeIn
		r.judgeIn = func(in scope, v reflect.Value) bool { return holdsIn(in, v) || passwords.IsHash(v.String()) }
	}
}

// compiled compiles the check of a rule. One of the results is nil.
func (p *planner) compiled(c model.Constraint, at *declaration, t *model.Type) (judge, contextual) {
	spec := p.compiler.rules[c.Name]
	switch {
	case c.Or != nil:
		return nil, p.anyOf(c.Or, at, t)
	case spec.own != nil:
		p.asks = true
		return nil, ownRule(*spec.own, c.Param, at)
	case spec.fields:
		return nil, p.compiler.contextualOf(c, at, t)
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

// anyOf compiles alternatives, of which one must hold.
func (p *planner) anyOf(alternatives []model.Constraint, at *declaration, t *model.Type) contextual {
	rules := make([]rule, len(alternatives))
	for i, c := range alternatives {
		rules[i].judge, rules[i].judgeIn = p.compiled(c, at, t)
	}
	return func(in scope, v reflect.Value) bool {
		for i := range rules {
			if r := &rules[i]; r.judge != nil && r.judge(v) || r.judge == nil && r.judgeIn(in, v) {
				return true
			}
		}
		return false
	}
}

// absenceOf checks omitempty first, as validator does, then the pointer.
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

// isNullable reports whether a value can be null.
func isNullable(t *model.Type) bool { return t.Nullable || t.Kind == model.Any }

// judgesByValue reports whether the value alone decides required: a string must not be empty, a pointer not null.
// For a zero number, boolean, time or struct, the body decides.
func (d *declaration) judgesByValue(t *model.Type) bool {
	if t.Nullable || t.Kind == model.String {
		return true
	}
	if d.isElement { // the decoder reports null only for fields
		return t.Kind == model.Any
	}
	return d.field.ReadOnly && only(model.List, model.Map, model.Bytes, model.Any).has(t.Kind)
}
