package check

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// other is another field that a rule names.
type other struct {
	goName string
	name   string         // its JSON path
	way    []*model.Field // to it, from the struct with the rule's field; nil if there is none of the name
	value  string         // that the rule names for it
}

// hasValues reports whether the parameter of a rule has pairs of a field and a value.
func hasValues(rule string) bool {
	return strings.HasSuffix(rule, "_if") || strings.HasSuffix(rule, "_unless")
}

// othersOf returns the fields that a rule of f names. Their Go paths start at the Go struct of f, which may be embedded, or
// at the record for "csfield" rules.
func othersOf(owner *model.Struct, f *model.Field, rule model.Constraint) []other {
	prefix := f.GoPath[:strings.LastIndexByte(f.GoPath, '.')+1]
	if strings.HasSuffix(rule.Name, "csfield") {
		prefix = ""
	}
	var others []other
	for i, word := range rule.Words() {
		if hasValues(rule.Name) && i%2 == 1 {
			others[i/2].value = word
			continue
		}
		o := other{goName: word}
		if owner != nil {
			o.way, o.name = fieldByGoPath(owner, prefix+word)
		}
		others = append(others, o)
	}
	return others
}

// fieldByGoPath finds a field by its Go path, through nested structs. It returns the fields on the way, and the
// JSON path.
func fieldByGoPath(s *model.Struct, path string) (way []*model.Field, name string) {
	for _, f := range s.Fields {
		if f.GoPath == path {
			return []*model.Field{f}, f.Name
		}
		rest, ok := strings.CutPrefix(path, f.GoPath+".")
		if ok && f.Type.Kind == model.Object {
			if way, name = fieldByGoPath(f.Type.Struct, rest); way != nil {
				return append([]*model.Field{f}, way...), f.Name + "." + name
			}
		}
	}
	return nil, ""
}

// field returns the other field itself.
func (o *other) field() *model.Field { return o.way[len(o.way)-1] }

// in returns the value of the field in the struct with the rule's field, without pointers and interfaces, and whether it
// had any. It is invalid behind a nil pointer.
func (o *other) in(owner reflect.Value) (v reflect.Value, nullable bool) {
	v = owner
	for _, f := range o.way {
		if v.Kind() != reflect.Struct {
			return reflect.Value{}, false
		}
		v, nullable = concrete(f.Value(v)), isNullable(f.Type)
	}
	return v, nullable
}

// aboutFields compiles a rule whose parameter names other fields, or adds what is wrong with them. It decides as validator
// does.
func (p *planner) aboutFields(rule model.Constraint, at *declaration, t *model.Type) predicate {
	others := othersOf(at.owner, at.field, rule)
	if !p.areOthers(others, rule, at, t) {
		return nil
	}
	if isCondition(rule) {
		return conditionOf(others, rule, isNullable(t))
	}
	first := &others[0]
	switch rule.Name {
	case "fieldcontains", "fieldexcludes":
		return func(p *pass, v reflect.Value) bool {
			beside, _ := first.in(p.owner)
			return (beside.IsValid() && strings.Contains(v.String(), beside.String())) == (rule.Name == "fieldcontains")
		}
	case "postcode_iso3166_alpha2_field":
		validate := p.validator
		return func(p *pass, v reflect.Value) bool {
			beside, _ := first.in(p.owner)
			// The rule that takes the country as its parameter would cache every country that clients send.
			country := struct{ Country string }{beside.String()}
			return validate().VarWithValue(v.String(), country, rule.Name+"=Country") == nil
		}
	}
	return compareFields(rule, at.layout, t, first)
}

// compareFields compiles a rule that compares a value with another field. A field that is unreachable or of another
// kind is different, and null is an open beginning of a period. Strings are ordered as the dates that they are: one that is
// not a date breaks its own rule datetime. Types that marshal themselves as text have an order of their own.
func compareFields(rule model.Constraint, layout string, t *model.Type, o *other) predicate {
	relation := strings.TrimSuffix(strings.TrimSuffix(rule.Name, "field"), "cs")
	isPeriod, isText, otherLayout := rule.Name == model.NotBefore, t.Kind == model.Text, o.field().Rules.Layout()
	if isPeriod {
		relation = "gte"
	}
	holds, isOrdering := ordered(relation), isOrdering(relation+"field")
	return func(p *pass, v reflect.Value) bool {
		beside, _ := o.in(p.owner)
		switch {
		case isPeriod && (!beside.IsValid() || beside.Kind() == reflect.Pointer): // nil
			return true
		case !beside.IsValid(), !isText && beside.Kind() != v.Kind():
			return relation == "ne"
		case isText:
			own, ownErr := model.OrderTextOf(v)
			other, otherErr := model.OrderTextOf(beside)
			if ownErr != nil || otherErr != nil {
				return isPeriod // a value without text is another error
			}
			return holds(strings.Compare(own, other))
		case v.CanInt():
			return holds(cmp.Compare(v.Int(), beside.Int()))
		case v.CanUint():
			return holds(cmp.Compare(v.Uint(), beside.Uint()))
		case v.CanFloat():
			return holds(cmp.Compare(v.Float(), beside.Float()))
		case v.Kind() == reflect.Bool:
			return (v.Bool() == beside.Bool()) == (relation == "eq")
		case v.Kind() == reflect.String && isOrdering:
			own, isOwn := codec.ParseDate(layout, v.String())
			other, isOther := codec.ParseDate(otherLayout, beside.String())
			return !isOwn || !isOther || holds(own.Compare(other))
		case v.Kind() == reflect.String:
			return (v.String() == beside.String()) == (relation == "eq")
		}
		own, _ := reflect.TypeAssert[time.Time](v)
		other, isTime := reflect.TypeAssert[time.Time](beside)
		return isTime && holds(own.Compare(other)) || !isTime && relation == "ne"
	}
}

// isOrdering reports whether a rule requires a field to be greater or less than another.
func isOrdering(rule string) bool {
	return strings.HasSuffix(rule, "field") && (strings.HasPrefix(rule, "gt") || strings.HasPrefix(rule, "lt"))
}

// isCondition reports whether a rule requires or forbids a value, so that it also runs for an absent value.
func isCondition(rule model.Constraint) bool { return conditions[rule.Name] != "" }

// conditionOf compiles a rule that requires or forbids a value depending on other fields.
func conditionOf(others []other, rule model.Constraint, nullable bool) predicate {
	demand, when, _ := strings.Cut(rule.Name, "_")
	isAny := when == "with" || when == "unless" || when == "without_all"
	isNegated := when == "unless" || strings.HasPrefix(when, "without")
	return func(p *pass, v reflect.Value) bool {
		// "All" holds unless one part fails; "any" holds if one part does.
		found := slices.ContainsFunc(others, func(o other) bool {
			beside, null := o.in(p.owner)
			holds := beside.IsValid() && !hasValues(rule.Name) && hasValue(beside, null)
			if beside.IsValid() && hasValues(rule.Name) {
				holds, _ = equalsWord(beside, o.value)
			}
			return holds == isAny
		})
		applies := (found == isAny) != isNegated
		return !applies || hasValue(v, nullable) == (demand == "required")
	}
}

// equalsWord reports whether a value equals a word of a tag, and whether the word is a value of its type. Lists and maps
// are compared by length.
func equalsWord(v reflect.Value, word string) (isEqual, isValue bool) {
	switch kind := v.Kind(); {
	case v.CanInt():
		n, err := strconv.ParseInt(word, 0, 64)
		return err == nil && v.Int() == n, err == nil
	case v.CanUint():
		n, err := strconv.ParseUint(word, 0, 64)
		return err == nil && v.Uint() == n, err == nil
	case v.CanFloat():
		n, err := strconv.ParseFloat(word, v.Type().Bits())
		return err == nil && v.Float() == n, err == nil
	case kind == reflect.Slice, kind == reflect.Map, kind == reflect.Array:
		n, err := strconv.ParseInt(word, 0, 64)
		return err == nil && int64(v.Len()) == n, err == nil
	case kind == reflect.Bool:
		_, err := strconv.ParseBool(word)
		return v.Bool() == (word == "true"), err == nil
	case kind == reflect.Pointer, kind == reflect.Interface: // nil, because in follows all others
		return word == "nil", true
	}
	return v.String() == word, true
}

// areOthers reports whether the fields that a rule names are valid, and adds what is wrong. A wrong name would compare with
// nothing, so the rule would always hold.
func (p *planner) areOthers(others []other, rule model.Constraint, at *declaration, t *model.Type) bool {
	name, ok := rule.Name, true
	if hasValues(name) && len(rule.Words())%2 != 0 {
		return p.fail(at, "validate rule %q needs pairs of a field and a value, such as %s=Kind box; found %q", name, name, rule.Param)
	}
	for i, o := range others {
		if o.way == nil {
			ok = p.unknownField(rule, at, o.goName, at.owner)
			continue
		}
		isSame := func(earlier other) bool { return earlier.goName == o.goName }
		_, isValue := equalsWord(reflect.Zero(o.field().Type.Base()), o.value)
		switch f := o.field(); {
		case isOrdering(name) && t.Kind == model.String && f.Type.Base().Kind() == reflect.String && (at.layout == "" || f.Rules.Layout() == ""):
			ok = p.fail(at, "validate rule %q orders strings only as dates or times; give %s and %s the rule datetime, such as datetime=2006-01-02, "+
				"or compare them in a validation.Struct", name, at.field.GoPath, f.GoPath)
		case p.rules[name].ofText && (t.Kind == model.Text || f.Type.Kind == model.Text) && t.Base() != f.Type.Base():
			ok = p.fail(at, "validate rule %q compares the type %s with %s of the type %s; allowed: the same type", name, t.Base(), f.GoPath, f.Type.Base())
		case name == "postcode_iso3166_alpha2_field" && f.Type.Go.Kind() != reflect.String,
			name == "required_if" && slices.ContainsFunc(others[:i], isSame):
			ok = p.fail(at, "a validate rule cannot check the type %s as written; change its parameter or remove the rule", at.field.Type.Go)
		case hasValues(name) && !isValue:
			ok = p.fail(at, "validate rule %q compares %q with the field %s, which has the type %s", name, o.value, o.goName, f.Type.Go)
		}
	}
	return ok
}

// unknownField adds a mistake for a name that is not a field of the struct.
func (p *planner) unknownField(rule model.Constraint, at *declaration, name string, s *model.Struct) bool {
	var options []string
	allowed := ""
	if s != nil && len(s.Fields) > 0 {
		for _, f := range s.Fields {
			options = append(options, f.GoPath)
		}
		allowed = "; allowed: " + strings.Join(options, ", ")
	}
	return p.fail(at, "validate rule %q names the unknown field %q%s%s", rule.Name, name, allowed, naming.DidYouMean(name, options))
}

func isDate(text, layout string) bool {
	_, ok := codec.ParseDate(layout, text)
	return ok
}
