// Package check validates records by the rules in their tags. It compiles and tries out all rules when an API is
// built, so that New reports a wrong tag instead of a request failing later.
//
// The decoder decides what a body contains: it reports missing fields, and which fields are present but empty.
// Rules then check values with the semantics of github.com/go-playground/validator/v10. A rule goes this way:
//
//   - Its row in the catalogue (catalogue.go) has the kinds of values that it fits, its message, its check and what
//     schemas state about it (describe.go). Frequent rules have checks of their own (rules.go), and so have rules that
//     name other fields (fields.go). Validator checks the others. Rules from Config.Rules get a validator.FieldLevel
//     (own.go).
//   - A planner turns a struct with its tags into a plan of its fields, and reports the mistakes in them (plan.go).
//   - A pass walks through a record once and reports the first broken rule of each value (pass.go), with its message
//     (message.go).
//
// Checking a valid record allocates nothing unless a user's rule or validator does. Tests compile random structs for
// validator too and compare the violations.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// Compiler creates the checkers of one API. It is not safe for concurrent use.
type Compiler struct {
	rules     map[string]spec
	validator func() *validator.Validate // checks single values; created on first use
	structs   []structRule
	used      map[reflect.Type]bool // the types of structs that are found in another struct
	passes    sync.Pool
}

// New returns a compiler that knows validator's rules, notblank and the given rules. Its error joins every problem
// with the given rules.
func New(rules []validation.Rule) (*Compiler, error) {
	c := &Compiler{rules: maps.Clone(catalogue()), used: map[reflect.Type]bool{}, validator: sync.OnceValue(newValidator)}
	var errs []error
	for i, rule := range rules {
		if err := c.add(rule); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return c, errors.Join(errs...)
}

// Rules returns the names of the supported rules, sorted.
func (c *Compiler) Rules() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.rules)), func(name string) bool { return c.rules[name].unsupported != "" })
}

// newValidator returns a validator with the rules that Trove adds or changes.
func newValidator() *validator.Validate {
	v := validator.New()
	_ = errors.Join( // errors only for names that validator reserves
		v.RegisterValidation("notblank", func(field validator.FieldLevel) bool { return IsNotBlank(field.Field().String()) }),
		v.RegisterValidation("datetime", func(field validator.FieldLevel) bool { return isDate(field.Field().String(), field.Param()) }),
		v.RegisterValidationCtx(levelRule, func(ctx context.Context, paths validator.FieldLevel) bool {
			level, _ := ctx.Value(levelKey{}).(*fieldLevel)
			level.FieldLevel = paths
			level.holds = level.check(level)
			return true
		}),
	)
	return v
}

// Checker validates the records of one struct type. It is safe for concurrent use.
type Checker struct {
	compiler *Compiler
	typ      *model.Type // of the record, or a list of records
	plan     *valuePlan
	structs  []structRule // rules over structs that a record can contain
	views    *model.Views
}

// Compile returns the checker of a struct. Records is the codec that creates new records, which show which fields
// need a value. The error joins every mistake in the rules of all structs that s can contain. Compile does not
// change s.
func (c *Compiler) Compile(s *model.Struct, records *codec.Codec) (*Checker, error) {
	p := newPlanner(c)
	k := &Checker{compiler: c, typ: typeOf(s), plan: &valuePlan{kind: model.Object, object: p.object(s)}}
	reachable := reachableFrom(s)
	for _, rule := range c.structs {
		if rule.lead(reachable) {
			k.structs = append(k.structs, rule)
			c.used[rule.typ] = true
		}
	}
	needs, err := p.needs(reachable, records)
	if err != nil {
		return nil, errors.Join(append(p.errs, err)...)
	}
	for _, each := range reachable {
		for _, f := range each.Fields {
			at := &declaration{owner: each, field: f}
			if !p.invalid[f] {
				p.literal(at, "default", f.Default, needs)
				p.literal(at, "example", f.Example, needs)
			}
			p.messages(at, needs)
		}
	}
	k.views = model.ViewsOf(k.typ, needs)
	return k, errors.Join(p.errs...)
}

// OfField returns the checker of one field of a struct whose rules are valid, for functions that change the value after
// the rules were checked. It leaves out rules of Config.Rules and rules about other fields.
func OfField(s *model.Struct, f *model.Field) (*Checker, error) {
	c, err := New(nil)
	if err != nil {
		return nil, err
	}
	alone, only := *f, *s
	var isOther func(rule model.Constraint) bool
	isOther = func(rule model.Constraint) bool {
		row, known := c.rules[rule.Name]
		return slices.ContainsFunc(rule.Or, isOther) || rule.Or == nil && (!known || row.fields)
	}
	alone.Rules.All = slices.DeleteFunc(slices.Clone(f.Rules.All), isOther)
	only.Fields = []*model.Field{&alone}
	return c.Compile(&only, nil)
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

// needs finds the fields that a record needs: identifiers, fields with the rule required, fields that break a rule in a
// new record, because a body without the field would leave that value, and structs with such fields. Records is the codec
// of the first struct. It returns an error if a user's rule panics.
func (p *planner) needs(structs []*model.Struct, records *codec.Codec) (map[*model.Field]bool, error) {
	needs := map[*model.Field]bool{}
	var errs []error
	for i, s := range structs {
		if i > 0 || records == nil {
			var err error
			if records, err = codec.Compile(typeOf(s)); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		errs = append(errs, p.addNeeds(needs, s, reflect.ValueOf(records.New())))
	}
	// Repeated until nothing changes, because structs may contain each other.
	for changed := true; changed; {
		changed = false
		for _, s := range structs {
			for _, f := range s.Fields {
				if !needs[f] && omitsNeeded(f, needs) {
					needs[f], changed = true, true
				}
			}
		}
	}
	return needs, errors.Join(errs...)
}

// addNeeds adds the fields that a struct needs by itself. It runs the rules on a new record instead of knowing their
// names: min=1 on an int requires the field too, and a default may satisfy a rule.
func (p *planner) addNeeds(needs map[*model.Field]bool, s *model.Struct, record reflect.Value) error {
	for _, f := range s.Fields {
		_, required := f.Rules.Find("required")
		if f.Writable() && (required && f.Default == nil || f.Identifier || f.Reference != nil && f.Reference.Required) {
			needs[f] = true
		}
		if f.Writable() && !f.Type.Nullable && f.Type.Stated != nil {
			text, err := json.Marshal(f.Value(record.Elem()).Addr().Interface())
			needs[f] = needs[f] || err != nil || !f.Type.Stated.AllowsAll(schema.Go(text))
		}
	}
	for _, plan := range p.object(s).fields {
		broken, err := (&pass{top: record, owner: record.Elem()}).try(plan, plan.field.Value(record.Elem()), false)
		if err != nil {
			return model.Declaration{Type: s.Go}.Errorf("a rule panics on a new record, which has the defaults of its tags: %w", err)
		}
		if broken != nil && plan.field.Writable() {
			needs[plan.field] = true
		}
	}
	return nil
}

// omitsNeeded reports whether leaving out a field means leaving out a field within it that needs a value. It is false for
// pointers, which can be null, and for fields with a default.
func omitsNeeded(f *model.Field, needs map[*model.Field]bool) bool {
	if f.Type.Kind != model.Object || f.Type.Nullable || !f.Writable() || f.Default != nil || f.Rules.OmitEmpty || f.Rules.Skip {
		return false
	}
	return slices.ContainsFunc(f.Type.Struct.Fields, func(inner *model.Field) bool { return needs[inner] })
}

// literal adds what is wrong with the value of a default or example tag. A default that breaks a rule would make every
// body without the field invalid.
func (p *planner) literal(at *declaration, tag string, text jsontext.Value, needs map[*model.Field]bool) {
	if text == nil {
		return
	}
	f := at.field
	value, err := codec.Value(f.Type, model.ViewsOf(f.Type, needs).View(model.Create), text)
	if err != nil {
		p.fail(at, "%s %s %w", tag, text, err)
		return
	}
	if p.values[f] == nil || f.Type.Kind == model.Object { // the fields within a struct are checked with the rules of that struct
		return
	}
	switch broken, err := new(pass).try(p.values[f], value, true); {
	case err != nil:
		p.fail(at, "a rule panics on the %s %s: %w", tag, text, err)
	case broken != nil:
		p.fail(at, "%s %s breaks the field's own rules: %s", tag, text, render(broken.rule))
	}
}

// Follows reports whether a JSON value of a type follows the rules, and the values in it theirs. Rules over structs
// and rules that name other fields are ignored. A rule that is invalid or panics counts as broken.
func (c *Compiler) Follows(t *model.Type, rules model.Rules, text jsontext.Value) bool {
	value, err := codec.Value(t, model.ViewsOf(t, nil).View(model.Tagged), text)
	if err != nil {
		return false
	}
	p, f := newPlanner(c), &model.Field{}
	plan := p.value(declaration{field: f, kind: t.Kind}, rules, t)
	if plan == nil || p.invalid[f] {
		return !p.invalid[f]
	}
	broken, err := new(pass).try(plan, value, true)
	return broken == nil && err == nil
}

// messages adds the rules that the message tag names and the field does not have. A field with mistakes may need a value,
// too.
func (p *planner) messages(at *declaration, needs map[*model.Field]bool) {
	f := at.field
	options := p.names[f]
	if (needs[f] || p.invalid[f]) && !slices.Contains(options, "required") {
		options = append(options, "required")
	}
	if f.Unique { // checked by the store, which returns a conflict
		options = append(options, "unique")
	}
	if len(options) == 0 && len(f.Messages) > 0 {
		p.fail(at, "message tag needs rules, but the field has none; add a validate tag or remove the message tag")
		return
	}
	for _, rule := range slices.Sorted(maps.Keys(f.Messages)) {
		if rule != "" && !slices.Contains(options, rule) {
			p.fail(at, "message tag names %q, which is not a rule of the field; allowed: %s%s",
				rule, strings.Join(options, ", "), naming.DidYouMean(rule, options))
		}
	}
}

// Views returns the views of the struct. They require the fields that the rules require.
func (k *Checker) Views() *model.Views { return k.views }

// Each returns the checker of lists of the records. It shares all plans with k.
func (k *Checker) Each() *Checker {
	each := *k
	each.typ = &model.Type{Go: reflect.SliceOf(k.typ.Go), Kind: model.List, Elem: k.typ}
	each.plan = &valuePlan{kind: model.List, elem: k.plan}
	return &each
}

// Check returns everything that is wrong with a decoded record: what the decoder found, then broken rules, at most
// one for each value. If the body has wrong types, it skips rules on fields that the view makes read-only, and
// rules over structs.
//
// The error is that of a user's rule that failed or panicked, which is not the client's fault.
func (k *Checker) Check(ctx context.Context, record any, decoded codec.Decoded) (found model.Report, err error) {
	p, _ := k.compiler.passes.Get().(*pass)
	if p == nil {
		p = &pass{}
	}
	defer func() {
		if cause := recover(); cause != nil {
			found, err = model.Report{}, fmt.Errorf("a rule of %s panicked: %v", k.typ.StructIn().Go, cause)
		}
		at := p.at // its memory
		at.Clear()
		*p = pass{at: at}
		k.compiler.passes.Put(p)
	}()
	v := reflect.ValueOf(record)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != k.typ.Go {
		return model.Report{}, fmt.Errorf("validating %s: the record has the type %T", k.typ.Go, record)
	}
	p.Report, p.mistyped, p.view, p.explicit = decoded.Report, decoded.Mistyped, decoded.View, decoded.HasEmpty()
	p.value(k.plan, v.Elem(), false)
	for i := range k.structs { // last, so that they can rely on the rules of fields
		if !p.mistyped {
			k.structs[i].walk(ctx, p, k.typ, v.Elem())
		}
	}
	if p.err != nil {
		return model.Report{}, p.err
	}
	return p.Report, nil
}
