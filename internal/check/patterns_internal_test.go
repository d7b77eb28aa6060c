package check

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// hostile are parameters with characters that patterns, source code and regular expressions treat differently.
var hostile = []string{
	"3", "a", "é", "日本", "😀", "a😀é", "\u2028", "a\u2029b", "\ufeff", "a-z", "]^[-\\", "a/b", "\t", "\x7f\u0085", "K k\u212a", "𐐀", "ſ", "'it is' ǅ", "{1}", "2006-01-02",
}

// tried are the texts that patterns are tried with.
var tried = slices.Concat(texts, hostile, []string{
	"", " ", "a", "A", "abc", "ABC", "1", "-1.5", "a b", "\n", "a\n", "a\u2028b", "\u0085", "\u180e", "\u00a0", "\x1c", "日", "\U00010428", "😁", "K", "S", "s", "b", "-", "\\", "/",
	"z", "10115", "#ff8800", "0x1F", "https://example.com/", "9b2d7c1e-0d63-4a55-8a44-6f6b6f7a1c11", "aGVsbG8=", "%41", "+4930123456", "1.2.3-a.b+c", "a.b.", "DE", "12.5",
})

// fits returns the supported rules, each with the kinds that it applies to.
func fits() map[string][]model.Kind {
	list := map[string][]model.Kind{}
	for name, rule := range catalogue() {
		for kind := model.Bool; kind <= model.Map && rule.unsupported == ""; kind++ {
			if rule.fits.has(kind) {
				list[name] = append(list[name], kind)
			}
		}
	}
	return list
}

// patterns returns the patterns in the schemas of all rules for all kinds and parameters.
func patterns() []string {
	var found []string
	for rule, kinds := range fits() {
		for _, kind := range kinds {
			for _, param := range hostile {
				said := Describe(rule, Subject{Type: &model.Type{Kind: kind, Elem: &model.Type{Kind: model.String}}, Param: param})
				said.Keywords.Each(func(s *schema.Schema) {
					if s.Pattern != "" {
						found = append(found, s.Pattern)
					}
				})
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func TestPatternsOfAllRulesArePrintableASCIIAndCompileInGo(t *testing.T) {
	t.Parallel()
	all := patterns()
	if len(all) < 150 {
		t.Errorf("only %d patterns are found", len(all))
	}
	codePoint := regexp.MustCompile(`\\u([0-9A-F]{4})`) // as kin-openapi rewrites them
	for _, pattern := range all {
		if strings.ContainsFunc(pattern, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is not printable ASCII", pattern)
		}
		if _, err := regexp.Compile(codePoint.ReplaceAllString(pattern, `\x{$1}`)); err != nil {
			t.Errorf("by kin-openapi: %v", err)
		}
		if _, err := schema.Compile(pattern); err != nil {
			t.Error(err)
		}
	}
}

// judged is what Node.js finds with a pattern.
type judged struct {
	Error string // why the flag u does not allow it
	Found []bool // for each text
}

func TestPatternsMeanInNodeWhatTheyMeanInGo(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not installed")
	}
	all := append(patterns(), `\s`, `[\s]`, `[^\s]`, `[\Sa]`, `^[^\S]$`, `.`, `^.$`, `[.]`, `\u{1F600}`, `\u2028`, `^\uD83D\uDE00$`, `\.`, `[\]\s]`)
	var results []judged
	const script = `const { patterns, texts } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(patterns.map((p) => {
  try { const made = new RegExp(p, "u"); return { Found: texts.map((text) => made.test(text)) }; } catch (e) { return { Error: String(e) }; }
})));`
	askNode(t, node, script, map[string][]string{"patterns": all, "texts": tried}, &results)
	for i, pattern := range all {
		made, err := schema.Compile(pattern)
		if err != nil || results[i].Error != "" {
			t.Errorf("%s: %v %s", pattern, err, results[i].Error)
			continue
		}
		for j, text := range tried {
			if got := made.MatchString(text); got != results[i].Found[j] {
				t.Errorf("%s matches %q: %v in Go, %v in Node.js", pattern, text, got, !got)
			}
		}
	}
	var spaces []rune
	askNode(t, node, `const all = []; for (let c = 0; c <= 0x10ffff; c++) if (/\s/u.test(String.fromCodePoint(c))) all.push(c); console.log(JSON.stringify(all));`, nil, &spaces)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		isSurrogate := 0xd800 <= r && r <= 0xdfff
		if is := slices.Contains(spaces, r); is == IsNotBlank(string(r)) && !isSurrogate {
			t.Errorf("%U is white space in Node.js: %v", r, is)
		}
	}
}

func askNode(t *testing.T, node, script string, question, answer any) {
	t.Helper()
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), node, "-e", script)
	command.Stdin = bytes.NewReader(text)
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		t.Fatalf("Node.js: %v", err)
	}
}
