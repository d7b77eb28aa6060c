package naming

import (
	"strings"
	"unicode"
)

// Phrase writes a Go name as words for the middle of a sentence; acronyms stay capitals:
// "DragonTreasure" gives "dragon treasure", "HTTPServer" gives "HTTP server".
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

// Sentence makes a sentence of a text that may be the rest of one.
func Sentence(text string) string {
	text = Capital(strings.TrimSpace(text))
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// Sentences joins texts, those that are empty left out.
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

// Capital writes a text with its first letter as a capital.
func Capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return ""
}
