package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// reserved are words that are patterns of the command go, or folders with a special meaning.
var reserved = []string{"all", "cmd", "con", "internal", "main", "nul", "prn", "aux", "std", "testdata", "tool", "vendor", "work"}

var (
	element  = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	lastWord = regexp.MustCompile(`^[a-z][a-z0-9._-]*$`)
	major    = regexp.MustCompile(`^v[0-9]+$`)
)

// checkModule returns an error unless a name can be a module path whose last word is a folder.
func checkModule(name string) error {
	word := path.Base(name)
	switch lower := strings.ToLower(word); {
	case name == "":
		return errors.New("the name is empty; use a word or a module path, such as shop or example.com/shop")
	case strings.HasPrefix(name, "-"):
		return fmt.Errorf("%q looks like a flag; begin the name with a letter", name)
	case path.Clean(name) != name || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "."):
		return fmt.Errorf("%q is a path of folders; use a word or a module path, such as shop or example.com/shop", name)
	case major.MatchString(word):
		return fmt.Errorf("%q ends in a major version; leave it out", name)
	case word != lower && lastWord.MatchString(lower):
		return fmt.Errorf("%q has capital letters; use %q", word, lower)
	case !lastWord.MatchString(word) || strings.HasSuffix(word, "."):
		return fmt.Errorf("%q is not a name; allowed: lower-case letters, digits, '-', '_' and '.', with a letter first", word)
	case token.IsKeyword(word):
		return fmt.Errorf("%q is a keyword of Go; use another name", word)
	case slices.Contains(reserved, word):
		return fmt.Errorf("%q has a special meaning for Go or the system; use another name", word)
	}
	before := strings.Split(name, "/")
	before = before[:len(before)-1]
	for _, each := range before {
		if !element.MatchString(each) || strings.HasSuffix(each, ".") {
			return fmt.Errorf("%q cannot be part of a module path; allowed: letters, digits, '-', '_', '~' and '.'", each)
		}
	}
	if len(before) > 0 && strings.ToLower(before[0]) != before[0] {
		return fmt.Errorf("%q has capital letters; use %q", before[0], strings.ToLower(before[0]))
	}
	return nil
}

// isStandard reports whether a module path is that of a package of the standard library. Without the command go it
// returns false.
func isStandard(ctx context.Context, module string) bool {
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.Standard}}", "--", module) //nolint:gosec // module is checked
	output, err := list.Output()
	return err == nil && strings.TrimSpace(string(output)) == "true"
}
