package describe

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
)

// nouns are what texts call the records of a resource: "order", "an order" and "orders".
type nouns struct{ one, an, many string }

func nounsOf(r *compiled.Resource) nouns {
	one := naming.Phrase(r.ShortName)
	return nouns{one, withArticle(one), naming.Phrase(r.PluralName)}
}

// list joins names with commas, and a word before the last one.
func list(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// code quotes names as code.
func code(names []string) []string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
	}
	return quoted
}

// identifier names the fields of an identifier: "ID", "username", "order and line".
func identifier(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		if words[i] = naming.Phrase(name); name == "id" {
			words[i] = "ID"
		}
	}
	return list(words, "and")
}

// withArticle writes a noun after its indefinite article, which depends on the sound that the noun begins with.
func withArticle(noun string) string {
	first, _, _ := strings.Cut(noun, " ")
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(strings.ToLower(first), prefix) })
	}
	an := begins("a", "e", "i", "o", "u", "8")
	switch {
	case len(first) > 1 && first == strings.ToUpper(first): // read letter by letter
		an = strings.ContainsRune("AEFHILMNORSX8", rune(first[0]))
	case begins("hour", "honest", "honor", "honour", "heir"):
		an = true
	case begins("unin", "unim"):
	case begins("uni", "eu", "ewe", "use", "usu", "usa", "util", "ura", "ubi", "ute", "ufo", "one", "once", "oui"):
		an = false
	}
	if an {
		return "an " + noun
	}
	return "a " + noun
}
