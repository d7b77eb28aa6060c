// Package fulltext defines the full-text search of all stores: the words of a text, when a text contains words, and what
// a query of a client means. Stores save the words that this package finds, so no database divides a text itself.
package fulltext

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"

	"github.com/trove-api/trove/store"
)

// The limits of what is searched in one text, so that each database can store its words.
const (
	maxWords  = 16_000  // PostgreSQL counts up to 16,383
	maxBytes  = 500_000 // PostgreSQL stores 1 MB
	maxLength = 200     // of a word, in bytes; PostgreSQL stores 2 KB
	maxTimes  = 250     // that a word is found in a phrase; PostgreSQL stores 256 places of it
	maxPhrase = 100     // words
)

// omitted is in the place of a word that occurs too often. No text has it, because it is not a letter.
const omitted = "\uFFFD"

var stemmers = map[string]func(*snowballstem.Env) bool{
	"danish": danish.Stem, "dutch": dutch.Stem, "english": english.Stem, "finnish": finnish.Stem, "french": french.Stem, "german": german.Stem,
	"hungarian": hungarian.Stem, "italian": italian.Stem, "norwegian": norwegian.Stem, "portuguese": portuguese.Stem, "romanian": romanian.Stem,
	"russian": russian.Stem, "spanish": spanish.Stem, "swedish": swedish.Stem, "turkish": turkish.Stem,
}

// Languages returns the languages whose words can be stemmed, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(stemmers)) }

// Words returns the words of a text: runs of letters, marks and digits, in one form for all that [store.Fold] considers equal,
// reduced to their stems in a language; "" for none. A text has at most 16,000.
func Words(language, text string) []string {
	return wordsOf(text, func(word string) string { return stem(language, word) })
}

// Reader returns a function that returns the words of texts as Words does. It keeps the stems, because finding one takes longer
// than all else. It is safe for concurrent use.
func Reader(language string) func(text string) []string {
	var stems sync.Map
	return func(text string) []string {
		return wordsOf(text, func(word string) string {
			found, ok := stems.Load(word)
			if !ok {
				found, _ = stems.LoadOrStore(word, stem(language, word))
			}
			return found.(string)
		})
	}
}

// wordsOf returns the words of a text, each reduced.
func wordsOf(text string, reduce func(string) string) []string {
	var words []string
	times, size := map[string]int{}, 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(store.Fold(norm.NFKC.String(text))), isBetween) {
		word = reduce(shortened(word))
		if size += len(word) + 8; len(words) == maxWords || size > maxBytes {
			break
		}
		if times[word]++; times[word] > maxTimes {
			word = omitted
		}
		words = append(words, word)
	}
	return words
}

// Phrase returns the words of a value of [store.FullText], nil for one that no text contains.
func Phrase(language, value string) []string {
	words := Words(language, value)
	if len(words) > maxPhrase {
		return nil
	}
	return words
}

// Join returns words as one string, in which each has a space before and behind it, so that a text contains a phrase if its
// string does; "" for none.
func Join(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words, " ") + " "
}

func isBetween(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
}

// shortened cuts a long word.
func shortened(word string) string {
	if len(word) <= maxLength {
		return word
	}
	end := maxLength
	for word[end]&0xC0 == 0x80 { // within a character
		end--
	}
	return word[:end]
}

// stem returns the stem of a word.
func stem(language, word string) string {
	reduce := stemmers[language]
	if reduce == nil {
		return word
	}
	env := snowballstem.NewEnv(word)
	if reduce(env); env.Current() == "" || strings.ContainsFunc(env.Current(), isBetween) {
		return word
	}
	return env.Current()
}
