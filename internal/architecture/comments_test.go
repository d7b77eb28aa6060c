package architecture_test

import (
	"go/ast"
	"maps"
	"strings"
	"testing"
)

// minComments is how many of a hundred lines of internal packages are comments alone, blank
// lines left out.
const minComments = 15

func TestInternalPackagesAreCommented(t *testing.T) {
	t.Parallel()
	comments, lines := 0, 0
	for _, s := range code(t) {
		if strings.HasPrefix(s.dir, "internal/") {
			alone, all := s.commented()
			comments, lines = comments+alone, lines+all
		}
	}
	if lines == 0 {
		t.Fatal("found no line in any internal package")
	}
	if share := 100 * comments / lines; share < minComments {
		t.Errorf("%d of %d lines of internal packages are comments, %d %%; at least %d %%: say why things are as they are", comments, lines, share, minComments)
	}
}

// commented counts the lines of a file that are comments alone, and all that have something
// on them. A comment behind code is often a unit or a case, so it does not count.
func (s source) commented() (alone, all int) {
	comments, code := map[int]bool{}, map[int]bool{}
	for _, group := range s.file.Comments {
		for line := s.line(group); line <= s.set.Position(group.End()).Line; line++ {
			comments[line] = true
		}
	}
	ast.Inspect(s.file, func(node ast.Node) bool {
		switch node.(type) {
		case nil, *ast.File, *ast.CommentGroup, *ast.Comment:
			return node != nil
		}
		code[s.line(node)], code[s.set.Position(node.End()-1).Line] = true, true
		return true
	})
	maps.DeleteFunc(comments, func(line int, _ bool) bool { return code[line] })
	return len(comments), len(comments) + len(code)
}
