package check

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
)

// textType is the type of the texts that are judged.
var textType = &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}

// textJudges compiles every rule of texts that the generator knows. Rules that only validator can judge are those
// that ask.
func textJudges(t testing.TB, c *Compiler) (judges map[string]judge, asking []string) {
	t.Helper()
	judges = map[string]judge{}
	for _, word := range textWords {
		rules, err := model.ParseRules(word)
		if err != nil {
			t.Fatal(err)
		}
		p := planner{compiler: c}
		judged, around := p.compiled(rules.All[0], &declaration{}, textType)
		if judged == nil {
			judged = func(v reflect.Value) bool { return around(scope{}, v) }
		}
		if judges[word] = judged; p.asks {
			asking = append(asking, word)
		}
	}
	return judges, asking
}

// judgedAlike holds the verdicts on a text to those of validator.
func judgedAlike(t *testing.T, c *Compiler, judges map[string]judge, text string) {
	t.Helper()
	for rule, judged := range judges {
		want := c.single().Var(text, rule) == nil
		if got := judged(reflect.ValueOf(text)); got != want {
			t.Errorf("%s of %q: %v, validator says %v", rule, text, got, want)
		}
	}
}

func TestVerdictsOnTextsAreThoseOfValidator(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	judges, asking := textJudges(t, c)
	if want := []string{"boolean", "uri", "ip", "hexcolor|rgb", "iscolor", "semver"}; !slices.Equal(asking, want) {
		t.Errorf("validator judges %q, want %q", asking, want)
	}
	for _, text := range texts {
		judgedAlike(t, c, judges, text)
	}
	g := &generator{rand.New(rand.NewPCG(2, 3))}
	for range 2000 {
		judgedAlike(t, c, judges, g.mutated(pick(g, texts)))
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

func FuzzVerdictsOnTextsAreThoseOfValidator(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	c := newCompiler(f)
	judges, _ := textJudges(f, c)
	f.Fuzz(func(t *testing.T, text string) { judgedAlike(t, c, judges, text) })
}

func TestPlainEmailAddressesNeedNoValidator(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	c.single = func() *validator.Validate { panic("validator is asked") }
	judges, _ := textJudges(t, c)
	for text, rule := range map[string]string{
		"frank.herbert@example.com": "email", "a+b_c-d@mail.example-1.org": "email", "A@B.CO": "email",
		"http://example.com": "url", "https://example.com/a/b_c-d.html?e=f&g=~h": "http_url", "https://sub.example.com/": "https_url",
	} {
		if !judges[rule](reflect.ValueOf(text)) {
			t.Errorf("%s of %q does not hold", rule, text)
		}
	}
	for rule, text := range map[string]string{"email": "nobody", "url": "", "http_url": "", "https_url": ""} {
		if judges[rule](reflect.ValueOf(text)) {
			t.Errorf("%s of %q holds", rule, text)
		}
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
		for _, option := range append(Words(param), "a", "b", "b c", "d e", "'", "", "1") {
			rule := model.Constraint{Name: "oneof", Param: param}
			want := c.single().Var(option, render(rule)) == nil
			if got := c.judgeOf(rule, textType, nil)(reflect.ValueOf(option)); got != want {
				t.Errorf("oneof=%q of %q: %v, validator says %v", param, option, got, want)
			}
		}
	}
}

func TestUniqueOfManyElementsIsValidators(t *testing.T) {
	t.Parallel()
	of := &model.Type{Go: reflect.TypeFor[[]int](), Kind: model.List, Elem: &model.Type{Kind: model.Int}}
	asked := false
	judged := newCompiler(t).judgeOf(model.Constraint{Name: "unique"}, of, func(reflect.Value) bool {
		asked = true
		return true
	})
	for n, want := range map[int]bool{0: false, 1: false, fewElements: false, fewElements + 1: true} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		asked = false
		if holds := judged(reflect.ValueOf(list)); !holds || asked != want {
			t.Errorf("%d different elements: %v, and validator is asked: %v", n, holds, asked)
		}
	}
	if judged(reflect.ValueOf([]int{3, 1, 3})) {
		t.Error("two equal elements hold")
	}
}
