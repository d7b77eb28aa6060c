package describe

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
)

// Text is one of the texts that descriptions of an API consist of.
type Text struct {
	Key     string
	English string // the default, with placeholders in braces
	Where   string // where the text appears
	Values  string // the names of all its placeholders, separated by spaces
}

// Texts replaces texts by their keys. A key that is missing has its English text, so that nil is English.
type Texts map[string]string

// ownTexts returns the texts of this package: all but those of rules, which package check has.
func ownTexts() []Text {
	return slices.Concat(operationTexts, parameterTexts, responseTexts, schemaTexts, securityTexts, words)
}

// Table returns all texts in the order in which translators read them.
func Table() []Text {
	list := ownTexts()
	sentences := check.Sentences()
	for _, key := range slices.Sorted(maps.Keys(sentences)) {
		list = append(list, Text{key, sentences[key], "Field: a rule of the validate tag that JSON Schema cannot express.", "param rule fields all any are pairs"})
	}
	return list
}

// english holds the English texts of this package by key.
var english = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // never changes once built
	byKey := map[string]string{}
	for _, text := range ownTexts() {
		byKey[text.Key] = text.English
	}
	return byKey
})

// Text returns the text of a key. The values are pairs: the name of a placeholder, and what replaces it.
func (t Texts) Text(key string, values ...string) string {
	return t.or(key, english()[key], values...)
}

// or returns the text of a key, which is otherwise that of a template.
func (t Texts) or(key, template string, values ...string) string {
	if own, replaced := t[key]; replaced {
		template = own
	}
	return expand(template, func(name string) (string, bool) {
		for i := 0; i < len(values); i += 2 {
			if values[i] == name {
				return values[i+1], true
			}
		}
		return "", false
	})
}

// expand replaces the placeholders of a template. One that has no value stays as it is.
func expand(template string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if text, known := value(name); closed && isPlaceholder(name) && known {
			b.WriteString(text)
			template = after
			continue
		}
		b.WriteByte('{')
		template = rest
	}
}

// isPlaceholder reports whether what is in braces is the name of a placeholder, rather than an example of JSON.
func isPlaceholder(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == ""
}

// Check returns the errors of texts for an API: unknown keys, and placeholders that a key does not have.
func (t Texts) Check(api *compiled.API) error {
	known := map[string]string{}
	for _, text := range Table() {
		known[text.Key] = text.Values
	}
	for _, r := range api.Resources {
		for _, form := range []string{".one", ".an", ".many"} {
			known["resource."+r.ShortName+form] = ""
		}
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(t)) {
		values, is := known[key]
		switch {
		case !is:
			errs = append(errs, fmt.Errorf("unknown key %q%s", key, naming.DidYouMean(key, slices.Sorted(maps.Keys(known)))))
			continue
		case t[key] == "" && strings.HasPrefix(key, "response."): // OpenAPI requires a description
			errs = append(errs, fmt.Errorf("%s must not be empty", key))
		}
		expand(t[key], func(name string) (string, bool) {
			if allowed := strings.Fields(values); isPlaceholder(name) && !slices.Contains(allowed, name) {
				errs = append(errs, fmt.Errorf("%s has no placeholder {%s}; allowed: %s%s", key, name,
					placeholders(allowed), naming.DidYouMean(name, allowed)))
			}
			return "", false
		})
	}
	return errors.Join(errs...)
}

// placeholders lists names in braces, as texts have them.
func placeholders(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "{" + strings.Join(names, "}, {") + "}"
}

// nouns are the placeholders of a resource, which an API can replace for each: resource.DragonTreasure.one.
func (t Texts) nouns(r *compiled.Resource) []string {
	one, many := naming.Phrase(r.ShortName), naming.Phrase(r.PluralName)
	noun := func(form, usual string) string { return cmp.Or(t["resource."+r.ShortName+form], usual) }
	one = noun(".one", one)
	return []string{"one", one, "an", noun(".an", withArticle(one)), "many", noun(".many", many), "name", r.ShortName}
}

// under is nouns with names that begin with a prefix: {parent} and {a-parent}.
func (t Texts) under(prefix string, r *compiled.Resource) []string {
	nouns := t.nouns(r)
	return []string{prefix, nouns[1], "a-" + prefix, nouns[3]}
}

// list joins names as code: `a`, `b` and `c`.
func (t Texts) list(names []string, join string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + t.Text("words."+join) + names[last]
}

// code quotes names as code.
func code(names []string) []string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
	}
	return quoted
}

// spoken are the acronyms that people read as a word: a RAM disk, but an RPC call.
var spoken = []string{"LAN", "NAT", "RAM", "ROM", "SAM", "SIM", "SIP", "MAC", "SAML", "FIDO", "NATO", "NASA"}

// withArticle writes a noun after its indefinite article, which depends on the sound that the noun begins with.
func withArticle(noun string) string {
	first, _, _ := strings.Cut(noun, " ")
	lower, an := strings.ToLower(first), false
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(lower, prefix) })
	}
	switch {
	case first == "":
	case len(first) > 1 && first == strings.ToUpper(first) && !slices.Contains(spoken, first): // read letter by letter
		an = strings.ContainsRune("AEFHILMNORSX8", rune(first[0]))
	case begins("hour", "honest", "honor", "honour", "heir"):
		an = true
	case begins("uni") && !begins("unin", "unim"), begins("eu", "ewe", "use", "usu", "usa", "util", "ura", "ubi", "ute", "ufo", "one", "once", "oui"):
	default:
		an = strings.ContainsRune("aeiou8", rune(lower[0]))
	}
	if an {
		return "an " + noun
	}
	return "a " + noun
}
