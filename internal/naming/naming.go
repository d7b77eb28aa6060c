// Package naming turns Go names into the names of an API: snake case, plurals, words
// for sentences, and the nearest name to a mistyped one.
package naming

import (
	"reflect"
	"strings"
	"unicode"
)

// compounds are words that have capitals inside: nobody calls the path of OAuthClient
// o_auth_clients.
var compounds = strings.NewReplacer("OAuth", "Oauth", "GraphQL", "Graphql", "IPv", "Ipv", "MySQL", "Mysql")

// Words returns the words of a Go name in lower case: "HTTPServer" gives "http" and
// "server".
func Words(name string) []string {
	words := split(compounds.Replace(name))
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

// split cuts a Go name into its words, acronyms being one word each. A digit belongs
// to the word before it, and a lone plural s to the acronym before it ("MyURLs").
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

// startsWord reports whether a capital begins a word: one behind a small letter does, and the
// last of several, unless all that follows is the s of a plural.
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

// TypeName returns the name of a type for use in an API: its package is left out, and
// type arguments come first, so that Page[shop.Book] is "BookPage".
func TypeName(t reflect.Type) string {
	return typeName(t.Name())
}

// typeName does the same with the text that package reflect has for a name, in which the
// packages of arguments stand, but not that of the type itself.
func typeName(name string) string {
	name, arguments, generic := strings.Cut(name, "[")
	if !generic {
		return upperFirst(name[strings.LastIndexAny(name, "./*]")+1:])
	}
	var prefix strings.Builder
	for _, argument := range splitArguments(strings.TrimSuffix(arguments, "]")) {
		prefix.WriteString(typeName(argument))
	}
	return prefix.String() + upperFirst(name[strings.LastIndexAny(name, "./*]")+1:])
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

// upperFirst returns a text whose first character is a capital.
func upperFirst(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}
