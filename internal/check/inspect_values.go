package check

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/validation"
)

// try runs a rule of validator or of the user with a sample value, to find out whether it panics.
func (in *inspection) try(own *validation.Rule, c model.Constraint, t *model.Type) {
	if own == nil && in.compiler.judgeOf(c, t, nil) != nil {
		return
	}
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case own != nil:
			in.fail("Check of the validate rule %q panics on the type %s: %v", c.Name, t.Go, cause)
		case c.Param == "":
			in.fail("validate rule %q cannot check the type %s", c.Name, t.Go)
		default:
			in.fail("validate rule %q needs %s, found %q", c.Name, in.compiler.parameterOf(c, t), c.Param)
		}
	}()
	if own == nil {
		in.compiler.ask(c)(specimen(t)) // only a panic matters
		return
	}
	record := fullRecord(in.owner)
	within := []model.Segment{{Kind: model.ToField, Field: in.field}}
	ownRule(*own, c.Param, &declaration{owner: in.owner, field: in.field})(scope{record, record.Elem(), within}, specimen(t))
}

// parameterOf describes the parameter that a rule needs for a type.
func (c *Compiler) parameterOf(rule model.Constraint, t *model.Type) string {
	switch isSize := c.rules["min"].fits.has(t.Kind) && c.rules[rule.Name].fits.has(model.Float); {
	case isSize && t.Kind == model.Float:
		return "a number"
	case isSize && t.Kind == model.Uint:
		return "an unsigned integer"
	case isSize:
		return "an integer"
	}
	return "a parameter that fits the type " + t.Go.String()
}

// probe runs the rules of each field that may panic, with a zero record and with a full one. Many rules do nothing
// with a zero value, and others only then.
func (k *Checker) probe() []error {
	var errs []error
	for i := range k.plan.members {
		m := &k.plan.members[i]
		if !m.asks {
			continue
		}
		in := inspection{compiler: k.compiler, owner: k.root, field: m.field}
		for _, record := range []reflect.Value{reflect.New(k.root.Go), fullRecord(k.root)} {
			if _, panicked := judgeAlone(scope{top: record, owner: record.Elem()}, m.value, m.field, m.field.Value(record.Elem())); panicked {
				in.cannotJudge()
				k.compiler.invalid[m.field] = true
				break
			}
		}
		errs = append(errs, in.errs...)
	}
	return errs
}

// judgeAlone reports whether a value follows its rules, as if a body had sent it.
func judgeAlone(in scope, of *valueRules, f *model.Field, v reflect.Value) (holds, panicked bool) {
	defer func() { panicked = recover() != nil }()
	alone := pass{scope: in}
	var at model.Trail
	at.ToField(f)
	alone.value(of, v, true, &at)
	return alone.IsEmpty(), false
}

// fullRecord returns a new record with a value in each field.
func fullRecord(s *model.Struct) reflect.Value {
	record := reflect.New(s.Go)
	for _, f := range s.Fields {
		v := f.Value(record.Elem())
		if f.Type.Nullable {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		v.Set(specimen(f.Type))
	}
	return record
}

// specimen returns a value of a type that is not empty, if its kind has one.
func specimen(t *model.Type) reflect.Value {
	v := reflect.New(t.Base()).Elem()
	switch kind := v.Kind(); {
	case kind == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(1)
	case kind == reflect.String:
		v.SetString("a")
	case kind == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case kind == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a").Convert(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	case t.Kind == model.Any:
		v.Set(reflect.ValueOf("a"))
	}
	return v
}

// Follows reports whether a JSON value of a type follows the rules, and the values in it theirs. Rules over structs
// and rules that name other fields are ignored. A check that panics counts as broken.
func (c *Compiler) Follows(t *model.Type, rules model.Rules, text jsontext.Value) bool {
	value, err := codec.Value(t, model.ViewsOf(t, nil).Tagged(), text)
	return err == nil && c.follows(nil, &model.Field{}, t, rules, value)
}

// follows reports whether a value follows the rules that need no other field, even if it is empty: clients send
// what they read in the OpenAPI document.
func (c *Compiler) follows(owner *model.Struct, f *model.Field, t *model.Type, rules model.Rules, v reflect.Value) bool {
	planner := planner{compiler: c, objects: map[*model.Struct]*structRules{}}
	of := planner.value(declaration{owner: owner, field: f, kind: t.Kind}, c.withoutFields(rules), t)
	if of == nil {
		return true
	}
	holds, _ := judgeAlone(scope{}, of, f, v)
	return holds
}

// withoutFields returns the rules without those that name other fields, because an example has no other fields.
func (c *Compiler) withoutFields(rules model.Rules) model.Rules {
	rules.All = slices.DeleteFunc(slices.Clone(rules.All), c.namesFields)
	if rules.Elem != nil {
		rules.Elem = new(c.withoutFields(*rules.Elem))
	}
	return rules
}

// namesFields reports whether a rule, or one of its alternatives, names other fields.
func (c *Compiler) namesFields(rule model.Constraint) bool {
	return c.rules[rule.Name].fields || slices.ContainsFunc(rule.Or, c.namesFields)
}

// inspectValues returns the mistakes in default, example and message tags.
func (k *Checker) inspectValues() []error {
	var errs []error
	for _, f := range k.root.Fields {
		if k.compiler.invalid[f] {
			continue
		}
		in := inspection{compiler: k.compiler, owner: k.root, field: f}
		in.literal("default", f.Default)
		in.literal("example", f.Example)
		in.messages()
		errs = append(errs, in.errs...)
	}
	return errs
}

// literal inspects the value of a default or example tag. A default that breaks a rule would make every body
// without the field invalid.
func (in *inspection) literal(tag string, text jsontext.Value) {
	if text == nil {
		return
	}
	f := in.field
	value, err := codec.Value(f.Type, model.ViewsOf(f.Type, in.compiler.needs).Create(), text)
	switch {
	case err != nil:
		in.fail("%s %s %w", tag, text, err)
	// The fields within a struct are checked with the rules of that struct.
	case f.Type.Kind != model.Object && !f.Rules.Skip && !in.compiler.follows(in.owner, f, f.Type, f.Rules, value):
		in.fail("%s %s breaks the field's own rules: %s", tag, text, strings.Join(wordsOf(f.Rules), ","))
	}
}

// wordsOf returns rules as the words of a tag.
func wordsOf(rules model.Rules) (words []string) {
	for _, c := range rules.All {
		words = append(words, render(c))
	}
	if rules.Elem != nil {
		words = append(words, "dive")
		if rules.Keys != nil {
			words = append(append(append(words, "keys"), wordsOf(*rules.Keys)...), "endkeys")
		}
		words = append(words, wordsOf(*rules.Elem)...)
	}
	return words
}

// messages inspects the rules that the message tag names. Until the needed fields are known, it accepts names that
// may be valid.
func (in *inspection) messages() {
	f := in.field
	if len(f.Messages) == 0 {
		return
	}
	options, isSure := ruleNames(f.Rules), in.compiler.needs != nil
	if in.compiler.needs[f] && !slices.Contains(options, "required") {
		options = append(options, "required")
	}
	if f.Unique { // checked by the store, which returns a conflict
		options = append(options, "unique")
	}
	if len(options) == 0 && !isSure {
		return
	}
	if len(options) == 0 {
		in.fail("message tag needs rules, but the field has none; add a validate tag or remove the message tag")
		return
	}
	for _, rule := range slices.Sorted(maps.Keys(f.Messages)) {
		if rule != "" && !slices.Contains(options, rule) && (isSure || rule != "required") {
			in.fail("message tag names %q, which is not a rule of the field; allowed: %s%s",
				rule, strings.Join(options, ", "), naming.DidYouMean(rule, options))
		}
	}
}

// ruleNames lists the rules of a field, including those of keys and elements.
func ruleNames(r model.Rules) []string {
	var names []string
	for _, c := range r.All {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	for _, more := range []*model.Rules{r.Keys, r.Elem} {
		if more != nil {
			names = append(names, ruleNames(*more)...)
		}
	}
	return names
}
