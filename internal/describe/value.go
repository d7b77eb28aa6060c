package describe

import (
	"encoding/json" //nolint:depguard // its type RawMessage is recognized, and nothing else used
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// value is the schema of a value under construction.
type value struct {
	schema     *schema.Schema  // the keywords, or those next to the reference
	definition *Definition     // what the value refers to; nil for none
	null       bool            // null is one of the values
	sentences  []string        // what keywords cannot express
	risky      bool            // a rule may reject what the keywords allow
	own        bool            // some keywords are the user's
	samples    []any           // that the rules suggest for examples
	decoded    *schema.Schema  // of the bytes that a string encodes, for examples; nil for any
	follows    func(any) bool  // reports whether an example follows the rules; nil for always
	beside     *check.Relative // relates the value to another field's in examples; nil for none
	keys       *value          // of a map; nil if they have no rules
	sample     sampler
	tried      bool // an example has been searched
	isFound    bool
	found      any // that example, a scalar
}

// position is the place of a value.
type position struct {
	role     role
	owner    *model.Struct // the struct of the field, for rules that name other fields; nil for none
	name     string        // of the field
	layout   string        // of the value's rule datetime; "" for none
	fallback string        // the name of a struct that has none
	isEntry  bool          // of a map
}

// value makes the schema of a type with rules. It omits rules of the parts of a merge patch, because they apply to the
// result.
func (s *Schemas) value(t *model.Type, rules model.Rules, at position) *value {
	_, required := rules.Find("required") // the only rule that applies to null
	v := &value{schema: &schema.Schema{}, null: t.Nullable && !required}
	s.shape(v, t, rules, at)
	v.follows = s.judge(t, rules)
	if at.role.patches && t.Kind == model.Map {
		if len(rules.All) > 0 || rules.Keys != nil {
			v.mark(FormatMerged, "Rules apply to the merged value.")
		}
		return v
	}
	at.layout = rules.Layout()
	for _, constraint := range rules.All {
		s.apply(v, constraint, t, at)
	}
	v.schema.DropImplied()
	return v
}

// orEmpty adds the empty value to those of an element or a map's key, because omitempty exempts it from the rules. For a
// field, a body that has the empty value means it.
func (v *value) orEmpty(t *model.Type) {
	var empty *schema.Schema
	switch {
	case t.Kind == model.String:
		empty = &schema.Schema{MaxLength: new(uint64(0))}
	case t.Kind.IsNumber():
		empty = schema.Constant(0)
	case t.Kind == model.Bool:
		empty = schema.Constant(false)
	default: // rules cannot apply to an empty value
		return
	}
	rules := *v.schema
	v.schema = &schema.Schema{Type: rules.Type}
	rules.Type = nil
	v.schema.AnyOf = []*schema.Schema{empty, &rules}
}

// finished returns the complete schema. A nullable reference needs anyOf, because a keyword next to the reference would
// apply in addition to its target. So do keywords of the user's, which may reject null.
func (v *value) finished() *schema.Schema {
	switch {
	case v.definition != nil && !v.null:
		return v.definition.Ref(*v.schema)
	case v.definition == nil && !v.null:
		return v.schema
	case v.definition == nil && !v.own:
		allowNull(v.schema, v.schema.Type)
		return v.schema
	}
	of, rules := v.schema, *v.schema
	rules.Description, rules.Format, rules.Default, rules.Examples, rules.ReadOnly, rules.WriteOnly = "", "", nil, nil, false, false
	notNull := &rules
	if v.definition != nil {
		notNull = v.definition.Ref(rules)
	}
	return &schema.Schema{
		Description: of.Description, Format: of.Format, Default: of.Default, Examples: of.Examples, ReadOnly: of.ReadOnly, WriteOnly: of.WriteOnly,
		AnyOf: []*schema.Schema{notNull, schema.Typed(schema.Null)},
	}
}

// allowNull adds null to the values of a schema. The types are those of the value; nil for all.
func allowNull(of *schema.Schema, types []string) {
	if types == nil {
		types = []string{schema.Boolean, schema.Number, schema.String, schema.Array, schema.Object}
	}
	others := slices.DeleteFunc(slices.Clone(types), func(name string) bool { return name == schema.Null })
	if of.Type != nil {
		of.Type = append(slices.Clone(others), schema.Null)
	}
	if of.Const != nil {
		of.Enum, of.Const = []jsontext.Value{of.Const}, nil
	}
	isNull := func(text jsontext.Value) bool { return text.Kind() == jsontext.KindNull }
	if of.Enum != nil && !slices.ContainsFunc(of.Enum, isNull) {
		of.Enum = append(slices.Clone(of.Enum), jsontext.Value("null"))
	}
	if of.AnyOf != nil {
		of.AnyOf = append(of.AnyOf, schema.Typed(schema.Null))
	}
	for _, part := range of.AllOf {
		allowNull(part, others)
	}
	if not := of.Not; not != nil && not.Type == nil && not.Const == nil && not.Enum == nil {
		not.Type = others // keywords about strings, lists and so on allow null
	}
}

// mark marks the schema with a format as incomplete: a rule may reject a value that follows the keywords. A format of the
// value stays, so that clients still know a time.
func (v *value) mark(format, sentence string) {
	has := func(of *schema.Schema) bool { return of.Format == format }
	switch {
	case v.schema.Format == "" || schema.IsWidth(v.schema.Format):
		v.schema.Format = format
	case !has(v.schema) && !slices.ContainsFunc(v.schema.AllOf, has):
		v.schema.AllOf = append(v.schema.AllOf, &schema.Schema{Format: format})
	}
	if sentence != "" {
		v.sentences = append(v.sentences, sentence)
	}
}

// shape adds the schema of the type alone. A type that marshals itself in any form gets a format with its name, and no
// type, because its form is unknown.
func (s *Schemas) shape(v *value, t *model.Type, rules model.Rules, at position) {
	switch {
	case t.Kind == model.Object:
		v.definition = s.structure(t.Struct, at.role, at.fallback)
		// JSON Schema cannot express "required if there is no value yet".
		if at.role.patches && (t.Nullable || at.isEntry) && requiresFields(at.role.view.New, map[*model.View]bool{}) {
			v.mark(FormatMerged, "If there is no value yet, its required fields must be given.")
		}
	case t.Kind.IsList():
		v.schema.Type = []string{schema.Array}
		if t.Kind == model.Array { // a rule even without a tag
			length := uint64(t.Len) //nolint:gosec // no array has a negative length
			v.schema.MinItems, v.schema.MaxItems = length, &length
		}
		v.schema.Items = s.element(v, t, rules, at)
	case t.Kind == model.Map: // the client chooses the names
		v.schema.Type = []string{schema.Object}
		v.schema.AdditionalProperties = s.element(v, t, rules, at)
		if rules.Keys != nil {
			s.keys(v, *rules.Keys, at)
		}
	case t.Kind == model.Any, isRawJSON(t):
	default:
		v.schema, v.own = scalar(t), t.Stated != nil
	}
}

// keys adds the rules of a map's keys. Those of a merge patch apply to the result.
func (s *Schemas) keys(v *value, rules model.Rules, at position) {
	text := textType(false)
	v.keys = s.value(text, rules, position{role: at.role})
	if rules.OmitEmpty {
		v.keys.orEmpty(text)
	}
	v.keys.schema.Type = nil // names are always strings
	if at.role.patches || v.keys.schema.IsEmpty() {
		return
	}
	v.schema.PropertyNames = v.keys.finished()
	v.sentences = append(v.sentences, v.keys.sentences...)
}

// element makes the schema of a list's elements or a map's entries. It has their sentences, because tools show it with
// each of them.
func (s *Schemas) element(v *value, t *model.Type, rules model.Rules, at position) *schema.Schema {
	inner := position{role: at.role, owner: at.owner, name: at.name, fallback: at.fallback, isEntry: t.Kind == model.Map}
	inner.role.patches = at.role.patches && inner.isEntry // a merge patch replaces lists
	var elements model.Rules
	if rules.Elem != nil {
		elements = *rules.Elem
	}
	element := s.value(t.Elem, elements, inner)
	if elements.OmitEmpty && !t.Elem.Nullable {
		element.orEmpty(t.Elem)
	}
	element.null = element.null || inner.isEntry && at.role.patches // null removes the entry
	if len(element.sentences) > 0 {
		element.schema.Description = naming.Sentences(element.sentences...)
	}
	v.sampleElements(t, at.name, element)
	return element.finished()
}

// scalar returns the schema of a scalar type in bodies, paths and queries. Only the format states ranges of 64 bits,
// because many readers use float64, which cannot hold the limits.
func scalar(t *model.Type) *schema.Schema {
	made := &schema.Schema{}
	name := schema.String
	switch t.Kind {
	case model.Bool:
		name = schema.Boolean
	case model.Numeral:
		name = schema.Number
	case model.Float:
		name = schema.Number
		made.Format = map[int]string{32: "float", 64: "double"}[t.Bits]
	case model.Uint:
		name = schema.Integer
		made.Min = schema.Int(0)
		made.Format = map[int]string{64: "uint64", model.SignedBits: "int64"}[t.Bits]
		if t.Bits < model.SignedBits {
			made.Max = schema.Int(1<<t.Bits - 1)
		}
	case model.Int:
		name = schema.Integer
		made.Format = map[int]string{32: "int32", 64: "int64"}[t.Bits]
		if limit := 1 << (t.Bits - 1); t.Bits < 32 {
			made.Min, made.Max = schema.Int(-limit), schema.Int(limit-1)
		}
	case model.Bytes:
		made.ContentEncoding = "base64"
		// In 2020-12 contentEncoding asserts nothing, so the pattern does.
		made.Pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
	case model.Time:
		made.Format = "date-time"
	case model.Custom:
		made.Format, name = formatOf(t), ""
	case model.Text:
		made.Format = formatOf(t)
		if t.Digits != nil {
			made.Format, made.Pattern = "decimal", t.Digits.Pattern()
		}
	}
	if name != "" {
		made.Type = []string{name}
	}
	if own := t.Stated; own != nil {
		if own.Format != "" || own.Pattern != "" || own.Enum != nil || own.Const != nil { // more than the name of the type
			made.Format = ""
		}
		stated := *own
		made.Merge(&stated)
	}
	return made
}

// formatOf returns a format for a type that marshals itself, because it does not accept every string: the type's name,
// such as uuid.
func formatOf(t *model.Type) string {
	return strings.ToLower(strings.Join(naming.Words(ComponentName(t.Base().Name())), "-"))
}

// isRawJSON reports whether values of the type are any JSON, stored unchanged. From Go 1.27 both types are the same.
func isRawJSON(t *model.Type) bool {
	return t.Kind == model.Custom && (t.Base() == reflect.TypeFor[json.RawMessage]() || t.Base() == reflect.TypeFor[jsontext.Value]())
}
