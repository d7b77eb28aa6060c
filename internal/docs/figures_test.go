package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The README repeats a few figures of docs/performance.md, which a command writes.
func TestTheFiguresOfTheReadmeAreThoseThatWereMeasured(t *testing.T) {
	t.Parallel()
	ratios := func(contender string) string {
		row := regexp.MustCompile(`(?m)^\| ` + contender + ` \| ([\d.]+) .*?\| ([\d.]+) .*?\| [\d.]+ .*?\| ([\d.]+) `).FindStringSubmatch(read(t, "docs/performance.md"))
		if row == nil {
			t.Fatalf("docs/performance.md has no row of %s", contender)
		}
		return fmt.Sprintf("get %s, page %s, create %s", row[1], row[2], row[3])
	}
	want := ratios("trove") + ". Huma: " + strings.NewReplacer("get ", "", "page ", "", "create ", "").Replace(ratios("huma"))
	if !strings.Contains(read(t, "README.md"), want) {
		t.Errorf("README.md has other ratios than docs/performance.md: want %q", want)
	}
}
