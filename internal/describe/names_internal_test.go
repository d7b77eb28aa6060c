package describe

import (
	"regexp"
	"testing"
)

func TestNamesOfComponents(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`^[a-zA-Z0-9._-]*$`)
	for name, want := range map[string]string{
		"Book": "Book", "book": "Book", "Page[int]": "Pageint", "Local·12": "Local", "Größe": "GrUF6UDFe", "日": "U65E5", "": "",
	} {
		if got := ComponentName(name); got != want || !allowed.MatchString(got) {
			t.Errorf("ComponentName(%q) = %q, want %q", name, got, want)
		}
	}
}
