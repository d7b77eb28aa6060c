package check

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
)

// textType is the type of the texts that are checked.
var textType = &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}

// textChecks compiles every rule of texts that the generator knows.
func textChecks(t testing.TB, c *Compiler) map[string]predicate {
	t.Helper()
	checks := map[string]predicate{}
	for _, word := range textWords {
		rules, err := model.ParseRules(word)
		if err != nil {
			t.Fatal(err)
		}
		checks[word] = newPlanner(c).predicate(rules.All[0], &declaration{field: &model.Field{}}, textType)
	}
	return checks
}

// checkedAlike holds the results for a text to those of validator.
func checkedAlike(t *testing.T, c *Compiler, checks map[string]predicate, text string) {
	t.Helper()
	for rule, holds := range checks {
		want := c.validator().Var(text, rule) == nil
		if got := holds(&pass{}, reflect.ValueOf(text)); got != want {
			t.Errorf("%s of %q: %v, validator says %v", rule, text, got, want)
		}
	}
}

func TestTextsAreCheckedAsByValidator(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	checks := textChecks(t, c)
	for _, text := range texts {
		checkedAlike(t, c, checks, text)
	}
	g := &generator{rand.New(rand.NewPCG(2, 3))}
	for range 2000 {
		checkedAlike(t, c, checks, g.mutated(pick(g, texts)))
	}
}

// mutated returns a text with a few bytes or words changed.
func (g *generator) mutated(text string) string {
	for range 1 + g.IntN(3) {
		at := g.IntN(len(text) + 1)
		end := min(len(text), at+g.IntN(2))
		text = text[:at] + pick(g, []string{"", ".", "-", "@", "a", "Z", "9", "_", "/", ":", " ", "'", "%", "é", "\x80", "\x00", "..", "g", "F"}) + text[end:]
	}
	return text
}

func FuzzTextsAreCheckedAsByValidator(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	c := newCompiler(f)
	checks := textChecks(f, c)
	f.Fuzz(func(t *testing.T, text string) { checkedAlike(t, c, checks, text) })
}

func TestPlainEmailAddressesNeedNoValidator(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	c.validator = func() *validator.Validate { panic("validator is asked") }
	checks := textChecks(t, c)
	for text, rule := range map[string]string{
		"frank.herbert@example.com": "email", "a+b_c-d@mail.example-1.org": "email", "A@B.CO": "email",
		"http://example.com": "url", "https://example.com/a/b_c-d.html?e=f&g=~h": "http_url", "https://sub.example.com/": "https_url",
	} {
		if !checks[rule](&pass{}, reflect.ValueOf(text)) {
			t.Errorf("%s of %q does not hold", rule, text)
		}
	}
	if checks["email"](&pass{}, reflect.ValueOf("nobody")) {
		t.Error("a text without @ is an email address")
	}
}

func TestChoicesAreSplitAsValidatorSplitsThem(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	g := &generator{rand.New(rand.NewPCG(1, 2))}
	for range 500 {
		param := ""
		for range 1 + g.IntN(6) {
			param += pick(g, []string{"a", "'", " ", "b c", "'d e'", "\t", "1", "02"})
		}
		if strings.TrimSpace(param) == "" {
			continue
		}
		rule := model.Constraint{Name: "oneof", Param: param}
		for _, option := range append(rule.Words(), "a", "b", "b c", "d e", "'", "", "1") {
			want := c.validator().Var(option, render(rule)) == nil
			if got := oneOf(rule, textType, nil)(&pass{}, reflect.ValueOf(option)); got != want {
				t.Errorf("oneof=%q of %q: %v, validator says %v", param, option, got, want)
			}
		}
	}
}
