package model

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/naming"
)

// Words of the api tag, and the operators of its filter word.
var (
	apiWords = []string{
		"id", "readonly", "writeonly", "createonly", "hidden", "unique", "index", "version", "created", "modified", "filter", "sort", "search", "header",
		"ref", "expand", "through", "ondelete",
	}
	filters = []string{"exact", "iexact", "partial", "start", "end", "word_start", "contains", "range", "exists"}
)

// readJSON reads the json tag.
// Options that encoding/json would pass over in silence are mistakes here: "omitemtpy" is one that
// nobody finds by reading answers.
func (c *compiler) readJSON(where string, goField reflect.StructField, f *Field) {
	name, options, _ := strings.Cut(goField.Tag.Get("json"), ",")
	if f.Name = name; name == "" {
		f.Name = goField.Name
	}
	// Names stand in paths of messages, in parameters such as price[gt], in SQL and in JSON Pointers. A
	// name that needs no escape in any of them needs no code for it anywhere.
	if strings.ContainsAny(f.Name, `'"\`+"`.[]\x00") {
		c.fail(where, "has the JSON name %q: a name has no dots, brackets, quotes or backslashes", f.Name)
		f.Name = goField.Name // to go on with: other names are paths
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		default:
			allowed := []string{"omitempty", "omitzero"}
			c.fail(where, "json tag has the option %q; allowed: %s%s", option, strings.Join(allowed, ", "), naming.DidYouMean(option, allowed))
		}
	}
}

// readAPI reads the api tag.
// Each word is checked by itself first, and then with the others, so that one start tells of both.
func (c *compiler) readAPI(where, tag string, f *Field) {
	if tag == "" {
		return
	}
	var seen []string
	for item := range strings.SplitSeq(tag, ",") {
		word, value, hasValue := strings.Cut(strings.TrimSpace(item), "=")
		if word == "" {
			c.fail(where, "api tag has an empty word: two commas, or one at an end")
			continue
		}
		if slices.Contains(seen, word) {
			c.fail(where, "api tag has the word %q twice", word)
			continue
		}
		seen = append(seen, word)
		if hasValue && !slices.Contains(valued, word) && slices.Contains(apiWords, word) {
			c.fail(where, "api tag has the value %q for %q, which takes none", value, word)
		}
		c.readWord(where, word, value, f)
	}
	if f.ReadOnly && f.WriteOnly {
		c.fail(where, "is readonly and writeonly: nobody could use it")
	}
	if f.ReadOnly && f.CreateOnly {
		c.fail(where, "is readonly and createonly: no client sets it, at its creation either")
	}
	if f.Hidden {
		c.hide(where, seen, f)
	}
	c.checkCollection(where, f)
}

// hide makes of a field one that clients neither see nor set. Words that are about clients make no
// sense beside that.
func (c *compiler) hide(where string, words []string, f *Field) {
	allowed := []string{"hidden", "unique", "index", "ref", "ondelete"}
	for _, word := range words {
		if slices.Contains(apiWords, word) && !slices.Contains(allowed, word) {
			c.fail(where, "is hidden and has the word %q, which is about what clients see or set", word)
		}
	}
	if f.Identifier { // a mistake that is told, which others would follow from
		f.Hidden = false
		return
	}
	f.ReadOnly, f.WriteOnly = true, true
	f.Filters, f.Sort, f.Search = nil, false, false // which have been told
}

// The version and the two times are read-only by themselves: a client that could set them could
// make its change look like an older one.
func (c *compiler) readWord(where, word, value string, f *Field) {
	if c.readReferring(where, word, value, f) {
		return
	}
	flags := map[string][]*bool{
		"id": {&f.Identifier}, "readonly": {&f.ReadOnly}, "writeonly": {&f.WriteOnly}, "createonly": {&f.CreateOnly}, "hidden": {&f.Hidden},
		"unique": {&f.Unique}, "index": {&f.Indexed}, "sort": {&f.Sort}, "search": {&f.Search},
		"version": {&f.Version, &f.ReadOnly}, "created": {&f.Created, &f.ReadOnly}, "modified": {&f.Modified, &f.ReadOnly},
	}
	for _, flag := range flags[word] {
		*flag = true
	}
	switch word {
	case "header":
		if f.Header = c.parameters; !f.Header {
			c.fail(where, "has the word header, which is for the fields of an operation's Parameters")
		}
	case "filter":
		f.Filters = c.readFilters(where, value)
	default:
		if flags[word] != nil {
			return
		}
		c.fail(where, "api tag has the unknown word %q; allowed: %s%s", word, strings.Join(apiWords, ", "), naming.DidYouMean(word, apiWords))
	}
}

// readFilters reads what follows filter=: operators joined by "|". A filter without any
// is exact.
func (c *compiler) readFilters(where, value string) []string {
	if value == "" {
		return []string{"exact"}
	}
	operators := strings.Split(value, "|")
	for _, operator := range operators {
		if operator == "" {
			c.fail(where, "api tag has an empty filter: two bars, or one at an end")
		} else if !slices.Contains(filters, operator) {
			c.fail(where, "api tag has the unknown filter %q; allowed: %s%s", operator, strings.Join(filters, ", "), naming.DidYouMean(operator, filters))
		}
	}
	return slices.DeleteFunc(operators, func(operator string) bool { return !slices.Contains(filters, operator) })
}

// readMessages reads the message tag: one text for every rule, or texts by rule as in
// "notblank: Please enter a name | max: That is too long".
func (c *compiler) readMessages(where, tag string) map[string]string {
	if tag == "" {
		return nil
	}
	// A text with a colon is one text, unless what is before the colon could be a rule: "Note: …" has a
	// capital letter.
	if _, _, named := cutRule(tag); !named {
		return map[string]string{"": tag}
	}
	messages := map[string]string{}
	for part := range strings.SplitSeq(tag, "|") {
		rule, text, named := cutRule(part)
		switch {
		case !named || text == "":
			c.fail(where, "message tag has the part %q; write it as \"rule: text\"", strings.TrimSpace(part))
		case messages[rule] != "":
			c.fail(where, "message tag has the rule %q twice", rule)
		}
		messages[rule] = text
	}
	return messages
}

// cutRule cuts "rule: text", and reports whether part begins with what can be a rule.
func cutRule(part string) (rule, text string, ok bool) {
	rule, text, ok = strings.Cut(part, ":")
	rule = strings.TrimSpace(rule)
	isRule := func(r rune) bool { return r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }
	ok = ok && rule != "" && strings.TrimFunc(rule, isRule) == ""
	return rule, strings.TrimSpace(text), ok
}

// literal reads a value from a default or example tag as JSON. Types that JSON writes
// as strings take the text as it stands.
func (c *compiler) literal(where, name string, tag reflect.StructTag, t *Type) jsontext.Value {
	text, ok := tag.Lookup(name)
	if !ok {
		return nil
	}
	switch t.Kind {
	// Else each text would have quotes within the quotes of the tag.
	case String, Bytes, Time, Text:
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			c.fail(where, "%s tag is not valid UTF-8", name)
		}
		return quoted
	}
	value := jsontext.Value(text)
	if !value.IsValid() {
		c.fail(where, "%s tag has %q, which is not JSON; write a value of the field's type, such as %s", name, text, sample(t))
		return nil
	}
	return value
}

// sample returns a JSON value of the type, to show how one is written.
// A mistake is told with an example, since quotes within tags are what people get wrong.
func sample(t *Type) string {
	switch t.Kind {
	case Bool:
		return "true"
	case Int, Uint, Float:
		return "7"
	case List, Array:
		return `["a","b"]`
	case Object, Map:
		return `{"a":1}`
	}
	return `"text"`
}

// tags are the keys of tags that Trove reads.
var tags = []string{"json", "api", "validate", "message", "default", "example", "doc", "db"}

// checkTag checks that a tag is written as reflect.StructTag reads it, for what is not is
// passed over in silence, by the compiler too; and that no key is one of ours misspelt.
func (c *compiler) checkTag(where string, tag reflect.StructTag) {
	var keys []string
	for text := strings.TrimLeft(string(tag), " "); text != ""; {
		key, rest, ok := strings.Cut(text, ":")
		quoted, err := strconv.QuotedPrefix(rest)
		if !ok || err != nil || quoted[0] != '"' || !isKey(key) {
			c.fail(where, "has the tag `%s`, which is not well formed from %q on; write it as `json:\"name\" validate:\"max=9\"`", tag, text)
			return
		}
		if slices.Contains(keys, key) {
			c.fail(where, "has the tag %s twice; only the first one counts", key)
		}
		keys = append(keys, key)
		if near := misspelt(key); near != "" {
			c.fail(where, "has the tag %s, which nothing reads; did you mean %s?", key, near)
		}
		after := rest[len(quoted):]
		if text = strings.TrimLeft(after, " "); text != "" && text == after {
			c.fail(where, "has the tag `%s`, with no space before %q; write one between two tags", tag, text)
			return
		}
	}
}

// isKey reports whether a text can be the key of a tag.
func isKey(text string) bool {
	odd := func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f || r == ',' || r == ';' }
	return text != "" && !strings.ContainsFunc(text, odd)
}

// misspelt returns the key that was meant, "" for one that may be another library's: short
// ones are near to too many.
// Letters of another case are always a mistake, as no library has "JSON" for a key.
func misspelt(key string) string {
	if slices.Contains(tags, key) {
		return ""
	}
	near := naming.Suggest(key, tags)
	if strings.EqualFold(key, near) || len(near) > len("json") && len(key) > len("json") {
		return near
	}
	return ""
}
