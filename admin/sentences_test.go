package admin_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestThePageHasATextForEachRule reads the rules of docs/reference.md, which is made of the code. The page must recognize what
// the API says about a broken rule, or it could not translate it.
func TestThePageHasATextForEachRule(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("ui/rules.js")
	if err != nil {
		t.Fatal(err)
	}
	placeholder := regexp.MustCompile(`\\\{\w+\\\}`)
	var known []*regexp.Regexp
	for _, text := range regexp.MustCompile(`(?m)^  "error\.(?:ip|[\w.]{3,})": ["']\{field\} (.*)["'],$`).FindAllStringSubmatch(string(script), -1) {
		known = append(known, regexp.MustCompile("^"+placeholder.ReplaceAllString(regexp.QuoteMeta(text[1]), ".+")+"$"))
	}
	_, table, _ := strings.Cut(string(reference), "\n## Rules\n")
	table, _, _ = strings.Cut(table, "\n|---|---|\n") // of formats
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(table, -1)
	if len(rows) < 150 || len(known) < 150 {
		t.Fatalf("%d rules, %d texts", len(rows), len(known))
	}
	for _, row := range rows {
		isKnown := regexp.MustCompile("^(eq|ne)=").MatchString(row[1]) // any value
		for _, one := range known {
			isKnown = isKnown || one.MatchString(row[2])
		}
		if !isKnown {
			t.Errorf("rule %s: no text for %q", row[1], row[2])
		}
	}
}
