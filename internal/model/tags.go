package model

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/naming"
)

// Words of the api tag, and the operators of its filter word.
var (
	apiWords = []string{
		"id", "readonly", "writeonly", "createonly", "hidden", "password", "unique", "index", "version", "created", "modified", "deleted", "filter", "sort", "search",
		"group", "aggregate",
		"header", "ref", "expand", "through", "ondelete", "title",
	}
	filters = []string{"exact", "iexact", "partial", "start", "end", "word_start", "contains", "range", "exists"}
)

// readJSON reads the json tag. Options that encoding/json ignores are errors here, because responses do not show a
// misspelt "omitempty".
func (c *compiler) readJSON(where Declaration, goField reflect.StructField, f *Field) {
	name, options, _ := strings.Cut(goField.Tag.Get("json"), ",")
	if f.Name = name; name == "" {
		f.Name = goField.Name
	}
	// Names occur in error paths, in parameters such as price[gt], in SQL and in JSON Pointers. These names need no
	// escaping in any of them.
	if strings.ContainsAny(f.Name, `'"\`+"`.[]\x00") {
		c.fail(where, "the JSON name %q is not allowed; names cannot contain dots, brackets, quotes or backslashes", f.Name)
		f.Name = goField.Name // so that compilation can continue
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
			c.fail(where, "unknown option %q in the json tag%s", option, naming.Allowed(option, allowed))
		}
	}
}

// readAPI reads the api tag. It checks each word alone before it checks combinations, so that New reports both.
func (c *compiler) readAPI(where Declaration, tag string, f *Field) {
	if tag == "" {
		return
	}
	for item := range strings.SplitSeq(tag, ",") {
		word, value, hasValue := strings.Cut(strings.TrimSpace(item), "=")
		if word == "" {
			c.fail(where, "empty word in the api tag; remove the extra comma")
			continue
		}
		if f.has(word) {
			c.fail(where, "duplicate word %q in the api tag", word)
			continue
		}
		f.words = append(f.words, word)
		if hasValue && !slices.Contains(valued, word) && slices.Contains(apiWords, word) {
			c.fail(where, "the word %q in the api tag takes no value, but has %q", word, value)
		}
		c.readWord(where, word, value, f)
	}
	if list := *f.Type; f.has("ref") && list.Kind == List && !list.Elem.Nullable { // other fields may share the type
		list.Elem = asKey(list.Elem)
		f.Type = &list
	} else if f.has("ref") {
		f.Type = asKey(f.Type)
	}
	if f.ReadOnly && f.WriteOnly {
		c.fail(where, "a field cannot be both readonly and writeonly")
	}
	if f.ReadOnly && f.CreateOnly {
		c.fail(where, "a field cannot be both readonly and createonly")
	}
	if f.Hidden {
		c.hide(where, f)
	}
	c.checkCollection(where, f)
	if f.Title && !f.canBeTitle() {
		f.Title = false
		c.fail(where, "title does not support this field; allowed: a readable string, number, time or text type that is not a reference")
	}
}

// has reports whether the api tag of the field has a word.
func (f *Field) has(word string) bool { return slices.Contains(f.words, word) }

// hide makes a field that clients neither see nor set. Words about clients are errors on such a field.
func (c *compiler) hide(where Declaration, f *Field) {
	allowed := []string{"hidden", "password", "unique", "index", "deleted", "ref", "ondelete"}
	for _, word := range f.words {
		if slices.Contains(apiWords, word) && !slices.Contains(allowed, word) {
			c.fail(where, "a hidden field cannot have the word %q; allowed: %s", word, strings.Join(allowed, ", "))
		}
	}
	if f.Identifier { // already reported; avoid errors that follow from it
		f.Hidden = false
		return
	}
	f.ReadOnly, f.WriteOnly = true, true
	f.Filters, f.Sort, f.Search, f.Title = nil, false, false, false // already reported
	f.Group, f.Aggregate = false, false
}

// readWord reads one word of the api tag. The version and the times are read-only, because a client that could set
// them could make its change look older.
func (c *compiler) readWord(where Declaration, word, value string, f *Field) {
	if c.readReferring(where, word, value, f) {
		return
	}
	flags := map[string][]*bool{
		"id": {&f.Identifier}, "readonly": {&f.ReadOnly}, "writeonly": {&f.WriteOnly}, "createonly": {&f.CreateOnly}, "hidden": {&f.Hidden},
		"unique": {&f.Unique}, "index": {&f.Indexed}, "sort": {&f.Sort}, "search": {&f.Search}, "title": {&f.Title},
		"group": {&f.Group}, "aggregate": {&f.Aggregate},
		"password": {&f.Password, &f.WriteOnly}, "version": {&f.Version, &f.ReadOnly}, "created": {&f.Created, &f.ReadOnly}, "modified": {&f.Modified, &f.ReadOnly},
		"deleted": {&f.Deleted, &f.ReadOnly},
	}
	for _, flag := range flags[word] {
		*flag = true
	}
	switch word {
	case "header":
		if f.Header = c.parameters; !f.Header {
			c.fail(where, "the word header is only for fields of operation.Parameters")
		}
	case "filter":
		f.Filters = c.readFilters(where, value)
	case "search":
		c.readSearch(where, value, f)
	default:
		if flags[word] != nil {
			return
		}
		c.fail(where, "unknown word %q in the api tag%s", word, naming.Allowed(word, apiWords))
	}
}

// readFilters reads the value of filter: operators joined by "|". A filter without a value is exact.
func (c *compiler) readFilters(where Declaration, value string) []string {
	if value == "" {
		return []string{"exact"}
	}
	operators := strings.Split(value, "|")
	for _, operator := range operators {
		if operator == "" {
			c.fail(where, "empty filter in the api tag; remove the extra |")
		} else if !slices.Contains(filters, operator) {
			c.fail(where, "unknown filter %q in the api tag%s", operator, naming.Allowed(operator, filters))
		}
	}
	return slices.DeleteFunc(operators, func(operator string) bool { return !slices.Contains(filters, operator) })
}

// readSearch reads the value of search: "fulltext" or "fulltext:english". Without a value, parts of words are searched.
func (c *compiler) readSearch(where Declaration, value string, f *Field) {
	kind, language, hasLanguage := strings.Cut(value, ":")
	switch f.FullText = value != ""; {
	case !f.FullText:
	case kind != "fulltext":
		c.fail(where, "unknown search %q in the api tag%s", kind, naming.Allowed(kind, []string{"fulltext"}))
	case hasLanguage && !slices.Contains(fulltext.Languages(), language):
		c.fail(where, "unknown language %q in the api tag%s", language, naming.Allowed(language, fulltext.Languages()))
	}
	f.Language = language
}

// readMessages reads the message tag: one text for every rule, or texts by rule as in
// "notblank: Please enter a name | max: That is too long".
func (c *compiler) readMessages(where Declaration, tag string) map[string]string {
	if tag == "" {
		return nil
	}
	// A colon separates a rule only if the text before it can be the name of a rule: "Note: …" has a capital letter.
	if _, _, named := cutRule(tag); !named {
		return map[string]string{"": tag}
	}
	messages := map[string]string{}
	for part := range strings.SplitSeq(tag, "|") {
		rule, text, named := cutRule(part)
		switch {
		case !named || text == "":
			c.fail(where, "invalid part %q in the message tag; write it as \"rule: text\"", strings.TrimSpace(part))
		case messages[rule] != "":
			c.fail(where, "duplicate rule %q in the message tag", rule)
		}
		messages[rule] = text
	}
	return messages
}

// cutRule cuts "rule: text" and reports whether part begins with what can be the name of a rule.
func cutRule(part string) (rule, text string, ok bool) {
	rule, text, ok = strings.Cut(part, ":")
	rule = strings.TrimSpace(rule)
	isRule := func(r rune) bool { return r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }
	ok = ok && rule != "" && strings.TrimFunc(rule, isRule) == ""
	return rule, strings.TrimSpace(text), ok
}

// literal reads the value of a default or example tag as JSON. For types that JSON writes as strings the tag is the
// plain text, so that it needs no quotes within quotes.
func (c *compiler) literal(where Declaration, name string, tag reflect.StructTag, t *Type) jsontext.Value {
	text, ok := tag.Lookup(name)
	if !ok {
		return nil
	}
	switch t.Kind {
	case String, Bytes, Time, Text:
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			c.fail(where, "the %s tag is not valid UTF-8", name)
		}
		return quoted
	}
	value := jsontext.Value(text)
	if !value.IsValid() {
		c.fail(where, "the %s tag %q is not valid JSON; write a value of the field's type, such as %s", name, text, sample(t))
		return nil
	}
	return value
}

// sample returns a JSON value of the type as an example for messages, because quotes within tags are often wrong.
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

// checkTag checks that a tag has the syntax of reflect.StructTag, which ignores everything after an error, and that no
// key is a misspelt one of ours.
func (c *compiler) checkTag(where Declaration, tag reflect.StructTag) {
	isOdd := func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f || r == ',' || r == ';' }
	var keys []string
	for text := strings.TrimLeft(string(tag), " "); text != ""; {
		key, rest, ok := strings.Cut(text, ":")
		quoted, err := strconv.QuotedPrefix(rest)
		if !ok || err != nil || quoted[0] != '"' || key == "" || strings.ContainsFunc(key, isOdd) {
			c.fail(where, "the tag `%s` is malformed from %q on; write tags as `json:\"name\" validate:\"max=9\"`", tag, text)
			return
		}
		if slices.Contains(keys, key) {
			c.fail(where, "duplicate tag %s; Go reads only the first", key)
		}
		keys = append(keys, key)
		if near := misspelt(key); near != "" {
			c.fail(where, "unknown tag %s; did you mean %s?", key, near)
		}
		after := rest[len(quoted):]
		if text = strings.TrimLeft(after, " "); text != "" && text == after {
			c.fail(where, "the tag `%s` is malformed: write a space before %q", tag, text)
			return
		}
	}
}

// misspelt returns the key that was probably meant, or "" for a key that may belong to another library. Short keys are
// similar to too many others, so they match only by case.
func misspelt(key string) string {
	if slices.Contains(tags, key) {
		return ""
	}
	near := naming.Suggest(key, tags)
	// No library has a key such as "JSON".
	if strings.EqualFold(key, near) || len(near) > len("json") && len(key) > len("json") {
		return near
	}
	return ""
}
