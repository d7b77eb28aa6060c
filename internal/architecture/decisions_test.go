package architecture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecisionsAreInTheirIndexOnce(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile(filepath.Join("..", "..", "docs", "adr", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, line := range regexp.MustCompile(`(?m)^- \[\d+\]\(([^)]+)\)`).FindAllSubmatch(index, -1) {
		listed = append(listed, string(line[1]))
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "adr", "[0-9]*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	slices.Sort(listed) // the index has groups
	if diff := cmp.Diff(files, listed); diff != "" {
		t.Errorf("the index is not that of the files (-files +index):\n%s", diff)
	}
}
