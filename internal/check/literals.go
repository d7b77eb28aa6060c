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
)

// inspectValues finds the defaults and examples that break the rules of their field,
// and the messages for rules that it does not have.
func (k *Checker) inspectValues() []error {
	var errs []error
	for _, f := range k.root.Fields {
		in := inspection{compiler: k.compiler, owner: k.root, field: f}
		in.literal("default", k.plan.member(f), f.Default)
		in.literal("example", k.plan.member(f), f.Example)
		in.messages()
		errs = append(errs, in.errs...)
	}
	return errs
}

// literal inspects the value of a default or example tag. The member is nil for a field
// without rules.
// A default that breaks the rules of its field would have every body without it refused, for a
// value that no client has sent.
func (in *inspection) literal(tag string, m *fieldRules, text jsontext.Value) {
	if text == nil {
		return
	}
	value, err := codec.Value(in.field.Type, model.ViewsOf(in.field.Type, in.compiler.needs).Create(), text)
	if err != nil {
		in.fail("%s tag: %w", tag, err)
		return
	}
	// A struct's own members are judged with the rules of the struct, where these stand.
	if m == nil || in.field.Type.Kind == model.Object {
		return
	}
	// A rule that names other fields cannot judge a value alone, and is left out.
	rules := in.field.Rules
	rules.All = slices.DeleteFunc(slices.Clone(rules.All), func(r model.Constraint) bool { return in.compiler.rules[r.Name].fields })
	if words := strings.Join(rewriter{}.words(rules, in.field.Type, false), ","); words != "" && !in.judge(m, value, words) {
		in.fail("%s tag has %s, which breaks the field's own rules, %q", tag, text, words)
	}
}

// judge validates one value; a panic counts as a broken rule.
// What panics here would panic for a client.
func (in *inspection) judge(m *fieldRules, v reflect.Value, words string) (holds bool) {
	defer func() {
		if cause := recover(); cause != nil {
			holds = false
		}
	}()
	if m.byValidator {
		return in.compiler.whole.Var(v.Interface(), words) == nil
	}
	alone := pass{compiler: in.compiler}
	alone.valueOf(m, v)
	return alone.IsEmpty()
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
	if f.Unique { // no rule of the body: stores find it, and it is answered 409
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
