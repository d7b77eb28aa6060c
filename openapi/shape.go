package openapi

import (
	"math"
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/view"
	"github.com/trove-api/trove/validation"
)

// shape adds what the type alone says of a value.
func (s *schemas) shape(v *value, t *model.Type, rules validation.Rules, at spot) {
	switch t.Kind {
	case model.Object:
		v.definition = s.structure(t.Struct, at.role, at.fallback)
		if at.role.patches && (t.Nullable || at.isEntry) && needsMembers(at.role.view.New, map[*view.View]bool{}) {
			v.unsaid(formatMerged, "Where there is none yet, its required members must be given.")
		}
	case model.List, model.Array:
		s.list(v, t, rules, at)
	case model.Map:
		s.mapping(v, t, rules, at)
	case model.Bool:
		v.schema.Type = &openapi3.Types{openapi3.TypeBoolean}
	case model.Int, model.Uint, model.Float:
		number(v.schema, t)
	case model.Custom:
		if !isRawJSON(t) {
			v.schema.Format = formatOf(t)
		}
	case model.Any:
	default:
		text(v.schema, t)
	}
}

func (s *schemas) list(v *value, t *model.Type, rules validation.Rules, at spot) {
	v.schema.Type = &openapi3.Types{openapi3.TypeArray}
	if t.Kind == model.Array {
		length := uint64(t.Len) //nolint:gosec // no array has a negative length
		v.schema.MinItems, v.schema.MaxItems = length, &length
	}
	v.schema.Items = s.element(v, t, rules, at)
}

func (s *schemas) mapping(v *value, t *model.Type, rules validation.Rules, at spot) {
	v.schema.Type = &openapi3.Types{openapi3.TypeObject}
	v.schema.AdditionalProperties.Schema = s.element(v, t, rules, at)
	if rules.Keys != nil {
		s.keys(v, *rules.Keys, at)
	}
}

// keys says the rules of a map's keys. Those of a merge patch hold for the result.
func (s *schemas) keys(v *value, rules validation.Rules, at spot) {
	text := &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}
	v.keys = s.value(text, rules, spot{role: at.role})
	if rules.OmitEmpty {
		v.keys.orEmpty(text)
	}
	v.keys.schema.Type = nil // names are text in any case
	if at.role.patches || isZero(v.keys.schema) {
		return
	}
	v.schema.PropertyNames = v.keys.schemaRef()
	v.says = append(v.says, v.keys.says...)
}

// element makes the schema of a list's elements or a map's entries.
func (s *schemas) element(v *value, t *model.Type, rules validation.Rules, at spot) *openapi3.SchemaRef {
	inner := spot{role: at.role.element(t), owner: at.owner, name: at.name, fallback: at.fallback, isEntry: t.Kind == model.Map}
	var elements validation.Rules
	if rules.Elem != nil {
		elements = *rules.Elem
	}
	element := s.value(t.Elem, elements, inner)
	if elements.OmitEmpty && !t.Elem.Nullable {
		element.orEmpty(t.Elem)
	}
	element.null = element.null || inner.isEntry && at.role.patches // null removes the entry
	if len(element.says) > 0 {
		element.schema.Description = sentences(element.says...)
	}
	v.sampleElements(t, at.name, element)
	return element.schemaRef()
}

// number adds type and range of a number. The ranges of 64 bits are said by format
// alone: the document's numbers are float64, which cannot hold their limits.
func number(schema *openapi3.Schema, t *model.Type) {
	switch {
	case t.Kind == model.Float:
		schema.Type = &openapi3.Types{openapi3.TypeNumber}
		schema.Format = map[int]string{32: "float", 64: "double"}[t.Bits]
		return
	case t.Kind == model.Uint:
		schema.Min = new(0.0)
		schema.Format = map[int]string{64: "uint64", model.SignedBits: "int64"}[t.Bits]
		if t.Bits < model.SignedBits {
			schema.Max = new(math.Exp2(float64(t.Bits)) - 1)
		}
	case t.Bits >= 32:
		schema.Format = map[int]string{32: "int32", 64: "int64"}[t.Bits]
	default:
		limit := math.Exp2(float64(t.Bits - 1))
		schema.Min, schema.Max = new(-limit), new(limit-1)
	}
	schema.Type = &openapi3.Types{openapi3.TypeInteger}
}

// text adds what is said of types that JSON writes as text.
func text(schema *openapi3.Schema, t *model.Type) {
	schema.Type = &openapi3.Types{openapi3.TypeString}
	switch t.Kind {
	case model.Bytes:
		schema.ContentEncoding = "base64"
		schema.Pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
	case model.Time:
		schema.Format = "date-time"
	case model.Text:
		schema.Format = formatOf(t)
	}
}

// formatOf makes the name of a format of the name of a type that marshals itself: it
// says that not every text will do. A UUID has a format of that name.
func formatOf(t *model.Type) string {
	return strings.ToLower(strings.Join(naming.Words(cleanName(t.Base().Name())), "-"))
}

// isRawJSON reports whether values of the type are any JSON, kept as it came.
func isRawJSON(t *model.Type) bool {
	switch t.Base().PkgPath() + "." + t.Base().Name() {
	case "encoding/json.RawMessage", "github.com/go-json-experiment/json/jsontext.Value":
		return true
	}
	return false
}
