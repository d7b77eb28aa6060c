package architecture_test

import (
	"cmp"
	"go/ast"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// row is a row of the table of words in CONTRIBUTING.md: a pattern, what to write instead, and phrases that contain
// the pattern and are fine.
type row struct {
	pattern, fine *regexp.Regexp
	instead       string
}

// inTable finds the rows of the table: | `pattern` | instead | `fine` |.
var inTable = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|(?: `([^`]+)`)? ?\\|$")

// vocabulary reads the table of words. A backslash before a bar belongs to Markdown.
func vocabulary(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, found := range inTable.FindAllStringSubmatch(strings.ReplaceAll(string(text), `\|`, "\x00"), -1) {
		r := row{pattern: compiled(found[1]), instead: strings.TrimSpace(found[2])}
		if found[3] != "" {
			r.fine = compiled(found[3])
		}
		rows = append(rows, r)
	}
	if len(rows) < 20 {
		t.Fatalf("CONTRIBUTING.md has %d words, want at least 20: has the table changed its form?", len(rows))
	}
	return rows
}

// compiled makes a pattern match whole words, in any letter case and across the lines of a comment.
func compiled(pattern string) *regexp.Regexp {
	pattern = strings.NewReplacer("\x00", "|", " ", `[\s/]+`).Replace(pattern)
	return regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`)
}

// name matches what texts quote from code: inline code, quoted words, and identifiers with capitals, dots or underscores.
var name = regexp.MustCompile("`[^`\n]*`|\"[^\" \n]*\"|\\[[\\w.]+\\]|[A-Za-z_]+[.(][A-Za-z_]\\w*|\\b\\w+[_A-Z]\\w*|\\b[A-Z]\\w*:")

// find yields the words of a text that the row advises against, with the number of lines before each.
func (r row) find(text string) iter.Seq2[string, int] {
	if !r.pattern.MatchString(text) { // most texts, and the rest takes long
		return func(func(string, int) bool) {}
	}
	blank := func(found string) string {
		return strings.Map(func(c rune) rune {
			if c == '\n' {
				return c
			}
			return '~'
		}, found)
	}
	if r.fine != nil {
		text = r.fine.ReplaceAllStringFunc(text, blank)
	}
	text = name.ReplaceAllStringFunc(text, blank)
	return func(yield func(string, int) bool) {
		for _, at := range r.pattern.FindAllStringIndex(text, -1) {
			if !yield(text[at[0]:at[1]], strings.Count(text[:at[0]], "\n")) {
				return
			}
		}
	}
}

func TestTextsUseTheWordsOfTheField(t *testing.T) {
	t.Parallel()
	rows := vocabulary(t)
	check := func(path string, line int, text string) {
		for _, r := range rows {
			for found, after := range r.find(text) {
				t.Errorf("%s:%d: %q: write %s", path, line+after, found, r.instead)
			}
		}
	}
	for _, s := range sources(t) {
		checkSource(s, check)
	}
	for _, path := range pages(t) {
		checkPage(t, path, check)
	}
}

// subject matches the name that a comment begins with.
var subject = regexp.MustCompile(`^// [A-Z]\w*`)

// checkSource checks the comments of a file and, outside of tests, its strings.
func checkSource(s source, check func(path string, line int, text string)) {
	for _, group := range s.file.Comments {
		lines := make([]string, len(group.List))
		for i, comment := range group.List {
			if !strings.HasPrefix(comment.Text, "//nolint") && !strings.HasPrefix(comment.Text, "//go:") {
				lines[i] = comment.Text
			}
		}
		lines[0] = subject.ReplaceAllString(lines[0], "")
		check(s.path, s.line(group), strings.Join(lines, "\n"))
	}
	if strings.HasSuffix(s.path, "_test.go") {
		return
	}
	ast.Inspect(s.file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.Field: // tags
			return n.Tag == nil
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && strings.Contains(text, " ") {
				check(s.path, s.line(n), text)
			}
		}
		return true
	})
}

// pages returns the Markdown files of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".tmp" || entry.Name() == "node_modules" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if relative, err := filepath.Rel(root, path); err == nil && strings.HasSuffix(path, ".md") {
			paths = append(paths, filepath.ToSlash(relative))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// checkPage checks the prose of a page, but no code and not the table of words itself.
func checkPage(t *testing.T, path string, check func(path string, line int, text string)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	lines, inCode := strings.Split(string(text), "\n"), false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence || inCode || inTable.MatchString(strings.ReplaceAll(line, `\|`, "\x00")) {
			lines[i] = ""
		}
		inCode = inCode != fence
	}
	check(path, 1, strings.Join(lines, "\n"))
}

func TestWordsAreFoundAsTheTableSays(t *testing.T) {
	t.Parallel()
	rows := vocabulary(t)
	tests := map[string]string{
		"A member is absent.":                 "member",
		"It is answered 404.":                 "answered",
		"Somebody sends it.":                  "somebody",
		"its address changes":                 "address",
		"the e-mail address of a user":        "",
		"a membership":                        "",
		"the IP address of a client":          "",
		"It is\n// no list.":                  "is\n// no",
		"there is no such file":               "",
		"It is no list.":                      "is no",
		"The response has a field.":           "",
		"it is kept, for it may be needed":    "for it may",
		"an example, for instance a response": "",
	}
	for text, want := range tests {
		got := ""
		for _, r := range rows {
			for found := range r.find(text) {
				got = cmp.Or(got, strings.ToLower(found))
			}
		}
		if got != want {
			t.Errorf("in %q: found %q, want %q", text, got, want)
		}
	}
}
