package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCodeIsPartOfFilesThatCompile(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		if !p.checked() {
			continue
		}
		for i, b := range p.blocks {
			switch {
			case b.skip != "":
				if skips[b.skip].reason == "" {
					t.Errorf("%s:%d: skip: %s is not one of skips", p.path, b.line, b.skip)
				}
			case b.language == "sh" || transcript(b):
				if b.run < 0 {
					t.Errorf("%s:%d: a comment such as <!-- run: examples/bookshop --> must say what the commands need", p.path, b.line)
				}
			case i > 0 && b.follows && (p.blocks[i-1].language == "sh" || p.blocks[i-1].skip != ""):
			default:
				for _, part := range missing(t, b) {
					t.Errorf("%s:%d: none of the files %q has this code:\n%s", p.path, b.line, b.code, part)
				}
			}
		}
	}
}

var left = regexp.MustCompile(`(?://|#)?\s*…`)

// missing returns the parts of a block that none of its files has.
func missing(t *testing.T, b block) (parts []string) {
	t.Helper()
	var code []string
	for _, pattern := range b.code {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Errorf("code: %s names no file (%v)", pattern, err)
		}
		for _, file := range files {
			if filepath.Base(file) == "node_modules" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil || strings.HasPrefix(string(text), "//go:build ignore") {
				t.Errorf("%s is not compiled (%v)", file, err)
			}
			code = append(code, flat(string(text)))
		}
	}
	has := func(text string) bool {
		return slices.ContainsFunc(code, func(file string) bool { return strings.Contains(file, flat(text)) })
	}
	if len(code) > 0 && has(b.text) {
		return nil
	}
	for _, part := range left.Split(b.text, -1) {
		if len(code) == 0 || !has(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// flat returns the words of a text: pages have other indentation and columns than files.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestSkippedCommandsAreCheckedElsewhere(t *testing.T) {
	t.Parallel()
	for key, skip := range skips {
		if _, err := os.Stat(filepath.Join(root, skip.instead)); err != nil {
			t.Errorf("skip %q: %v", key, err)
		}
	}
}

// recipeLines is how much code a how-to page has at most, so that it shows the lines that matter.
const recipeLines = 40

func TestHowToPagesShowAtMost40LinesOfCode(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.path, "docs/how-to/") {
			continue
		}
		lines := 0
		for _, b := range p.blocks {
			if slices.Contains([]string{"sh", "console", "text", "http"}, b.language) { // commands, and what they print
				continue
			}
			for line := range strings.Lines(b.text) {
				if strings.TrimSpace(line) != "" {
					lines++
				}
			}
		}
		if lines > recipeLines {
			t.Errorf("%s has %d lines of code, want at most %d", p.path, lines, recipeLines)
		}
	}
}

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
