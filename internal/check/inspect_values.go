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

// try runs a rule that validator or the user judges over a value that is not empty: what it panics at would
// else be found by a request.
func (in *inspection) try(own *validation.Rule, c model.Constraint, t *model.Type) {
	if own == nil && in.compiler.judgeOf(c, t, nil) != nil {
		return
	}
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case own != nil:
			in.fail("validate tag has the rule %q, whose Check panics when it judges the type %s: %v", c.Name, t.Go, cause)
		case c.Param == "":
			in.fail("validate tag has the rule %q, which cannot judge the type %s; change the rule, or the type", c.Name, t.Go)
		default:
			in.fail("validate tag has the rule %q with the parameter %q, which does not fit the type %s", c.Name, c.Param, t.Go)
		}
	}()
	if own == nil {
		in.compiler.ask(c)(specimen(t)) // whether it holds does not matter
		return
	}
	record := fullRecord(in.owner)
	within := []model.Segment{{Kind: model.ToField, Field: in.field}}
	ownRule(*own, c.Param, &declaration{owner: in.owner, field: in.field})(scope{record, record.Elem(), within}, specimen(t))
}

// probe validates each field alone whose rules ask validator or the user, in a record without values and in one
// with some in all fields: what panics at those would panic in a request. A violation does not matter.
// Many rules look at nothing when the value is zero, and others only then.
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
				break
			}
		}
		errs = append(errs, in.errs...)
	}
	return errs
}

// judgeAlone reports whether a value that a body has follows its rules.
func judgeAlone(in scope, of *valueRules, f *model.Field, v reflect.Value) (holds, panicked bool) {
	defer func() { panicked = recover() != nil }()
	alone := pass{scope: in}
	var at model.Trail
	at.ToField(f)
	alone.value(of, v, true, &at)
	return alone.IsEmpty(), false
}

// fullRecord returns a new record that has a value in each field.
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

// specimen returns a value of a type that is not empty, of a kind that has one.
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

// Follows reports whether a value of a type, as JSON and not null, follows the rules of
// its own and those of what is in it. Rules over structs and those that name other fields
// are passed over. A check that panics counts as broken.
func (c *Compiler) Follows(t *model.Type, rules model.Rules, text jsontext.Value) bool {
	value, err := codec.Value(t, model.ViewsOf(t, nil).Tagged(), text)
	return err == nil && c.follows(nil, &model.Field{}, t, rules, value)
}

// follows reports whether a value follows those of its rules that need no other field. It is judged even
// when it is empty: clients send what they read in the document.
func (c *Compiler) follows(owner *model.Struct, f *model.Field, t *model.Type, rules model.Rules, v reflect.Value) bool {
	planner := planner{compiler: c, objects: map[*model.Struct]*structRules{}}
	of := planner.value(declaration{owner, f, t.Kind, false}, c.withoutFields(rules), t)
	if of == nil {
		return true
	}
	holds, _ := judgeAlone(scope{}, of, f, v)
	return holds
}

// withoutFields returns rules without those that name other fields: an example stands alone.
func (c *Compiler) withoutFields(rules model.Rules) model.Rules {
	rules.All = slices.DeleteFunc(slices.Clone(rules.All), c.namesFields)
	if rules.Elem != nil {
		rules.Elem = new(c.withoutFields(*rules.Elem))
	}
	return rules
}

// namesFields reports whether a rule, or an alternative of it, is about other fields.
func (c *Compiler) namesFields(rule model.Constraint) bool {
	return c.rules[rule.Name].fields || slices.ContainsFunc(rule.Or, c.namesFields)
}

// inspectValues finds the defaults and examples that break the rules of their field,
// and the messages for rules that it does not have.
func (k *Checker) inspectValues() []error {
	var errs []error
	for _, f := range k.root.Fields {
		in := inspection{compiler: k.compiler, owner: k.root, field: f}
		in.literal("default", f.Default)
		in.literal("example", f.Example)
		in.messages()
		errs = append(errs, in.errs...)
	}
	return errs
}

// literal inspects the value of a default or example tag.
// A default that breaks the rules of its field would have every body without it refused, for a
// value that no client has sent.
func (in *inspection) literal(tag string, text jsontext.Value) {
	if text == nil {
		return
	}
	f := in.field
	value, err := codec.Value(f.Type, model.ViewsOf(f.Type, in.compiler.needs).Create(), text)
	switch {
	case err != nil:
		in.fail("%s tag: %w", tag, err)
	// A struct's own members are judged with the rules of the struct, where these stand.
	case f.Type.Kind != model.Object && !f.Rules.Skip && !in.compiler.follows(in.owner, f, f.Type, f.Rules, value):
		in.fail("%s tag has %s, which breaks the field's own rules, %q", tag, text, strings.Join(wordsOf(f.Rules), ","))
	}
}

// wordsOf writes rules as the words of a tag.
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

// messages inspects the rules that the message tag names. As long as nobody knows what records need, it leaves
// those be that may be right.
func (in *inspection) messages() {
	f := in.field
	if len(f.Messages) == 0 {
		return
	}
	options, isSure := ruleNames(f.Rules), in.compiler.needs != nil
	if in.compiler.needs[f] && !slices.Contains(options, "required") {
		options = append(options, "required")
	}
	if f.Unique { // not a rule of the body: stores check it, and it returns 409
		options = append(options, "unique")
	}
	if len(options) == 0 && !isSure {
		return
	}
	if len(options) == 0 {
		in.fail("message tag is for broken rules, and the field has none: drop the tag, or give the field a validate tag")
		return
	}
	for _, rule := range slices.Sorted(maps.Keys(f.Messages)) {
		if rule != "" && !slices.Contains(options, rule) && (isSure || rule != "required") {
			in.fail("message tag has a text for %q, which is no rule of the field; allowed: %s%s",
				rule, strings.Join(options, ", "), naming.DidYouMean(rule, options))
		}
	}
}

// ruleNames lists the rules of a field, those of its keys and elements included.
// A message for a rule of elements stands in the tag of their field: it is the only tag there is.
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
