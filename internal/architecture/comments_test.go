package architecture_test

import (
	"go/ast"
	"strings"
	"testing"
)

// minComments is how many of a hundred lines of internal packages have a comment, blank lines
// left out. The goal is 15; a little less is no mistake of the change that happens to be last.
const minComments = 14

func TestInternalPackagesAreCommented(t *testing.T) {
	t.Parallel()
	commented, lines := 0, 0
	for _, s := range code(t) {
		if strings.HasPrefix(s.dir, "internal/") {
			with, all := s.commented()
			commented, lines = commented+with, lines+all
		}
	}
	if lines == 0 {
		t.Fatal("found no line in any internal package")
	}
	if share := 100 * commented / lines; share < minComments {
		t.Errorf("%d of %d lines of internal packages have a comment, %d %%; at least %d %%: say why things are as they are", commented, lines, share, minComments)
	}
}

// commented counts the lines of a file with a comment, and all that have something on them.
func (s source) commented() (with, all int) {
	comments, filled := map[int]bool{}, map[int]bool{}
	for _, group := range s.file.Comments {
		for line := s.line(group); line <= s.set.Position(group.End()).Line; line++ {
			comments[line], filled[line] = true, true
		}
	}
	ast.Inspect(s.file, func(node ast.Node) bool {
		if node != nil {
			filled[s.line(node)], filled[s.set.Position(node.End()-1).Line] = true, true
		}
		return true
	})
	return len(comments), len(filled)
}
