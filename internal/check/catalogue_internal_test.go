package check

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

func newCompiler(t testing.TB, rules ...validation.Rule) *Compiler {
	t.Helper()
	c, err := New(rules)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allKinds are the kinds of values that a rule can be about.
var allKinds = []model.Kind{
	model.Bool, model.Int, model.Uint, model.Float, model.String, model.Bytes, model.Time, model.Text,
	model.Custom, model.Any, model.Object, model.List, model.Array, model.Map,
}

func TestEveryRuleHasAMessageForEveryKindItFits(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	begin := regexp.MustCompile(`^(must|is required)\b`)
	owner := &model.Struct{Fields: []*model.Field{{Name: "other", GoPath: "3"}}} // as the parameter names it
	for name, rule := range c.rules {
		if rule.unsupported != "" {
			continue
		}
		for _, kind := range allKinds {
			if !rule.fits.has(kind) {
				continue
			}
			param := "3"
			if strings.HasSuffix(name, "_if") || strings.HasSuffix(name, "_unless") {
				param = "3 3"
			}
			text := c.message(model.Constraint{Name: name, Param: param}, &declaration{owner: owner, field: owner.Fields[0], kind: kind})
			if !begin.MatchString(text) || strings.ContainsAny(text, "{}") || strings.HasSuffix(text, ".") || strings.Contains(text+" ", "  ") {
				t.Errorf("the message of %s for kind %d is %q", name, kind, text)
			}
		}
	}
}

func TestEveryRuleOfTheCatalogueIsOneOfValidators(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	for name := range c.rules {
		if unknown := undefined(c.validator(), name); unknown && name != model.NotBefore {
			t.Errorf("validator has no rule %q", name)
		}
	}
	if !undefined(c.validator(), "no_such_rule") {
		t.Error("the test cannot tell an unknown rule")
	}
}

// undefined reports whether validator calls a rule undefined. Any other complaint is
// about the value.
func undefined(validate *validator.Validate, rule string) (unknown bool) {
	defer func() {
		if text, ok := recover().(string); ok {
			unknown = strings.Contains(text, "Undefined validation function")
		}
	}()
	_ = validate.Var("a", rule+"=1") // the verdict does not matter
	return false
}

func TestParamsCanBeWrittenAsJSON(t *testing.T) {
	t.Parallel()
	for param, want := range map[string]any{"3": int64(3), "0.5": 0.5, "nan": "nan", "inf": "inf", "1e999": "1e999", "x": "x"} {
		if got := params(model.Constraint{Name: "contains", Param: param}); got["contains"] != want {
			t.Errorf("params of %q are %v, want %v", param, got, want)
		}
	}
	if got := params(model.Constraint{Name: "email"}); got != nil {
		t.Errorf("params of a rule without one are %v", got)
	}
}

func TestRenderIsReadBack(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"min=1", "eq=a0x2Cb", "contains=0x7C", "rgb|hexcolor|eq=0x7C"} {
		rules, err := model.ParseRules(tag)
		if err != nil {
			t.Fatal(err)
		}
		if got := render(rules.All[0]); got != tag {
			t.Errorf("%q is rendered as %q", tag, got)
		}
	}
}
