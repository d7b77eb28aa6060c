// Package docs_test checks the pages of the documentation: their code is code that CI compiles, their commands print
// what the page shows, and their links lead somewhere.
//
// A page says in comments where its blocks come from. Each comment holds for the blocks after it, until the next one:
//
//	<!-- code: examples/access/api.go examples/access/*_test.go -->  blocks are parts of these files
//	<!-- run: examples/bookshop -->                                  commands find this program at localhost:8000
//	<!-- run: . -->                                                  commands run in the root of the repository
//	<!-- skip: network -->                                           the next block is not run; skips says why
//
// A block of code may leave out parts, with "…" in their place. Commands (sh) run in one shell for each run comment, in
// order. A json, http, text or console block directly after them is what they print: a string "…" matches any value, a field
// "…" any other fields. Without such a block, curl must get a success. A
// console block whose lines begin with "$ " has commands and what they print.
package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the root of the repository.
const root = "../.."

// skips are the reasons for which commands are not run here, and what checks them instead.
var skips = map[string]struct{ reason, instead string }{
	"network": {"downloads modules or the repository", "examples/bookshop/program_test.go"},
	"starter": {"downloads the latest version", "cmd/trove/starter_test.go"},
	"server":  {"runs until it is stopped, or runs all tests", ".ci/example"},
	"binary":  {"links a binary of 40 MB", ".ci/example"},
	"admin":   {"needs npm and a browser", ".ci/admin"},
	"make":    {"lists tests, of which this is one", "Makefile"},
	"module":  {"is part of a module of its own", ".ci/howto"},
	"nginx":   {"configures a proxy; the test has its weak tags", "internal/spec/wire/preconditions_test.go"},
}

// block is a fenced block of a page.
type block struct {
	line           int
	language, text string
	code           []string // the files it is part of
	run            int      // the index in page.runs, -1 for none
	skip           string   // a key of skips
	follows        bool     // directly follows another block
}

// page is a page with its blocks and the programs of its run comments.
type page struct {
	path, text string
	blocks     []block
	runs       []string
}

// pages reads the pages that people read: all but decisions, the generated API and the changelog.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.IsDir() && slices.Contains([]string{".git", ".tmp", "node_modules", "testdata"}, entry.Name()) {
			return filepath.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(path, ".md") {
			all = append(all, parse(filepath.ToSlash(name), read(t, name)))
		}
		return nil
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("found %d pages: %v", len(all), err)
	}
	return all
}

// unchecked are pages with a test of their own: that of docs/tutorial.md is examples/tutorial/follow_test.go.
var unchecked = []string{"docs/tutorial.md"}

// checked reports whether the blocks of a page are checked: decisions and the changelog show code of their time.
func (p page) checked() bool {
	return !strings.HasPrefix(p.path, "docs/adr/") && p.path != "CHANGELOG.md" && !slices.Contains(unchecked, p.path)
}

var marker = regexp.MustCompile(`^<!-- (code|run|skip): (.+) -->$`)

// parse finds the blocks of a page.
func parse(path, text string) page {
	p := page{path: path, text: text}
	var code []string
	var open *block
	skip, follows := "", false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		language, fence := strings.CutPrefix(trimmed, "```")
		found := marker.FindStringSubmatch(trimmed)
		switch {
		case fence && open != nil:
			p.blocks = append(p.blocks, *open)
			open, skip, follows = nil, "", true
		case fence:
			open = &block{line: i + 1, language: language, code: code, run: len(p.runs) - 1, skip: skip, follows: follows}
		case open != nil:
			open.text += line + "\n"
		case found != nil && found[1] == "code":
			code = strings.Fields(found[2])
		case found != nil && found[1] == "run":
			p.runs = append(p.runs, found[2])
		case found != nil:
			skip = found[2]
		case trimmed != "":
			follows = false
		}
	}
	return p
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
