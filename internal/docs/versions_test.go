package docs_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// suites are the programs of other people in the README, with their packages.
var suites = []struct{ name, file, module string }{
	{"Redocly", "clients/package.json", "@redocly/cli"},
	{"Spectral", "clients/package.json", "@stoplight/spectral-cli"},
	{"openapi-typescript", "clients/package.json", "openapi-typescript"},
	{"Hey API", "clients/package.json", "@hey-api/openapi-ts"},
	{"oapi-codegen", "clients/go/go.mod", "github.com/oapi-codegen/oapi-codegen/v2"},
	{"jsonld", "clients/jsonld/package.json", "jsonld"},
	{"api-doc-parser", "clients/jsonld/package.json", "@api-platform/api-doc-parser"},
	{"API Platform Admin", "clients/admin/package.json", "@api-platform/admin"},
	{"Kitsu", "clients/jsonapi/package.json", "kitsu"},
	{"Ketting", "clients/hal/package.json", "ketting"},
	{"MCP TypeScript SDK", "clients/mcp/package.json", "@modelcontextprotocol/sdk"},
}

func TestReadmeNamesTheVersionsThatRun(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	for _, suite := range suites {
		want := version(t, suite.file, suite.module)
		if found := regexp.MustCompile(regexp.QuoteMeta(suite.name) + ` (\d[\d.]*)`).FindStringSubmatch(readme); found == nil || found[1] != want {
			t.Errorf("README.md names %q; %s has %s %s", found, suite.file, suite.module, want)
		}
	}
}

// version returns the version of a package in a package.json or go.mod.
func version(t *testing.T, file, module string) string {
	t.Helper()
	text := read(t, file)
	if strings.HasSuffix(file, "go.mod") {
		_, rest, _ := strings.Cut(text, module+" v")
		return strings.Fields(rest + " none")[0]
	}
	var locked struct {
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if err := json.Unmarshal([]byte(text), &locked); err != nil {
		t.Fatal(err)
	}
	if of := locked.Dependencies[module]; of != "" {
		return of
	}
	return locked.DevDependencies[module]
}

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
