package openapi

import (
	"strings"
	"unicode"

	"github.com/trove-api/trove/internal/naming"
)

// phrase writes a Go name as words for the middle of a sentence; acronyms stay capitals:
// "DragonTreasure" gives "dragon treasure", "HTTPServer" gives "HTTP server".
func phrase(name string) string {
	words := naming.Words(name)
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

// sentenceCase writes a name as words, the first with a capital.
func sentenceCase(name string) string { return capital(phrase(name)) }

// sentence makes a sentence of a text that may be the rest of one.
func sentence(text string) string {
	text = capital(strings.TrimSpace(text))
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// sentences joins texts, those that are empty left out.
func sentences(texts ...string) string {
	var list []string
	for i, text := range texts {
		if text == "" {
			continue
		}
		if i < len(texts)-1 || len(list) > 0 {
			text = sentence(text)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return ""
}
