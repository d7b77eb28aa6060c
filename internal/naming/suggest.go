package naming

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Suggest returns the option nearest to word, or "" where none is near: letter case
// aside, at most a third of its characters differ, and at most three.
func Suggest(word string, options []string) string {
	best, least := "", min(3, (len(word)+2)/3)+1
	length := utf8.RuneCountInString(word)
	for _, option := range options {
		if more := length - utf8.RuneCountInString(option); more >= least || -more >= least {
			continue // that many would have to be taken away or put in, whichever they are
		}
		distance := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(option))
		if distance < least {
			best, least = option, distance
		}
	}
	return best
}

// DidYouMean returns a clause that suggests the option nearest to word, to be put
// behind a message, or "" where none is near.
func DidYouMean(word string, options []string) string {
	if near := Suggest(word, options); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
