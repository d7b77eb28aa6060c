// Package naming converts Go names into the names of an API: snake case, plurals and phrases. It also finds the name
// nearest to a misspelt one.
package naming

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// compounds are words with capitals inside, so that the path of OAuthClient is not o_auth_clients.
var compounds = strings.NewReplacer("OAuth", "Oauth", "GraphQL", "Graphql", "IPv", "Ipv", "MySQL", "Mysql")

// Words returns the words of a Go name in lower case: "HTTPServer" gives "http" and "server".
func Words(name string) []string {
	words := split(compounds.Replace(name))
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

// split cuts a Go name into its words. An acronym is one word. A digit belongs to the word before it, and so does the
// plural s of an acronym ("MyURLs").
func split(name string) []string {
	runes := []rune(name)
	var words []string
	start := 0
	for i := 1; i < len(runes); i++ {
		if runes[i] == '_' || runes[i-1] == '_' || startsWord(runes, i) {
			words = appendWord(words, runes[start:i])
			start = i
		}
	}
	if words = appendWord(words, runes[start:]); words == nil {
		return []string{name}
	}
	return words
}

// appendWord appends a word without the underscores around it, if anything is left.
func appendWord(words []string, runes []rune) []string {
	if word := strings.Trim(string(runes), "_"); word != "" {
		return append(words, word)
	}
	return words
}

// startsWord reports whether a capital begins a word: after a lower-case letter, or as the last capital of several,
// unless only the s of a plural follows.
func startsWord(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	next := i + 1
	if next >= len(runes) || !unicode.IsLower(runes[next]) {
		return false
	}
	pluralOfAcronym := runes[next] == 's' && (next+1 == len(runes) || unicode.IsUpper(runes[next+1]))
	return !pluralOfAcronym
}

// TypeName returns the name of a type for use in an API. It omits the package and puts type arguments first, so that
// Page[shop.Book] is "BookPage".
func TypeName(t reflect.Type) string {
	return typeName(t.Name())
}

// typeName is [TypeName] for the name that package reflect returns, in which type arguments have packages.
func typeName(name string) string {
	name, arguments, generic := strings.Cut(name, "[")
	if !generic {
		return Capital(name[strings.LastIndexAny(name, "./*]")+1:])
	}
	var prefix strings.Builder
	for _, argument := range splitArguments(strings.TrimSuffix(arguments, "]")) {
		prefix.WriteString(typeName(argument))
	}
	return prefix.String() + Capital(name[strings.LastIndexAny(name, "./*]")+1:])
}

// splitArguments cuts a list of type arguments at the commas outside brackets.
func splitArguments(list string) []string {
	var arguments []string
	depth, start := 0, 0
	for i, r := range list {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			arguments = append(arguments, list[start:i])
			start = i + 1
		}
	}
	return append(arguments, list[start:])
}

// Phrase writes a Go name as words for the middle of a sentence. Acronyms keep their capitals: "DragonTreasure" gives
// "dragon treasure", "HTTPServer" gives "HTTP server".
func Phrase(name string) string {
	words := Words(name)
	rest := []rune(strings.ReplaceAll(name, "_", ""))
	for i, word := range words {
		length := min(len([]rune(word)), len(rest))
		original := string(rest[:length])
		rest = rest[length:]
		if length > 1 && original == strings.ToUpper(original) {
			words[i] = original
		}
	}
	return strings.Join(words, " ")
}

// SentenceCase writes a name as words, the first with a capital.
func SentenceCase(name string) string { return Capital(Phrase(name)) }

// Label writes the name of a field for people: "publishedAt" gives "Published at", and "id" gives "ID".
func Label(name string) string {
	switch upper := strings.ToUpper(name); upper {
	case "ID", "URL", "UUID":
		return upper
	}
	return SentenceCase(strings.ReplaceAll(name, "-", "_"))
}

// Sentence capitalizes a text and ends it with a period.
func Sentence(text string) string {
	text = Capital(strings.TrimSpace(text))
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// Sentences joins the texts that are not empty.
func Sentences(texts ...string) string {
	var list []string
	for i, text := range texts {
		if text == "" {
			continue
		}
		if i < len(texts)-1 || len(list) > 0 {
			text = Sentence(text)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// Capital returns a text with its first letter as a capital.
func Capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return ""
}

// Suggest returns the option nearest to word, or "" if none is near. Ignoring case, at most a third of the characters
// may differ, and at most three.
func Suggest(word string, options []string) string {
	best, least := "", min(3, (len(word)+2)/3)+1
	length := utf8.RuneCountInString(word)
	for _, option := range options {
		if more := length - utf8.RuneCountInString(option); more >= least || -more >= least {
			continue // the lengths alone differ too much
		}
		distance := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(option))
		if distance < least {
			best, least = option, distance
		}
	}
	return best
}

// DidYouMean returns a clause for the end of a message that suggests the option nearest to word, or "" if none is near.
func DidYouMean(word string, options []string) string {
	if near := Suggest(word, options); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Allowed returns a clause for the end of a message about an unknown word: the suggestion of [DidYouMean], else all
// options.
func Allowed(word string, options []string) string {
	if near := DidYouMean(word, options); near != "" || len(options) == 0 {
		return near
	}
	return "; allowed: " + strings.Join(options, ", ")
}
