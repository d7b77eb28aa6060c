package check

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"github.com/go-playground/validator/v10"
	"github.com/go-playground/validator/v10/non-standard/validators"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Compiler makes the checkers of one API. It is for one goroutine.
type Compiler struct {
	rules     map[string]spec
	single    *validator.Validate // judges values by themselves
	whole     *validator.Validate // judges fields in records, by the rules as declared; nil where no field needs it
	explicit  *validator.Validate // the same without omitempty, for members that a body has
	structs   []structRule
	held      map[reflect.Type]bool // those of their types that were found in a struct
	own       []validation.Rule     // those of the user's own that tags name
	needs     model.Needs           // of the structs of one checker
	reference bool                  // leave all to validator, as tests of the compiled checks do
}

// New returns a compiler that knows validator's rules, notblank and the user's own. Its
// error joins every mistake in the latter.
func New(rules []validation.Rule) (*Compiler, error) {
	c := &Compiler{rules: newCatalogue(), held: map[reflect.Type]bool{}}
	var err error
	c.single, err = c.newValidator()
	errs := []error{err}
	for i, rule := range rules {
		if err := c.add(rule); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return c, errors.Join(errs...)
}

// newValidator returns a validator that knows the rules of the user's own.
// Each validator keeps its rules by Go type, which is why one is not enough: see
// [Compiler.checkers].
func (c *Compiler) newValidator() (*validator.Validate, error) {
	// With that option required on a struct means something: without it, validator passes over it.
	made := validator.New(validator.WithRequiredStructEnabled())
	errs := []error{register(made, "notblank", validators.NotBlank), register(made, "datetime", isDateTime)}
	for _, rule := range c.own {
		errs = append(errs, register(made, rule.Name, rule.Check))
	}
	return made, errors.Join(errs...)
}

// It is the form of validator's own names, so that a tag reads alike.
var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// add adds one of the user's rules.
// Names of built-in rules are refused, as a tag would then mean one thing here and another in every
// other program that reads it.
func (c *Compiler) add(rule validation.Rule) error {
	if t, check := rule.StructCheck(); t != nil {
		return c.addStruct(t, check)
	}
	_, known := c.rules[rule.Name]
	switch {
	case !ruleName.MatchString(rule.Name):
		return fmt.Errorf("Name is %q; allowed: lower-case letters, digits and underscores", rule.Name)
	case known:
		return fmt.Errorf("Name is %q, which is the name of another rule", rule.Name)
	case rule.Check == nil:
		return fmt.Errorf("%s: Check is nil", rule.Name)
	}
	text := rule.Message
	if text == "" {
		text = "is not valid"
	}
	if err := register(c.single, rule.Name, rule.Check); err != nil {
		return err
	}
	c.rules[rule.Name] = spec{fits: everyKind, own: true, message: text}
	c.own = append(c.own, rule)
	return nil
}

// register makes a rule known to validator, which refuses its own words by a panic.
func register(validate *validator.Validate, name string, check validator.Func) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("Name is %q, which validator reserves", name)
		}
	}()
	return validate.RegisterValidation(name, check) //nolint:wrapcheck // its only errors are the caller's
}

// Compile makes the checker of a struct, and finds what creating it requires: a new record of
// the codec says what its members are otherwise. Its error joins every mistake in the rules
// of all structs that the struct can hold. It changes nothing of the struct, which others may
// have at the same time.
func (c *Compiler) Compile(s *model.Struct, records *codec.Codec) (*Checker, error) {
	// A copy, for what one checker finds (needs, its validators) must not reach the next one's.
	c = &Compiler{rules: c.rules, single: c.single, structs: c.structs, held: c.held, own: c.own, reference: c.reference}
	reachable := reachableFrom(s)
	if err := c.inspect(reachable); err != nil {
		return nil, err
	}
	// Rules are tried only once none of them is misplaced, for validator panics at those; needs are
	// found once all can judge; and what lacks a needed member once the needs of its own are known.
	checkers, err := c.checkers(reachable)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, each := range checkers {
		errs = append(errs, each.probe()...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if err := c.findNeeds(checkers, records); err != nil {
		return nil, err
	}
	c.findWithin(reachable)
	for _, each := range checkers {
		errs = append(errs, each.inspectValues()...)
	}
	checker := checkers[0]
	checker.views = model.ViewsOf(&model.Type{Go: s.Go, Kind: model.Object, Struct: s}, c.needs)
	for _, rule := range c.structs {
		if rule.walk = walker(s, rule.typ, map[*model.Struct]*walk{}); rule.walk != nil {
			checker.structs = append(checker.structs, rule)
			c.held[rule.typ] = true
		}
	}
	return checker, errors.Join(errs...)
}

// Unheld returns the types of rules over structs that no struct which was compiled holds.
// A rule over a struct that nothing holds never runs: most likely its type is the wrong one, and
// New says so rather than leave a gap that nobody sees.
func (c *Compiler) Unheld() []reflect.Type {
	var types []reflect.Type
	for _, rule := range c.structs {
		if !c.held[rule.typ] && !slices.Contains(types, rule.typ) {
			types = append(types, rule.typ)
		}
	}
	return types
}

// checkers makes the checkers of structs, with validator behind those that need it.
// Validator keeps rules by Go type, but the same type can have other rules in another
// resource: what is an identifier there is none where the struct is nested. So it is a
// new one each time.
func (c *Compiler) checkers(reachable []*model.Struct) ([]*Checker, error) {
	planner := planner{compiler: c, objects: map[*model.Struct]*structRules{}}
	checkers := make([]*Checker, len(reachable))
	for i, s := range reachable {
		checkers[i] = &Checker{compiler: c, root: s, plan: planner.object(s)}
	}
	// What asks validator is only known when all structs are planned, for they may hold each other.
	planner.spread()
	for _, k := range checkers {
		for i := range k.plan.members {
			if m := &k.plan.members[i]; m.byValidator {
				k.byValidator, m.maps = append(k.byValidator, m.field.GoPath), holdsMaps(m.field.Type, map[*model.Struct]bool{})
			}
		}
		k.skip = skipOthers(k.root.Go.Name(), k.byValidator)
	}
	if !slices.ContainsFunc(checkers, func(k *Checker) bool { return k.byValidator != nil }) {
		return checkers, nil
	}
	// Two more validators take their part of each start, so they are made only where a rule has no
	// check of Trove's own.
	var errs [2]error
	c.whole, errs[0] = c.newValidator()
	c.explicit, errs[1] = c.newValidator()
	for _, s := range reachable {
		c.registerWithValidator(s)
	}
	return checkers, errors.Join(errs[:]...)
}

// registerWithValidator gives validator the rules of a struct, twice: once as declared, and
// once for values that a body has, on which omitempty has no say.
func (c *Compiler) registerWithValidator(s *model.Struct) {
	for validate, writer := range map[*validator.Validate]rewriter{c.whole: {omitEmpty: true}, c.explicit: {}} {
		for t, tags := range writer.tags(s) {
			validate.RegisterStructValidationMapRules(tags, reflect.New(t).Elem().Interface())
		}
	}
}

// reachableFrom lists a struct and all that it can hold, each once. The struct itself is the
// first.
func reachableFrom(s *model.Struct) []*model.Struct {
	var list []*model.Struct
	seen := map[*model.Struct]bool{}
	var visit func(*model.Struct)
	visit = func(s *model.Struct) {
		if seen[s] {
			return
		}
		seen[s] = true
		list = append(list, s)
		for _, f := range s.Fields {
			for t := f.Type; t != nil; t = t.Elem {
				if t.Struct != nil {
					visit(t.Struct)
				}
			}
		}
	}
	visit(s)
	return list
}
