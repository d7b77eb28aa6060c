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

// value is the schema of a value on its way.
type value struct {
	schema     *schema.Schema  // the keywords, or those beside the reference
	definition *Definition     // what the value refers to; nil for none
	null       bool            // null is one of the values
	says       []string        // sentences for what keywords cannot say
	risky      bool            // a rule may refuse what the keywords allow
	own        bool            // keywords of the user's are among them
	samples    []any           // that the rules suggest for examples
	decoded    *schema.Schema  // of the bytes that a text stands for, for examples; nil for any
	follows    func(any) bool  // reports whether an example follows the rules; nil for always
	beside     *check.Relative // of another member's value, in examples; nil for none
	keys       *value          // of a map; nil where they have no rules
	sample     sampler
	tried      bool // an example has been looked for
	isFound    bool
	found      any // that example, a scalar
}

// position is where a value stands.
type position struct {
	role     role
	owner    *model.Struct // that it is a member of, for rules that name other members; nil for none
	name     string        // of the member
	fallback string        // the name of a struct that has none
	isEntry  bool          // of a map
}

// value makes the schema of a type with rules. Rules of the parts of a merge patch are left out: they hold for the
// result, and a patch that would break them by itself may be right.
func (s *Schemas) value(t *model.Type, rules model.Rules, at position) *value {
	v := &value{schema: &schema.Schema{}, null: t.Nullable && !refusesNull(rules)}
	s.shape(v, t, rules, at)
	v.follows = s.judge(t, rules)
	if at.role.patches && t.Kind == model.Map {
		if len(rules.All) > 0 || rules.Keys != nil {
			v.unsaid(FormatMerged, "Its rules hold for the result.")
		}
		return v
	}
	for _, constraint := range rules.All {
		s.apply(v, constraint, t, at)
	}
	return v
}

// orEmpty adds the empty value to those of an element or a map's key, which omitempty
// lets be. It does not for a member: a body that has one means it.
func (v *value) orEmpty(t *model.Type) {
	empty, ok := emptySchema(t)
	if !ok {
		return
	}
	rules := *v.schema
	v.schema = &schema.Schema{Type: rules.Type}
	rules.Type = nil
	v.schema.AnyOf = []*schema.Schema{empty, &rules}
}

// emptySchema returns the schema of a type's empty value alone, if there is one that rules can be about.
func emptySchema(t *model.Type) (*schema.Schema, bool) {
	switch {
	case t.Kind == model.String:
		return &schema.Schema{MaxLength: new(uint64(0))}, true
	case t.Kind.IsNumber():
		return schema.Constant(0), true
	case t.Kind == model.Bool:
		return schema.Constant(false), true
	}
	return nil, false
}

// refusesNull reports whether a null breaks the rules: for all others it is no value that they are about.
func refusesNull(rules model.Rules) bool {
	_, required := rules.Find("required")
	return required
}

// finished returns the schema with all that was found. A reference cannot be made nullable by a keyword beside it,
// which would hold as well as what it refers to. Hence anyOf.
func (v *value) finished() *schema.Schema {
	if v.definition != nil && !v.null {
		return v.definition.Ref(*v.schema)
	}
	if v.definition != nil {
		said, rules := apartFromRules(v.schema)
		said.AnyOf = []*schema.Schema{v.definition.Ref(*rules), schema.Typed(schema.Null)}
		return said
	}
	if !v.null {
		return v.schema
	}
	allowNull(v.schema, v.schema.Type)
	if v.own && refusesNullStill(v.schema) {
		said, rules := apartFromRules(v.schema)
		said.AnyOf = []*schema.Schema{rules, schema.Typed(schema.Null)}
		return said
	}
	return v.schema
}

// apartFromRules splits a schema into what is said of a member and what its values follow, which null need not.
func apartFromRules(of *schema.Schema) (said, rules *schema.Schema) {
	said = &schema.Schema{
		Description: of.Description, Format: of.Format, Default: of.Default, Examples: of.Examples, ReadOnly: of.ReadOnly, WriteOnly: of.WriteOnly,
	}
	copied := *of
	rules = &copied
	rules.Description, rules.Format, rules.Default, rules.Examples, rules.ReadOnly, rules.WriteOnly = "", "", nil, nil, false, false
	return said, rules
}

// allowNull adds null to the values of a schema: no rule but required is about null. The
// types are those of the value; nil for all.
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
		not.Type = others // keywords about texts, lists and so on hold for null
	}
}

// refusesNullStill reports whether keywords of the user's may refuse null.
// Extensions, which begin with "x-", refuse nothing.
func refusesNullStill(of *schema.Schema) bool {
	mayRefuse := func(k schema.Keyword) bool { return !strings.HasPrefix(k.Name, "x-") }
	return !of.Allows(nil) || slices.ContainsFunc(of.More, mayRefuse)
}

// unsaid notes a rule that the keywords do not say: a value that follows them may still
// be refused. Only a format keeps the schema from promising otherwise.
func (v *value) unsaid(format, sentence string) {
	if v.schema.Format == "" || schema.IsWidth(v.schema.Format) || v.schema.Format == "date-time" {
		v.schema.Format = format
	} else {
		v.schema.AllOf = append(v.schema.AllOf, &schema.Schema{Format: format})
	}
	if sentence != "" {
		v.says = append(v.says, sentence)
	}
}

// shape adds what the type alone says of a value. A type that marshals itself in any form gets a format with its name,
// and no type: what it writes, only it knows.
func (s *Schemas) shape(v *value, t *model.Type, rules model.Rules, at position) {
	switch {
	case t.Kind == model.Object:
		v.definition = s.structure(t.Struct, at.role, at.fallback)
		// JSON Schema cannot say "required where there is none yet", so a format warns and the text explains.
		if at.role.patches && (t.Nullable || at.isEntry) && needsMembers(at.role.view.New, map[*model.View]bool{}) {
			v.unsaid(FormatMerged, "Where there is none yet, its required members must be given.")
		}
	case t.Kind.IsList():
		v.schema.Type = []string{schema.Array}
		if t.Kind == model.Array { // a rule even where no tag has one
			length := uint64(t.Len) //nolint:gosec // no array has a negative length
			v.schema.MinItems, v.schema.MaxItems = length, &length
		}
		v.schema.Items = s.element(v, t, rules, at)
	case t.Kind == model.Map: // whose names are the client's
		v.schema.Type = []string{schema.Object}
		v.schema.AdditionalProperties = s.element(v, t, rules, at)
		if rules.Keys != nil {
			s.keys(v, *rules.Keys, at)
		}
	case t.Kind == model.Any, isRawJSON(t):
	case t.Kind == model.Custom:
		v.schema.Format = formatOf(t)
	default:
		v.schema = scalar(t)
	}
}

// keys says the rules of a map's keys. Those of a merge patch hold for the result.
func (s *Schemas) keys(v *value, rules model.Rules, at position) {
	text := &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}
	v.keys = s.value(text, rules, position{role: at.role})
	if rules.OmitEmpty {
		v.keys.orEmpty(text)
	}
	// A rule that holds for the result of a merge says nothing of the keys of the patch.
	v.keys.schema.Type = nil // names are text in any case
	if at.role.patches || v.keys.schema.IsEmpty() {
		return
	}
	v.schema.PropertyNames = v.keys.finished()
	v.says = append(v.says, v.keys.says...)
}

// element makes the schema of a list's elements or a map's entries.
// What is said of elements stands in their own schema, as tools show that beside each of them.
func (s *Schemas) element(v *value, t *model.Type, rules model.Rules, at position) *schema.Schema {
	inner := position{role: at.role, owner: at.owner, name: at.name, fallback: at.fallback, isEntry: t.Kind == model.Map}
	inner.role.patches = at.role.patches && inner.isEntry // a list is always sent whole, in a merge patch too
	var elements model.Rules
	if rules.Elem != nil {
		elements = *rules.Elem
	}
	element := s.value(t.Elem, elements, inner)
	if elements.OmitEmpty && !t.Elem.Nullable {
		element.orEmpty(t.Elem)
	}
	element.null = element.null || inner.isEntry && at.role.patches // null removes the entry
	if len(element.says) > 0 {
		element.schema.Description = naming.Sentences(element.says...)
	}
	v.sampleElements(t, at.name, element)
	return element.finished()
}

// scalar returns the schema of a type of scalars alone.
// It is what a value of the type is anywhere: in a body, a path and a query. The ranges of 64 bits are said by format
// alone: many readers keep numbers as float64, which cannot hold their limits.
func scalar(t *model.Type) *schema.Schema {
	made := &schema.Schema{}
	name := schema.String
	switch t.Kind {
	case model.Bool:
		name = schema.Boolean
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
		// contentEncoding asserts nothing in 2020-12, and clients that check it should refuse what is refused.
		made.Pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
	case model.Time:
		made.Format = "date-time"
	case model.Text:
		made.Format = formatOf(t)
	}
	made.Type = []string{name}
	return made
}

// formatOf makes the name of a format of the name of a type that marshals itself: it
// says that not every text will do. A UUID has a format of that name.
func formatOf(t *model.Type) string {
	return strings.ToLower(strings.Join(naming.Words(ComponentName(t.Base().Name())), "-"))
}

// isRawJSON reports whether values of the type are any JSON, stored as it came. The two types are one from Go 1.27 on.
func isRawJSON(t *model.Type) bool {
	return t.Kind == model.Custom && (t.Base() == reflect.TypeFor[json.RawMessage]() || t.Base() == reflect.TypeFor[jsontext.Value]())
}
