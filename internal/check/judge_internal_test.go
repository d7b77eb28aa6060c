package check

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// textJudges compiles every rule of texts that the generator knows.
func textJudges(t testing.TB) map[string]judge {
	t.Helper()
	c, judges := newCompiler(t), map[string]judge{}
	for _, word := range textWords {
		rules, err := model.ParseRules(word)
		if err != nil {
			t.Fatal(err)
		}
		if judged := c.judgeOf(rules.All[0], &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}); judged != nil {
			judges[word] = judged
		}
	}
	return judges
}

// judgedAlike holds the verdicts on a text to those of validator.
func judgedAlike(t *testing.T, c *Compiler, judges map[string]judge, text string) {
	t.Helper()
	for rule, judged := range judges {
		want := verdictOf(c.single.Var(text, rule) == nil)
		if got := judged(reflect.ValueOf(text)); got != want && got != unknown {
			t.Errorf("%s of %q: %d, validator says %d", rule, text, got, want)
		}
	}
}

func TestVerdictsOnTextsAreThoseOfValidator(t *testing.T) {
	t.Parallel()
	c, judges := newCompiler(t), textJudges(t)
	for _, word := range textWords {
		isCompiled := judges[word] != nil
		if wantsValidator := slices.Contains([]string{"boolean", "uri", "ip", "iscolor", "semver", "hexcolor|rgb"}, word); isCompiled == wantsValidator {
			t.Errorf("%s is compiled: %v", word, isCompiled)
		}
	}
	for _, text := range texts {
		judgedAlike(t, c, judges, text)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	g := &generator{rand.New(rand.NewPCG(seed, 0))}
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
	c, judges := newCompiler(f), textJudges(f)
	f.Fuzz(func(t *testing.T, text string) { judgedAlike(t, c, judges, text) })
}

func TestPlainAddressesNeedNoValidator(t *testing.T) {
	t.Parallel()
	judges := textJudges(t)
	for text, rule := range map[string]string{
		"frank.herbert@example.com": "email", "a+b_c-d@mail.example-1.org": "email", "A@B.CO": "email",
		"http://example.com": "url", "https://example.com/a/b_c-d.html?e=f&g=~h": "http_url", "https://sub.example.com/": "https_url",
	} {
		if got := judges[rule](reflect.ValueOf(text)); got != follows {
			t.Errorf("%s of %q is judged %d", rule, text, got)
		}
	}
	for rule, text := range map[string]string{"email": "nobody", "url": "", "http_url": "", "https_url": ""} {
		if got := judges[rule](reflect.ValueOf(text)); got != breaks {
			t.Errorf("%s of %q is judged %d", rule, text, got)
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
			want := verdictOf(c.single.Var(option, render(rule)) == nil)
			if got := c.judgeOf(rule, &model.Type{Kind: model.String})(reflect.ValueOf(option)); got != want {
				t.Errorf("oneof=%q of %q: %d, validator says %d", param, option, got, want)
			}
		}
	}
}

func TestUniqueOfManyElementsIsValidators(t *testing.T) {
	t.Parallel()
	of := &model.Type{Kind: model.List, Elem: &model.Type{Kind: model.Int}}
	judged := newCompiler(t).judgeOf(model.Constraint{Name: "unique"}, of)
	for n, want := range map[int]verdict{0: follows, 1: follows, fewElements: follows, fewElements + 1: unknown} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		if got := judged(reflect.ValueOf(list)); got != want {
			t.Errorf("%d different elements are judged %d, want %d", n, got, want)
		}
	}
	if got := judged(reflect.ValueOf([]int{3, 1, 3})); got != breaks {
		t.Errorf("two equal elements are judged %d", got)
	}
}
