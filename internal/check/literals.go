package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/validation"
)

// inspectValues finds the defaults and examples that break the rules of their field,
// and the messages for rules that it does not have.
func (c *Compiler) inspectValues(s *model.Struct) []error {
	var errs []error
	for _, f := range s.Fields {
		in := inspection{compiler: c, owner: s, field: f, where: where(s, f)}
		in.literal("default", f, f.Default)
		in.literal("example", f, f.Example)
		in.messages(f)
		errs = append(errs, in.errs...)
	}
	return errs
}

// literal inspects the value of a default or example tag.
func (in *inspection) literal(tag string, f *model.Field, text jsontext.Value) {
	if text == nil {
		return
	}
	value, err := codec.Value(f.Type, text)
	if err != nil {
		in.fail("%s tag: %w", tag, err)
		return
	}
	writer := rewriter{}
	rules := f.Rules
	rules.All = slices.DeleteFunc(slices.Clone(rules.All), func(r validation.Constraint) bool { return in.compiler.rules[r.Name].fields })
	words := strings.Join(writer.words(rules, f.Type, false), ",")
	if words == "" || f.Type.Kind == model.Object || f.Rules.Skip {
		return
	}
	if err := in.judge(value.Interface(), words); err != nil {
		in.fail("%s tag has %s, which breaks the field's own rules, %q", tag, text, words)
	}
}

// judge validates one value; a panic counts as a broken rule.
func (in *inspection) judge(value any, words string) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	return in.compiler.values.Var(value, words)
}

// messages inspects the rules that the message tag names.
func (in *inspection) messages(f *model.Field) {
	options := ruleNames(f.Rules)
	if f.Required && !slices.Contains(options, "required") {
		options = append(options, "required")
	}
	for _, rule := range slices.Sorted(maps.Keys(f.Messages)) {
		if rule != "" && !slices.Contains(options, rule) {
			in.fail("message tag has a text for %q, which is no rule of the field; allowed: %s%s",
				rule, strings.Join(options, ", "), naming.DidYouMean(rule, options))
		}
	}
}

// ruleNames lists the rules of a field, those of its keys and elements included.
func ruleNames(r validation.Rules) []string {
	var names []string
	for _, c := range r.All {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	for _, more := range []*validation.Rules{r.Keys, r.Elem} {
		if more != nil {
			names = append(names, ruleNames(*more)...)
		}
	}
	return names
}
