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
