package schema

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// MarshalJSON writes the schema, its keywords and members in order, each definition as
// a reference to its name below $defs, which are not written. It never fails.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.Append(nil, "#/$defs/"), nil }

// Whole writes the schema with all definitions that it leads to below $defs, in the order
// in which they are met, so that it can be read alone.
// Tools of agents have no document around their schemas, so that each schema carries what it refers
// to.
func (s *Schema) Whole() jsontext.Value {
	const refs = "#/$defs/"
	text := s.Append(nil, refs)
	definitions := s.Definitions()
	if len(definitions) == 0 || s.Always != nil {
		return text
	}
	text = append(text[:len(text)-1], `,"$defs":{`...) // there is a reference, so there is a member
	for i, d := range definitions {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendText(text, d.Name), ':')
		text = d.Schema.Append(text, refs)
	}
	return append(text, "}}"...)
}

// Definitions lists the definitions that a schema leads to, each once, in the order in which
// they are met.
// Definitions lead back to themselves where types are recursive, so each is entered once.
func (s *Schema) Definitions() []*Definition {
	var found []*Definition
	var collect func(inner *Schema)
	collect = func(inner *Schema) {
		if inner.Ref != nil && !slices.Contains(found, inner.Ref) {
			found = append(found, inner.Ref)
			inner.Ref.Schema.Each(collect)
		}
	}
	s.Each(collect)
	return found
}

// Each calls do with the schema and all that stand in it, but for what it refers to.
// It stops at references, so that it ends for types that hold themselves; [Schema.Definitions] is
// for going on through them.
func (s *Schema) Each(do func(*Schema)) {
	if s == nil {
		return
	}
	do(s)
	for _, p := range s.Properties {
		p.Schema.Each(do)
	}
	for _, inner := range []*Schema{s.AdditionalProperties, s.PropertyNames, s.Items, s.Not} {
		inner.Each(do)
	}
	for _, list := range [][]*Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, inner := range list {
			inner.Each(do)
		}
	}
}

// Append appends the schema to text as JSON, with the refs of definitions before the names
// of those that it refers to.
// By hand and in the order that people read: what a schema is comes before how long it may be.
// Whoever asks first for a document waits for all its schemas.
func (s *Schema) Append(text []byte, refs string) []byte {
	if s.Always != nil {
		return strconv.AppendBool(text, *s.Always)
	}
	w := writer{text: append(text, '{'), refs: refs}
	w.head(s)
	w.values(s)
	w.scalars(s)
	w.containers(s)
	w.combined(s)
	for _, k := range s.More {
		w.raw(k.Name, k.Value)
	}
	return append(w.text, '}')
}

// writer writes the keywords of one schema that are there.
type writer struct {
	text  []byte
	refs  string
	begun bool
}

// head writes what a schema is and for whom. That comes first: a reader of a long document reads
// the beginning of each schema, and often no more.
func (w *writer) head(s *Schema) {
	if s.Ref != nil {
		w.string("$ref", w.refs+s.Ref.Name)
	}
	w.string("title", s.Title)
	if len(s.Type) == 1 {
		w.string("type", s.Type[0])
	} else {
		w.strings("type", s.Type)
	}
	w.string("format", s.Format)
	w.string("description", s.Description)
	w.strings("required", s.Required)
	w.bool("readOnly", s.ReadOnly)
	w.bool("writeOnly", s.WriteOnly)
}

// values writes single values: the default and examples, which are read before any bound.
func (w *writer) values(s *Schema) {
	w.raw("default", s.Default)
	w.list("examples", s.Examples)
	w.raw("const", s.Const)
	w.list("enum", s.Enum)
}

// scalars writes the bounds of texts and numbers, each least before its most.
func (w *writer) scalars(s *Schema) {
	w.size("minLength", s.MinLength)
	w.limit("maxLength", s.MaxLength)
	w.string("pattern", s.Pattern)
	w.string("contentEncoding", s.ContentEncoding)
	w.string("contentMediaType", s.ContentMediaType)
	w.raw("minimum", jsontext.Value(s.Min))
	w.raw("exclusiveMinimum", jsontext.Value(s.ExclusiveMin))
	w.raw("maximum", jsontext.Value(s.Max))
	w.raw("exclusiveMaximum", jsontext.Value(s.ExclusiveMax))
}

// containers writes what is inside. Properties keep the order of the struct's fields, as a map
// would not: it is the order in which their author thinks of them.
func (w *writer) containers(s *Schema) {
	w.size("minItems", s.MinItems)
	w.limit("maxItems", s.MaxItems)
	w.bool("uniqueItems", s.UniqueItems)
	w.schema("items", s.Items)
	w.size("minProperties", s.MinProperties)
	w.limit("maxProperties", s.MaxProperties)
	if len(s.Properties) > 0 {
		w.name("properties")
		for i, p := range s.Properties {
			w.text = append(appendText(append(w.text, "{,"[min(i, 1)]), p.Name), ':')
			w.text = p.Schema.Append(w.text, w.refs)
		}
		w.text = append(w.text, '}')
	}
	w.schema("additionalProperties", s.AdditionalProperties)
	w.schema("propertyNames", s.PropertyNames)
}

// combined writes what combines schemas, last: it is mostly what no keyword of its own could say.
func (w *writer) combined(s *Schema) {
	w.schema("not", s.Not)
	w.schemas("allOf", s.AllOf)
	w.schemas("anyOf", s.AnyOf)
	w.schemas("oneOf", s.OneOf)
}

// name begins a keyword.
func (w *writer) name(name string) {
	if w.begun {
		w.text = append(w.text, ',')
	}
	w.begun = true
	w.text = append(appendText(w.text, name), ':')
}

func (w *writer) string(name, value string) {
	if value != "" {
		w.name(name)
		w.text = appendText(w.text, value)
	}
}

func (w *writer) bool(name string, value bool) {
	if value {
		w.raw(name, jsontext.Value("true"))
	}
}

// size leaves 0 out, since that is what a keyword that is missing means.
func (w *writer) size(name string, value uint64) {
	if value > 0 {
		w.limit(name, &value)
	}
}

// limit writes 0 too: "at most none" is a limit, and differs from none.
func (w *writer) limit(name string, value *uint64) {
	if value != nil {
		w.raw(name, strconv.AppendUint(nil, *value, 10))
	}
}

func (w *writer) raw(name string, value jsontext.Value) {
	if len(value) > 0 {
		w.name(name)
		w.text = append(w.text, value...)
	}
}

func (w *writer) strings(name string, values []string) {
	if len(values) > 0 {
		w.list(name, ValuesOf(values...))
	}
}

func (w *writer) list(name string, values []jsontext.Value) {
	if len(values) == 0 {
		return
	}
	w.name(name)
	for i, value := range values {
		w.text = append(append(w.text, "[,"[min(i, 1)]), value...)
	}
	w.text = append(w.text, ']')
}

func (w *writer) schema(name string, value *Schema) {
	if value != nil {
		w.name(name)
		w.text = value.Append(w.text, w.refs)
	}
}

func (w *writer) schemas(name string, values []*Schema) {
	if len(values) == 0 {
		return
	}
	w.name(name)
	for i, value := range values {
		w.text = value.Append(append(w.text, "[,"[min(i, 1)]), w.refs)
	}
	w.text = append(w.text, ']')
}

// appendText writes a text; what is not UTF-8 in it is replaced.
func appendText(text []byte, value string) []byte {
	text, _ = jsontext.AppendQuote(text, value)
	return text
}
