package check

import (
	"reflect"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
)

// needsValidator reports whether a field is validator's: its rules or those of what is in it
// need the record around them, or ask types what they are.
// It decides for a field as a whole. Half a field to each would mean that one of the two goes
// through it without the rules of the other.
func (p *planner) needsValidator(s *model.Struct, f *model.Field) bool {
	if p.compiler.reference {
		return true
	}
	t := s.Go
	for _, i := range f.Index {
		if t = t.Field(i).Type; replacesItself(t) {
			return true
		}
	}
	return p.valueNeedsValidator(f.Rules, f.Type)
}

// In doubt it says yes: validator is always right, if slow.
func (p *planner) valueNeedsValidator(rules model.Rules, t *model.Type) bool {
	if replacesItself(t.Go) || isOpaque(t) {
		return true
	}
	for i, c := range rules.All {
		if p.compiler.needsRecord(c) || c.Or != nil && i == 0 && t.Nullable {
			return true
		}
	}
	if rules.Elem == nil && !holdsStructs(t.Elem) {
		return false
	}
	if t.Kind == model.Map && t.Base().Key().NumMethod() > 0 {
		return true // a method may be how validator names the key
	}
	if rules.Keys != nil && p.valueNeedsValidator(*rules.Keys, &model.Type{Go: t.Base().Key(), Kind: model.String}) {
		return true
	}
	var elem model.Rules
	if rules.Elem != nil {
		elem = *rules.Elem
	}
	return p.valueNeedsValidator(elem, t.Elem)
}

// needsRecord reports whether a rule may look at more than its value.
func (c *Compiler) needsRecord(rule model.Constraint) bool {
	for _, alternative := range rule.Or {
		if alternative.Name == "required" || c.needsRecord(alternative) {
			return true
		}
	}
	if rule.Or != nil {
		return false
	}
	spec := c.rules[rule.Name]
	return spec.fields || spec.own || rule.Name == "isdefault"
}

// replacesItself reports whether validator is given another value by the type.
// validator.Valuer is how a type says which value its rules are about.
func replacesItself(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	return t.Implements(reflect.TypeFor[validator.Valuer]())
}

// isOpaque reports whether validator finds what the model does not know of: what is in
// an interface, or a struct that is no object.
func isOpaque(t *model.Type) bool {
	base := t.Base()
	switch base.Kind() {
	case reflect.Interface, reflect.Pointer:
		return true
	case reflect.Struct:
		if t.Kind == model.Object {
			return base.ConvertibleTo(reflect.TypeFor[time.Time]())
		}
		return t.Kind != model.Time && hasPublicFields(base)
	}
	return base == reflect.TypeFor[time.Duration]()
}

// hasPublicFields reports whether validator would look into a struct.
// Such a struct may have validate tags of its own, which the model has not read.
func hasPublicFields(t reflect.Type) bool {
	for field := range t.Fields() {
		if field.IsExported() || field.Anonymous {
			return true
		}
	}
	return false
}

// spread makes fields validator's where what they hold is. It goes around until nothing
// changes, for types may hold one another.
func (p *planner) spread() {
	for changed := true; changed; {
		changed = false
		for _, o := range p.objects {
			for i := range o.members {
				m := &o.members[i]
				if !m.byValidator && holdsByValidator(m.value) {
					m.byValidator, m.value, changed = true, nil, true
				}
			}
		}
	}
}

// holdsByValidator reports whether a struct in a value has a field that is validator's.
func holdsByValidator(v *valueRules) bool {
	for ; v != nil; v = v.elem {
		if v.object != nil && v.object.hasByValidator() {
			return true
		}
	}
	return false
}

// hasByValidator reports whether some field is validator's.
func (o *structRules) hasByValidator() bool {
	for i := range o.members {
		if o.members[i].byValidator {
			return true
		}
	}
	return false
}
