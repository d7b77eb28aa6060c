package check

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/mistake"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Compiler creates the checkers of one API. It is not safe for concurrent use.
type Compiler struct {
	rules   map[string]spec
	single  func() *validator.Validate // checks single values; created on first use
	structs []structRule
	used    map[reflect.Type]bool // the types of structs that are found in another struct
	needs   map[*model.Field]bool // for the structs of one checker
	invalid map[*model.Field]bool // fields whose rules have mistakes; they are treated as if they had none
}

// New returns a compiler that knows validator's rules, notblank and the given rules. Its error joins every problem
// with the given rules.
func New(rules []validation.Rule) (*Compiler, error) {
	c := &Compiler{rules: newCatalogue(), used: map[reflect.Type]bool{}, single: sync.OnceValue(newValidator)}
	var errs []error
	for i, rule := range rules {
		if err := c.add(rule); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return c, errors.Join(errs...)
}

// newValidator returns a validator with the rules that Trove changes.
func newValidator() *validator.Validate {
	made := validator.New()
	_ = made.RegisterValidation("notblank", func(field validator.FieldLevel) bool { return IsNotBlank(field.Field().String()) })
	_ = made.RegisterValidation("datetime", isDateTime) // errors only for names that validator reserves
	return made
}

// ask returns a check that calls validator for a single value.
func (c *Compiler) ask(rule model.Constraint) judge {
	tag := render(rule)
	return func(v reflect.Value) bool { return c.single().Var(v.Interface(), tag) == nil }
}

// isDateTime is validator's rule datetime with the forms of ParseDate.
func isDateTime(field validator.FieldLevel) bool {
	_, ok := ParseDate(field.Param(), field.Field().String())
	return ok
}

// ruleName is the form of validator's own rule names.
var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// add adds a rule from Config.Rules. Names of built-in rules are rejected, so that a tag means the same in every
// program.
func (c *Compiler) add(rule validation.Rule) error {
	if over := structRuleOf(rule); over.typ != nil {
		return c.addStruct(over.typ, over.check)
	}
	_, known := c.rules[rule.Name]
	switch {
	case !ruleName.MatchString(rule.Name):
		return fmt.Errorf("Name is %q; allowed: lower-case letters, digits and underscores", rule.Name)
	case known:
		return fmt.Errorf("Name is %q, which is already a rule", rule.Name)
	case rule.Check == nil:
		return fmt.Errorf("%s: Check is nil", rule.Name)
	}
	if err := register(c.single(), rule.Name, rule.Check); err != nil {
		return err
	}
	c.rules[rule.Name] = spec{fits: everyKind, own: &rule, message: rule.Message}
	return nil
}

// register adds a rule to validator, which panics for its reserved words.
func register(validate *validator.Validate, name string, check validator.Func) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("Name is %q, which validator reserves", name)
		}
	}()
	return validate.RegisterValidation(name, check) //nolint:wrapcheck // its only errors are the caller's
}

// Compile returns the checker of a struct. Records is the codec that creates new records, which show which fields
// need a value. The error joins every mistake in the rules of all structs that s can contain. Compile does not
// change s.
func (c *Compiler) Compile(s *model.Struct, records *codec.Codec) (*Checker, error) {
	// A copy, so that nothing found for this checker reaches the next one.
	c = &Compiler{rules: c.rules, single: c.single, structs: c.structs, used: c.used}
	reachable := reachableFrom(s)
	// The order matters: validator panics at misplaced rules, so they are inspected before any rule is tried. Needs
	// are found with rules that work, and a field that lacks needed fields only once those are known. Each step goes on
	// without the fields that it reports, so that their mistakes hide no others and cause none.
	errs := c.inspect(reachable)
	for _, each := range c.checkers(reachable) {
		errs = append(errs, each.probe()...)
	}
	checkers := c.checkers(reachable) // again, without the rules that panic
	checker := checkers[0]
	for _, rule := range c.structs {
		if rule.lead(reachable) {
			checker.structs = append(checker.structs, rule)
			c.used[rule.typ] = true
		}
	}
	if err := c.findNeeds(checkers, records); err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	c.findWithin(reachable)
	for _, each := range checkers {
		errs = append(errs, each.inspectValues()...)
	}
	checker.views = model.ViewsOf(typeOf(s), c.needs)
	return checker, errors.Join(errs...)
}

// OfField returns the checker of one field of a struct whose rules are valid, for functions that change the value after
// the rules were checked. It leaves out rules of Config.Rules and rules about other fields.
func OfField(s *model.Struct, f *model.Field) (*Checker, error) {
	c, err := New(nil)
	if err != nil {
		return nil, err
	}
	alone, only := *f, *s
	alone.Rules.All = slices.DeleteFunc(slices.Clone(f.Rules.All), func(rule model.Constraint) bool { return !c.isAlone(rule) })
	only.Fields = []*model.Field{&alone}
	return c.Compile(&only, nil)
}

// isAlone reports whether the compiler knows a rule, which is about the value alone.
func (c *Compiler) isAlone(rule model.Constraint) bool {
	known, ok := c.rules[rule.Name]
	isOther := func(each model.Constraint) bool { return !c.isAlone(each) }
	return rule.Or == nil && ok && !known.fields || rule.Or != nil && !slices.ContainsFunc(rule.Or, isOther)
}

// checkers returns the checkers of structs, which share their plans.
func (c *Compiler) checkers(structs []*model.Struct) []*Checker {
	planner := planner{compiler: c, objects: map[*model.Struct]*structRules{}}
	checkers := make([]*Checker, len(structs))
	for i, s := range structs {
		checkers[i] = &Checker{compiler: c, root: s, plan: planner.object(s)}
	}
	return checkers
}

// UnusedStructs returns the types of rules over structs that no compiled struct contains. Such a rule would never run.
func (c *Compiler) UnusedStructs() []reflect.Type {
	var types []reflect.Type
	for _, rule := range c.structs {
		if !c.used[rule.typ] && !slices.Contains(types, rule.typ) {
			types = append(types, rule.typ)
		}
	}
	return types
}

// reachableFrom lists a struct and every struct that it can contain, each once, itself first.
func reachableFrom(s *model.Struct) (list []*model.Struct) {
	for t := range typeOf(s).Within() {
		if t.Struct != nil && !slices.Contains(list, t.Struct) {
			list = append(list, t.Struct)
		}
	}
	return list
}

func typeOf(s *model.Struct) *model.Type { return &model.Type{Go: s.Go, Kind: model.Object, Struct: s} }

// findNeeds finds the fields that a record needs: fields with the rule required, and fields whose default or zero
// value breaks their rules. Records is the codec of the first checker.
func (c *Compiler) findNeeds(checkers []*Checker, records *codec.Codec) error {
	c.needs = map[*model.Field]bool{}
	var errs []error
	for _, k := range checkers {
		if records == nil || k != checkers[0] {
			var err error
			if records, err = codec.Compile(typeOf(k.root)); err != nil {
				errs = append(errs, err)
			}
		}
		if err := k.findNeeds(records.New()); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// findNeeds checks a new record. A field that breaks a rule there is required, because a body without the field
// would leave that value. It returns an error if a user's rule panics.
func (k *Checker) findNeeds(blank any) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = mistake.At{Type: k.root.Go}.Errorf("a rule panics on a new record, which has the defaults of its tags: %v", cause)
		}
	}()
	for _, f := range k.root.Fields {
		_, required := f.Rules.Find("required")
		if f.Writable() && (required && f.Default == nil || f.Identifier || f.Reference != nil && f.Reference.Required) {
			k.compiler.needs[f] = true
		}
	}
	// By running the rules instead of by their names: min=1 on an int requires the field too, and a default may
	// satisfy a rule.
	record := reflect.ValueOf(blank)
	for i := range k.plan.members {
		m := &k.plan.members[i]
		p := pass{scope: scope{top: record, owner: record.Elem()}, trying: true, blank: true}
		var at model.Trail
		at.ToField(m.field)
		if p.value(m.value, m.field.Value(record.Elem()), false, &at); p.broken && m.field.Writable() {
			k.compiler.needs[m.field] = true
		}
	}
	return nil
}

// findWithin finds the struct fields that need a value because fields within them do.
func (c *Compiler) findWithin(structs []*model.Struct) {
	// Repeated until nothing changes, because structs may contain each other.
	for changed := true; changed; {
		changed = false
		for _, s := range structs {
			for _, f := range s.Fields {
				if !c.needs[f] && c.lacks(f) {
					c.needs[f], changed = true, true
				}
			}
		}
	}
}

// lacks reports whether leaving out a field means leaving out a field within it that needs a value. It is false for
// pointers, which can be null, and for fields with a default.
func (c *Compiler) lacks(f *model.Field) bool {
	if f.Type.Kind != model.Object || f.Type.Nullable || !f.Writable() || f.Default != nil || f.Rules.OmitEmpty || f.Rules.Skip {
		return false
	}
	return slices.ContainsFunc(f.Type.Struct.Fields, func(inner *model.Field) bool { return c.needs[inner] })
}
