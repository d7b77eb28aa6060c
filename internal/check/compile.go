package check

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/go-playground/validator/v10/non-standard/validators"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Compiler makes the checkers of one API. It is for one goroutine.
type Compiler struct {
	rules   map[string]spec
	single  func() *validator.Validate // judges values by themselves; made when it is first asked
	structs []structRule
	held    map[reflect.Type]bool // those of their types that were found in a struct
	needs   map[*model.Field]bool // of the structs of one checker
}

// New returns a compiler that knows validator's rules, notblank and the user's own. Its
// error joins every mistake in the latter.
func New(rules []validation.Rule) (*Compiler, error) {
	c := &Compiler{rules: newCatalogue(), held: map[reflect.Type]bool{}, single: sync.OnceValue(newValidator)}
	var errs []error
	for i, rule := range rules {
		if err := c.add(rule); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return c, errors.Join(errs...)
}

// newValidator returns a validator that knows what differs here from its own rules.
func newValidator() *validator.Validate {
	made := validator.New()
	_ = made.RegisterValidation("notblank", validators.NotBlank) // errors are about names that validator reserves
	_ = made.RegisterValidation("datetime", isDateTime)
	return made
}

// ask returns the check that asks validator about a value alone.
func (c *Compiler) ask(rule model.Constraint) judge {
	tag := render(rule)
	return func(v reflect.Value) bool { return c.single().Var(v.Interface(), tag) == nil }
}

// isDateTime is validator's rule datetime, but that a time in the layout of RFC 3339 has to
// be one of RFC 3339, as a member of the type time.Time has: package time reads
// "T9:05:00,5Z" in that layout, too, which the document's format date-time does not allow.
func isDateTime(field validator.FieldLevel) bool {
	text := field.Field().String()
	if field.Param() == time.RFC3339 {
		_, ok := codec.ParseTime([]byte(text))
		return ok
	}
	_, err := time.Parse(field.Param(), text)
	return err == nil
}

// It is the form of validator's own names, so that a tag reads alike.
var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// add adds one of the user's rules.
// Names of built-in rules are refused, as a tag would then mean one thing here and another in every
// other program that reads it.
func (c *Compiler) add(rule validation.Rule) error {
	if over := structRuleOf(rule); over.typ != nil {
		return c.addStruct(over.typ, over.check)
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
	if err := register(c.single(), rule.Name, rule.Check); err != nil {
		return err
	}
	c.rules[rule.Name] = spec{fits: everyKind, own: &rule, message: rule.Message}
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
	// A copy, for what one checker finds must not reach the next one's.
	c = &Compiler{rules: c.rules, single: c.single, structs: c.structs, held: c.held}
	reachable := reachableFrom(s)
	if err := c.inspect(reachable); err != nil {
		return nil, err
	}
	// Rules are tried only once none of them is misplaced, for validator panics at those; needs are
	// found once all can judge; and what lacks a needed member once the needs of its own are known.
	planner := planner{compiler: c, objects: map[*model.Struct]*structRules{}}
	checkers := make([]*Checker, len(reachable))
	for i, s := range reachable {
		checkers[i] = &Checker{compiler: c, root: s, plan: planner.object(s)}
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
	checker.views = model.ViewsOf(typeOf(s), c.needs)
	for _, rule := range c.structs {
		if rule.lead(reachable) {
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

// reachableFrom lists a struct and all that it can hold, each once. The struct itself is the
// first.
func reachableFrom(s *model.Struct) (list []*model.Struct) {
	for t := range typeOf(s).Within() {
		if t.Struct != nil && !slices.Contains(list, t.Struct) {
			list = append(list, t.Struct)
		}
	}
	return list
}

func typeOf(s *model.Struct) *model.Type { return &model.Type{Go: s.Go, Kind: model.Object, Struct: s} }

// findNeeds finds the fields that records of the structs cannot do without: those with the
// rule required, and those whose default or zero value would break their rules. Records is
// the codec of the first.
// A document could not say which members a body must have by reading tags alone: see below.
func (c *Compiler) findNeeds(checkers []*Checker, records *codec.Codec) error {
	c.needs = map[*model.Field]bool{}
	for _, k := range checkers {
		if records == nil || k != checkers[0] {
			var err error
			if records, err = codec.Compile(typeOf(k.root)); err != nil {
				return err
			}
		}
		if err := k.findNeeds(records.New()); err != nil {
			return err
		}
	}
	return nil
}

// findNeeds judges a new record, and tells of a user's rule that panics at one. A body
// without a member leaves there what a new record has: where that breaks a rule, the document
// has to say that the member is required, for the service refuses to do without.
func (k *Checker) findNeeds(blank any) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: a rule panics when it judges a new record, with the defaults of the tags: %v", k.root.Go.Name(), cause)
		}
	}()
	for _, f := range k.root.Fields {
		_, required := f.Rules.Find("required")
		if f.Writable() && (required && f.Default == nil || f.Identifier || f.Reference != nil && f.Reference.Required) {
			k.compiler.needs[f] = true
		}
	}
	// The rules themselves are asked rather than their names: min=1 on an int requires the member as
	// much as required does, and a default may fulfil it.
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

// findWithin finds the fields that are structs with members that they need: left out, they
// would lack them.
func (c *Compiler) findWithin(structs []*model.Struct) {
	// Until nothing changes, since structs may hold each other in a circle.
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

// lacks reports whether a field that is left out is a struct without a member that it must
// have.
// A pointer can be left out as a whole, and a default has what is needed.
func (c *Compiler) lacks(f *model.Field) bool {
	if f.Type.Kind != model.Object || f.Type.Nullable || !f.Writable() || f.Default != nil || f.Rules.OmitEmpty || f.Rules.Skip {
		return false
	}
	return slices.ContainsFunc(f.Type.Struct.Fields, func(inner *model.Field) bool { return c.needs[inner] })
}
