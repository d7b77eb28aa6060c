package check

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/passwords"
)

// structPlan is a struct with its compiled rules.
type structPlan struct {
	fields []*valuePlan // in their order, only those with something to check
}

// valuePlan is what a field, an element or the key of a map has to follow. A type that contains itself makes a
// cycle. A value without rules has none, so that a pass skips it.
type valuePlan struct {
	field      *model.Field // that has the value
	kind       model.Kind
	nullable   bool   // null could be in its place
	optional   bool   // null is absent, and so is an empty value of a field with omitempty, so that their rules are skipped
	byBody     bool   // likewise, but an empty value that the body sends is present
	conditions []rule // also run for an absent value
	rules      []rule
	object     *structPlan // of a struct
	elem       *valuePlan  // of each element; nil if it has nothing to check
	keys       *valuePlan  // of the keys of a map; nil likewise
}

// declaration is the place of a value in its struct, for messages.
type declaration struct {
	owner     *model.Struct
	field     *model.Field
	kind      model.Kind
	layout    string // of the rule datetime; "" for none
	isElement bool   // of a list or map in the field, so its name is only known at run time
}

// rule is a rule of one value, with what it reports when it is broken.
type rule struct {
	compiler    *Compiler
	rule        model.Constraint
	code        string
	at          *declaration
	holds       predicate
	aboutFields bool // it names other fields
	presence    bool // it is broken if a number or boolean is missing, which only the body shows
	// The text is built when the rule is first broken, because few of an API's rules ever are.
	text atomic.Pointer[wording]
}

// planner compiles the rules of structs, each once, because structs may contain each other. It collects the mistakes
// in them, and leaves out fields that have any.
type planner struct {
	*Compiler

	structs map[*model.Struct]*structPlan
	values  map[*model.Field]*valuePlan // nil for a field without rules
	names   map[*model.Field][]string   // of its rules, including those of keys and elements
	invalid map[*model.Field]bool
	errs    []error
}

func newPlanner(c *Compiler) *planner {
	return &planner{
		Compiler: c, structs: map[*model.Struct]*structPlan{}, values: map[*model.Field]*valuePlan{},
		names: map[*model.Field][]string{}, invalid: map[*model.Field]bool{},
	}
}

// fail adds a mistake with the Go names of the type and the field, because it is about source code; of a value alone, only
// that it has one. It returns false.
func (p *planner) fail(at *declaration, format string, args ...any) bool {
	if p.invalid[at.field] = true; at.owner == nil {
		return false
	}
	p.errs = append(p.errs, model.Declaration{Type: at.owner.Go, Field: at.field.GoPath}.Errorf(format, args...))
	return false
}

// object adds the plan before it compiles the fields, because one of them may be of the same struct.
func (p *planner) object(s *model.Struct) *structPlan {
	if plan := p.structs[s]; plan != nil {
		return plan
	}
	plan := &structPlan{fields: make([]*valuePlan, 0, len(s.Fields))}
	p.structs[s] = plan
	for _, f := range s.Fields {
		if f.Rules.Skip {
			continue
		}
		if p.values[f] = p.value(declaration{owner: s, field: f, kind: f.Type.Kind}, f.Rules, f.Type); p.values[f] != nil && !p.invalid[f] {
			plan.fields = append(plan.fields, p.values[f])
		}
	}
	return plan
}

// value compiles the rules of a value, or returns nil if there is nothing to check. A broken rule of a key is reported at
// its element.
func (p *planner) value(at declaration, rules model.Rules, t *model.Type) *valuePlan {
	_, required := rules.Find("required")
	v := &valuePlan{
		field: at.field, kind: t.Kind, nullable: isNullable(t),
		optional: rules.OmitEmpty || t.Nullable && !required, byBody: rules.OmitEmpty && !t.Nullable,
	}
	p.compile(v, at, rules, t)
	if rules.Elem != nil && t.Elem == nil {
		p.fail(&at, "dive in the validate tag needs a list or a map, found the type %s", t.Go)
	}
	switch {
	case t.Kind == model.Object:
		v.object = p.object(t.Struct)
	case t.Elem != nil && (rules.Elem != nil || t.Elem.StructIn() != nil):
		at.kind, at.isElement = t.Elem.Kind, true
		if rules.Keys != nil && t.Kind != model.Map {
			p.fail(&at, "keys in the validate tag needs a map, found the type %s", t.Go)
		} else if rules.Keys != nil {
			v.keys = p.value(at, *rules.Keys, &model.Type{Go: t.Base().Key(), Kind: model.String})
		}
		if rules.Elem == nil {
			rules.Elem = &model.Rules{}
		}
		v.elem = p.value(at, *rules.Elem, t.Elem)
	}
	if v.conditions == nil && v.rules == nil && v.object == nil && v.elem == nil && v.keys == nil {
		return nil
	}
	return v
}

// isNullable reports whether a value can be null.
func isNullable(t *model.Type) bool { return t.Nullable || t.Kind == model.Any }

// compile compiles the rules of a value. Conditions come first, because they also run for empty values that omitempty
// skips. The slice is allocated once: violations point into it.
func (p *planner) compile(v *valuePlan, at declaration, tag model.Rules, t *model.Type) {
	var conditions, others []model.Constraint
	for _, c := range tag.All {
		if c.Name != "" {
			p.names[at.field] = append(p.names[at.field], c.Name)
		}
		switch {
		case at.owner == nil && p.namesFields(c): // the value is alone
		case isCondition(c):
			conditions = append(conditions, c)
		// If zero is a value, the decoder decides whether the field is missing.
		case c.Name != "required" || at.isRequiredByValue(t):
			others = append(others, c)
		}
	}
	all := slices.Concat(conditions, others)
	if len(all) == 0 {
		return
	}
	here := new(at) // a copy, so that at itself stays off the heap if there is no rule
	here.layout = tag.Layout()
	rules := make([]rule, len(all))
	for i, c := range all {
		r := &rules[i]
		r.compiler, r.rule, r.code, r.at = p.Compiler, c, cmp.Or(c.Name, render(c)), here
		r.holds, r.aboutFields = p.predicate(c, here, t), p.namesFields(c)
		r.presence = strings.HasPrefix(r.code, "required") && (numbers | only(model.Bool)).has(t.Kind)
		if holds := r.holds; at.field.Password {
			// The hash of a password is in the record if the body keeps the password. Bodies cannot have a hash.
			r.holds = func(p *pass, v reflect.Value) bool { return holds(p, v) || passwords.IsHash(v.String()) }
		}
	}
	if len(conditions) > 0 {
		v.conditions = rules[:len(conditions)]
	}
	v.rules = rules[len(conditions):]
}

// isRequiredByValue reports whether the value alone decides required: a string must not be empty, a pointer not null.
// For a zero number, boolean, time or struct, the body decides; null in it is reported only for fields.
func (d *declaration) isRequiredByValue(t *model.Type) bool {
	isList := only(model.List, model.Map, model.Bytes).has(t.Kind)
	isSetByService := !d.isElement && d.field.ReadOnly && (isList || t.Kind == model.Any)
	return t.Nullable || t.Kind == model.String || d.isElement && t.Kind == model.Any || isSetByService
}

// namesFields reports whether a rule, or one of its alternatives, names other fields.
func (c *Compiler) namesFields(rule model.Constraint) bool {
	return c.rules[rule.Name].fields || slices.ContainsFunc(rule.Or, c.namesFields)
}

// predicate compiles a rule, or adds what is wrong with it: it must exist, apply to the type and have a valid parameter.
func (p *planner) predicate(c model.Constraint, at *declaration, t *model.Type) predicate {
	row, known := p.rules[c.Name]
	switch {
	case c.Or != nil:
		alternatives := make([]predicate, len(c.Or))
		for i, each := range c.Or {
			alternatives[i] = p.predicate(each, at, t)
		}
		return func(p *pass, v reflect.Value) bool {
			return slices.ContainsFunc(alternatives, func(holds predicate) bool { return holds(p, v) })
		}
	case !known:
		p.fail(at, "unknown rule %q in the validate tag%s", c.Name, naming.DidYouMean(c.Name, append(p.Rules(), reserved[:4]...)))
	case row.unsupported != "":
		p.fail(at, "validate rule %q is not supported: %s", c.Name, row.unsupported)
	case !row.fits.has(t.Kind) && (!row.ofText || !t.OrdersText()):
		p.fail(at, "validate rule %q does not apply to the type %s; allowed: %s", c.Name, t.Go, row.fits)
	case row.param && c.Param == "":
		p.fail(at, "validate rule %q needs a parameter: write %s=…", c.Name, c.Name)
	case row.fields:
		return p.aboutFields(c, at, t)
	case row.own != nil:
		return p.tried(p.ownRule(row.own, c.Param, at), c, at, t)
	case c.Name == "unique" && !p.isUnique(c, at, t): // a mistake
	default:
		ask := p.ask(c)
		if row.check != nil {
			own := row.check(c, t, ask)
			if own == nil && row.ofText && t.Kind == model.Text {
				p.fail(at, "validate rule %q needs a value of the type %s, found %q", c.Name, t.Base(), c.Param)
			}
			if own != nil || row.ofText && t.Kind == model.Text {
				return own
			}
		}
		return p.tried(ask, c, at, t)
	}
	return nil
}

// ask returns a check that calls validator for a single value.
func (c *Compiler) ask(rule model.Constraint) predicate {
	tag := render(rule)
	return func(_ *pass, v reflect.Value) bool {
		if v.Kind() == reflect.String { // without methods of its type, which validator might call
			return c.validator().Var(v.String(), tag) == nil
		}
		return c.validator().Var(v.Interface(), tag) == nil
	}
}

// tried runs a rule of validator or of the user with an empty value in an empty record, and adds a mistake if it panics.
// Without it, it would panic at a request.
func (p *planner) tried(holds predicate, c model.Constraint, at *declaration, t *model.Type) predicate {
	if at.owner == nil || t.Kind == model.Any { // New has tried the rule, or values have any type
		return holds
	}
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case p.rules[c.Name].own != nil:
			p.fail(at, "Check of the validate rule %q panics on the type %s: %v", c.Name, t.Go, cause)
		case c.Param == "":
			p.fail(at, "validate rule %q cannot check the type %s", c.Name, t.Go)
		default:
			needs := cmp.Or(map[model.Kind]string{model.Float: "a number", model.Uint: "an unsigned integer", model.Bool: "true or false"}[t.Kind], "an integer")
			if !p.rules[c.Name].fits.has(model.Float) { // not a size
				needs = "another parameter"
			}
			p.fail(at, "validate rule %q needs %s, found %q", c.Name, needs, c.Param)
		}
	}()
	record := reflect.New(at.owner.Go)
	trial := pass{top: record, owner: record.Elem()}
	trial.at.ToField(at.field)
	holds(&trial, reflect.New(t.Base()).Elem())
	return holds
}

// isUnique reports whether the rule unique is valid, and adds what is wrong. It compares elements or one field of them;
// validator would panic at a request if they are not comparable.
func (p *planner) isUnique(c model.Constraint, at *declaration, t *model.Type) bool {
	compared := t.Elem
	if c.Param != "" {
		isNamed := func(f *model.Field) bool { return f.GoPath == c.Param }
		if compared.Struct == nil || !slices.ContainsFunc(compared.Struct.Fields, isNamed) {
			return p.unknownField(c, at, c.Param, compared.Struct)
		}
		compared = compared.Struct.Fields[slices.IndexFunc(compared.Struct.Fields, isNamed)].Type
	}
	return isComparable(compared) || p.fail(at, "validate rule %q cannot compare values of the type %s; "+
		"allowed: scalars, or unique=Field with a scalar field", c.Name, compared.Go)
}

// isComparable reports whether validator can use values of a type as map keys, as unique does.
func isComparable(t *model.Type) bool {
	switch {
	case t.Kind == model.Text:
		return t.Base().Comparable()
	case t.Struct != nil:
		return t.Base().Comparable() && !slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool {
			return f.Type.Nullable || !isComparable(f.Type) // pointers would compare by memory address
		})
	}
	return (scalars | only(model.Time)).has(t.Kind)
}
