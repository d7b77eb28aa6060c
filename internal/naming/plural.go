package naming

import (
	"slices"
	"strings"
	"sync"

	"github.com/gertd/go-pluralize"
)

// Plurals makes plurals of English words. It is safe for concurrent use. It caches them, because the pluralizer tries
// many regular expressions on each word. An API has its own Plurals, so that the cache can be freed.
type Plurals struct {
	client func() *pluralize.Client
	known  sync.Map // plurals by word
}

// irregular lists plurals that the pluralizer gets wrong.
var irregular = map[string]string{
	"medium": "media", "virus": "viruses", "lens": "lenses",
	"schema": "schemas", "german": "germans", "human": "humans",
}

// NewPlurals returns plurals with English rules.
func NewPlurals() *Plurals {
	return &Plurals{client: sync.OnceValue(newClient)}
}

// newClient creates the pluralizer. It compiles a hundred regular expressions, which takes most of the startup time of
// a small API, so it is created only if a word needs it.
func newClient() *pluralize.Client {
	client := pluralize.NewClient()
	for singular, plural := range irregular {
		client.AddIrregularRule(singular, plural)
	}
	return client
}

// of returns the plural of a word.
func (p *Plurals) of(word string) string {
	if isRegular(word) {
		return word + "s"
	}
	if known, ok := p.known.Load(word); ok {
		return known.(string)
	}
	plural := p.client().Plural(word)
	p.known.Store(word, plural)
	return plural
}

// regular lists the last letters of words whose plural just adds an s, apart from the exceptions. A test compares the
// result with the pluralizer for many words.
const regular = "0123456789bcdeglknprtw"

// exceptions and exceptional list words and word endings that need the pluralizer, although their last letter is regular.
var (
	exceptions = []string{
		"adulthood", "advice", "aid", "aircraft", "alcohol", "anime", "are", "axe", "blood", "butter", "carp", "carve", "clothing",
		"cod", "commerce", "die", "eave", "elk", "equipment", "expertise", "feet", "firmware", "flounder", "foot", "fun", "garbage",
		"goose", "groove", "hardware", "have", "he", "her", "homework", "housework", "justice", "labour", "literature", "mackerel",
		"mail", "me", "moose", "mud", "music", "our", "personnel", "pickaxe", "pike", "plankton", "police", "rain", "rice", "salmon",
		"sewage", "she", "shrimp", "software", "swine", "that", "their", "these", "those", "traffic", "trout", "valve", "we",
		"welfare", "were", "whiting", "wildebeest", "wildlife",
	}
	exceptional = []string{"ae", "an", "child", "cherub", "deer", "en", "ese", "fe", "ice", "on", "ople", "ouse", "sheep"}
)

// isRegular reports whether the plural of a lower-case word just adds an s.
func isRegular(word string) bool {
	if word == "" || strings.IndexByte(regular, word[len(word)-1]) < 0 || slices.Contains(exceptions, word) {
		return false
	}
	return !slices.ContainsFunc(exceptional, func(end string) bool { return strings.HasSuffix(word, end) })
}

// Path returns the snake-case plural of a Go name: "HTTPServer" gives "http_servers".
func (p *Plurals) Path(name string) string {
	words := Words(name)
	last := len(words) - 1
	words[last] = p.of(words[last])
	return strings.Join(words, "_")
}

// Name returns the plural of a Go name in Go's case: "HTTPServer" gives "HTTPServers". An acronym keeps its capitals
// and gets a lower-case s, as in URLs.
func (p *Plurals) Name(name string) string {
	words := split(name)
	last := words[len(words)-1]
	stem := strings.TrimSuffix(name, last)
	plural := p.of(strings.ToLower(last))
	if last == strings.ToUpper(last) && len(last) > 1 {
		return stem + last + strings.TrimPrefix(plural, strings.ToLower(last))
	}
	return stem + Capital(plural)
}
