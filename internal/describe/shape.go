package describe

import (
	"encoding/json" //nolint:depguard // its type RawMessage is recognized, and nothing else used
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// shape adds what the type alone says of a value.
// A type that marshals itself in any form gets a format with its name, and no type: what it writes,
// only it knows.
func (s *Schemas) shape(v *value, t *model.Type, rules model.Rules, at position) {
	switch t.Kind {
	case model.Object:
		v.definition = s.structure(t.Struct, at.role, at.fallback)
		// JSON Schema cannot say "required where there is none yet", so a format warns and the text explains.
		if at.role.patches && (t.Nullable || at.isEntry) && needsMembers(at.role.view.New, map[*model.View]bool{}) {
			v.unsaid(FormatMerged, "Where there is none yet, its required members must be given.")
		}
	case model.List, model.Array:
		s.list(v, t, rules, at)
	case model.Map:
		s.mapping(v, t, rules, at)
	case model.Custom:
		if !isRawJSON(t) {
			v.schema.Format = formatOf(t)
		}
	case model.Any:
	default:
		v.schema = Scalar(t)
	}
}

// An array has as many elements as its type says, which is a rule even where no tag has one.
func (s *Schemas) list(v *value, t *model.Type, rules model.Rules, at position) {
	v.schema.Type = []string{schema.Array}
	if t.Kind == model.Array {
		length := uint64(t.Len) //nolint:gosec // no array has a negative length
		v.schema.MinItems, v.schema.MaxItems = length, &length
	}
	v.schema.Items = s.element(v, t, rules, at)
}

// The names of entries are the client's, so that they cannot be listed as properties.
func (s *Schemas) mapping(v *value, t *model.Type, rules model.Rules, at position) {
	v.schema.Type = []string{schema.Object}
	v.schema.AdditionalProperties = s.element(v, t, rules, at)
	if rules.Keys != nil {
		s.keys(v, *rules.Keys, at)
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
	inner := position{role: at.role.element(t), owner: at.owner, name: at.name, fallback: at.fallback, isEntry: t.Kind == model.Map}
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

// Scalar returns the schema of a type of scalars alone.
// It is what a value of the type is anywhere: in a body, a path and a query.
func Scalar(t *model.Type) *schema.Schema {
	made := &schema.Schema{}
	switch t.Kind {
	case model.Bool:
		made.Type = []string{schema.Boolean}
	case model.Int, model.Uint, model.Float:
		number(made, t)
	default:
		text(made, t)
	}
	return made
}

// number adds type and range of a number. The ranges of 64 bits are said by format
// alone: many readers keep numbers as float64, which cannot hold their limits.
func number(into *schema.Schema, t *model.Type) {
	switch {
	case t.Kind == model.Float:
		into.Type = []string{schema.Number}
		into.Format = map[int]string{32: "float", 64: "double"}[t.Bits]
		return
	case t.Kind == model.Uint:
		into.Min = schema.Int(0)
		into.Format = map[int]string{64: "uint64", model.SignedBits: "int64"}[t.Bits]
		if t.Bits < model.SignedBits {
			into.Max = schema.Int(1<<t.Bits - 1)
		}
	case t.Bits >= 32:
		into.Format = map[int]string{32: "int32", 64: "int64"}[t.Bits]
	default:
		limit := 1 << (t.Bits - 1)
		into.Min, into.Max = schema.Int(-limit), schema.Int(limit-1)
	}
	into.Type = []string{schema.Integer}
}

// text adds what is said of types that JSON writes as text.
func text(into *schema.Schema, t *model.Type) {
	into.Type = []string{schema.String}
	switch t.Kind {
	case model.Bytes:
		into.ContentEncoding = "base64"
		// contentEncoding asserts nothing in 2020-12, and clients that check it should refuse what is refused.
		into.Pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
	case model.Time:
		into.Format = "date-time"
	case model.Text:
		into.Format = formatOf(t)
	}
}

// formatOf makes the name of a format of the name of a type that marshals itself: it
// says that not every text will do. A UUID has a format of that name.
func formatOf(t *model.Type) string {
	return strings.ToLower(strings.Join(naming.Words(ComponentName(t.Base().Name())), "-"))
}

// isRawJSON reports whether values of the type are any JSON, stored as it came. The two types are one from Go 1.27 on.
func isRawJSON(t *model.Type) bool {
	return t.Base() == reflect.TypeFor[json.RawMessage]() || t.Base() == reflect.TypeFor[jsontext.Value]()
}
