package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// value is the schema of a value on its way.
type value struct {
	schema     *openapi3.Schema // the keywords, or those beside the reference
	definition *definition      // what the value refers to; nil for none
	null       bool             // null is one of the values
	says       []string         // sentences for what keywords cannot say
	risky      bool             // a rule may refuse what the keywords allow
	own        bool             // keywords of the user's are among them
	samples    []any            // that the rules suggest for examples
	decoded    *openapi3.Schema // of the bytes that a text stands for, for examples; nil for any
	follows    func(any) bool   // reports whether an example follows the rules; nil for always
	beside     *beside          // of another member's value, in examples; nil for none
	keys       *value           // of a map; nil where they have no rules
	sample     sampler
	tried      bool // an example has been looked for
	isFound    bool
	found      any // that example, a scalar
}

// spot is where a value stands.
type spot struct {
	role     role
	owner    *model.Struct // that it is a member of, for rules that name other members; nil for none
	name     string        // of the member
	fallback string        // the name of a struct that has none
	isEntry  bool          // of a map
}

// value makes the schema of a type with rules.
func (s *schemas) value(t *model.Type, rules validation.Rules, at spot) *value {
	v := &value{schema: &openapi3.Schema{}, null: t.Nullable && !refusesNull(rules)}
	s.shape(v, t, rules, at)
	v.follows = s.judge(t, rules)
	if at.role.patches && t.Kind == model.Map {
		if len(rules.All) > 0 || rules.Keys != nil {
			v.unsaid(formatMerged, "Its rules hold for the result.")
		}
		return v
	}
	for _, constraint := range rules.All {
		s.apply(v, constraint, ruled{typ: t, spot: at})
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
	v.schema = &openapi3.Schema{Type: rules.Type}
	rules.Type = nil
	v.schema.AnyOf = openapi3.SchemaRefs{openapi3.NewSchemaRef("", empty), openapi3.NewSchemaRef("", &rules)}
}

// emptySchema returns the schema of a type's empty value alone, if there is one that
// rules can be about.
func emptySchema(t *model.Type) (*openapi3.Schema, bool) {
	switch t.Kind {
	case model.String:
		return lengthOfText(0, new(uint64(0))), true
	case model.Int, model.Uint, model.Float:
		return &openapi3.Schema{Const: int64(0)}, true
	case model.Bool:
		return &openapi3.Schema{Const: false}, true
	}
	return nil, false
}

// refusesNull reports whether a null breaks the rules: for all others it is no value
// that they are about.
func refusesNull(rules validation.Rules) bool {
	_, required := rules.Find("required")
	return required
}

// schemaRef returns the finished schema.
func (v *value) schemaRef() *openapi3.SchemaRef {
	if v.definition != nil && !v.null {
		return v.definition.ref(v.schema)
	}
	if v.definition != nil {
		said, rules := apartFromRules(v.schema)
		said.AnyOf = openapi3.SchemaRefs{v.definition.ref(rules), openapi3.NewSchemaRef("", typed(openapi3.TypeNull))}
		return openapi3.NewSchemaRef("", said)
	}
	if !v.null {
		return openapi3.NewSchemaRef("", v.schema)
	}
	allowNull(v.schema, v.schema.Type)
	if v.own && refusesNullStill(v.schema) {
		said, rules := apartFromRules(v.schema)
		said.AnyOf = openapi3.SchemaRefs{openapi3.NewSchemaRef("", rules), openapi3.NewSchemaRef("", typed(openapi3.TypeNull))}
		return openapi3.NewSchemaRef("", said)
	}
	return openapi3.NewSchemaRef("", v.schema)
}

// apartFromRules splits a schema into what is said of a member and what its values follow,
// which null need not.
func apartFromRules(schema *openapi3.Schema) (said, rules *openapi3.Schema) {
	said = &openapi3.Schema{
		Description: schema.Description, Format: schema.Format, Default: schema.Default, Examples: schema.Examples,
		ReadOnly: schema.ReadOnly, WriteOnly: schema.WriteOnly,
	}
	copied := *schema
	rules = &copied
	rules.Description, rules.Format, rules.Default, rules.Examples, rules.ReadOnly, rules.WriteOnly = "", "", nil, nil, false, false
	return said, rules
}

// allowNull adds null to the values of a schema: no rule but required is about null. The
// types are those of the value; nil for all.
func allowNull(schema *openapi3.Schema, types *openapi3.Types) {
	if types == nil {
		types = &openapi3.Types{"boolean", "number", "string", "array", "object"}
	}
	others := slices.DeleteFunc(slices.Clone(*types), func(name string) bool { return name == openapi3.TypeNull })
	if schema.Type != nil {
		schema.Type = new(append(slices.Clone(others), openapi3.TypeNull))
	}
	if schema.Const != nil {
		schema.Enum, schema.Const = []any{schema.Const}, nil
	}
	if schema.Enum != nil && !slices.Contains(schema.Enum, nil) {
		schema.Enum = append(slices.Clone(schema.Enum), nil)
	}
	if schema.AnyOf != nil {
		schema.AnyOf = append(schema.AnyOf, openapi3.NewSchemaRef("", typed(openapi3.TypeNull)))
	}
	for _, part := range schema.AllOf {
		allowNull(part.Value, &others)
	}
	if not := schema.Not; not != nil && not.Value.Type == nil && not.Value.Const == nil && not.Value.Enum == nil {
		not.Value.Type = &others // keywords about texts, lists and so on hold for null
	}
}

// refusesNullStill reports whether keywords of the user's refuse null.
func refusesNullStill(schema *openapi3.Schema) bool {
	alone := *schema
	alone.Items, alone.Properties, alone.AdditionalProperties, alone.PropertyNames = nil, nil, openapi3.AdditionalProperties{}, nil
	return alone.VisitJSON(nil, openapi3.EnableJSONSchema2020()) != nil
}

func typed(name string) *openapi3.Schema {
	return &openapi3.Schema{Type: &openapi3.Types{name}}
}

// unsaid notes a rule that the keywords do not say: a value that follows them may still
// be refused. Only a format keeps the schema from promising otherwise.
func (v *value) unsaid(format, sentence string) {
	if v.schema.Format == "" || isWidth(v.schema.Format) || v.schema.Format == "date-time" {
		v.schema.Format = format
	} else {
		v.schema.AllOf = append(v.schema.AllOf, openapi3.NewSchemaRef("", &openapi3.Schema{Format: format}))
	}
	if sentence != "" {
		v.says = append(v.says, sentence)
	}
}
