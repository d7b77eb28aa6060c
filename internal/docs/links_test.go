package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced = regexp.MustCompile("(?s)```.*?```")
	title  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inCode = regexp.MustCompile("`[^`\n]*`")
	target = regexp.MustCompile(`\bmake ([a-z]+)\b`)
	named  = regexp.MustCompile("`((?:access|bench|clients|docs|examples|format|internal|mcp|openapi|operation|resource|store|validation|\\.ci)/[\\w./-]*|(?:Test|Fuzz|Benchmark)[A-Z]\\w+)`")
)

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	all := pages(t)
	for _, p := range all {
		texts[p.path] = p.text
	}
	for _, p := range all {
		prose := inCode.ReplaceAllString(fenced.ReplaceAllString(p.text, ""), "")
		for _, found := range link.FindAllStringSubmatch(prose, -1) {
			if strings.Contains(found[1], ":") {
				continue // another site
			}
			file, anchor, _ := strings.Cut(found[1], "#")
			path := p.path
			if file != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(p.path), file))
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("%s links %s, which does not exist", p.path, found[1])
			} else if anchor != "" && strings.HasSuffix(path, ".md") && !hasAnchor(texts[path], anchor) {
				t.Errorf("%s links %s, and that page has no such heading", p.path, found[1])
			}
		}
	}
}

// hasAnchor reports whether a heading has the anchor that GitHub gives it.
func hasAnchor(text, anchor string) bool {
	for _, found := range title.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		kept := regexp.MustCompile(`[^\p{L}\p{N}_\- ]`).ReplaceAllString(strings.ToLower(found[1]), "")
		if strings.ReplaceAll(strings.TrimSpace(kept), " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestPagesNameFilesTestsAndTargetsThatExist(t *testing.T) {
	t.Parallel()
	makefile, sources := read(t, "Makefile"), tests(t)
	for _, p := range pages(t) {
		if !p.checked() {
			continue
		}
		for _, found := range target.FindAllStringSubmatch(strings.Join(inCode.FindAllString(p.text, -1), " ")+shell(p), -1) {
			if !strings.Contains(makefile, "\n"+found[1]+": ") {
				t.Errorf("%s names make %s, which does not exist", p.path, found[1])
			}
		}
		for _, found := range named.FindAllStringSubmatch(fenced.ReplaceAllString(p.text, ""), -1) {
			if !strings.Contains(found[1], "/") {
				if !strings.Contains(sources, "func "+found[1]+"(") {
					t.Errorf("%s names %s, which does not exist", p.path, found[1])
				}
			} else if _, err := os.Stat(filepath.Join(root, found[1])); err != nil {
				t.Errorf("%s names %s, which does not exist", p.path, found[1])
			}
		}
	}
}

// shell returns the commands of a page.
func shell(p page) string {
	var all strings.Builder
	for _, b := range p.blocks {
		if b.language == "sh" {
			all.WriteString("\n" + b.text)
		}
	}
	return all.String()
}

// tests returns the text of all test files.
func tests(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == ".tmp" || entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all.Write(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
