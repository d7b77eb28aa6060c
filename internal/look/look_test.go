package look_test

import (
	"testing"

	"github.com/trove-api/trove/internal/look"
)

func TestInitial(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Hoard": "H", "The hoard": "h", "An API": "A", "a  b": "b", "A": "A", "Ärzte": "Ä", "": "", "Theatre": "T", " x": "x",
	} {
		if got := look.Initial(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

func TestEachFileHasItsText(t *testing.T) {
	t.Parallel()
	for _, name := range look.Names() {
		if look.Text(name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
}
