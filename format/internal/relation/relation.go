// Package relation names the relations that lead to the collections of an API.
package relation

import (
	"slices"
	"unicode"
)

// Name returns the relation to the collection of a resource: its name with the first word in lower case, where an
// acronym is one word. "Book" gives "book", "APIToken" gives "apiToken". If another resource has that name or that
// relation, it returns the name as it is.
func Name(resource string, resources []string) string {
	small := lower(resource)
	if slices.ContainsFunc(resources, func(other string) bool { return other != resource && (other == small || lower(other) == small) }) {
		return resource
	}
	return small
}

// lower returns a name with its first word in lower case.
func lower(name string) string {
	runes := []rune(name)
	end := 0 // of the capitals in front
	for end < len(runes) && unicode.IsUpper(runes[end]) {
		end++
	}
	if end > 1 && end < len(runes) && unicode.IsLower(runes[end]) && !isPlural(runes[end:]) {
		end-- // the last capital begins the next word
	}
	for i := range runes[:end] {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// isPlural reports whether an acronym ends with a lone s, as in URLs.
func isPlural(behind []rune) bool {
	return behind[0] == 's' && (len(behind) == 1 || unicode.IsUpper(behind[1]))
}
