package openapi

import (
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
)

// kindRules are the rules that mean something for several kinds of values.
var kindRules = map[string]row{
	"required":  required,
	"len":       lengthIs,
	"min":       compared(atLeast),
	"gte":       compared(atLeast),
	"max":       compared(atMost),
	"lte":       compared(atMost),
	"gt":        compared(moreThan),
	"lt":        compared(lessThan),
	"eq":        compared(equal),
	"ne":        compared(unequal),
	"oneof":     oneOf,
	"noneof":    noneOf,
	"unique":    unique,
	"isdefault": isDefault,
	"latitude":  latitude,
	"longitude": longitude,
	"port":      port,

	"iso4217_numeric": currencyNumber,

	"eqfield":    compareMember("equal", 0),
	"nefield":    compareMember("differ from", 1),
	"gtfield":    compareMember("be greater than", 1),
	"gtefield":   compareMember("be at least", 0),
	"ltfield":    compareMember("be less than", -1),
	"ltefield":   compareMember("be at most", 0),
	"eqcsfield":  compareMember("equal", 0),
	"necsfield":  compareMember("differ from", 1),
	"gtcsfield":  compareMember("be greater than", 1),
	"gtecsfield": compareMember("be at least", 0),
	"ltcsfield":  compareMember("be less than", -1),
	"ltecsfield": compareMember("be at most", 0),

	"fieldcontains": compareMember("contain", 0),
	"fieldexcludes": compareMember("not contain", -1),

	"required_with":        condition("Required with", "one of"),
	"required_with_all":    condition("Required with", "all of"),
	"required_without":     condition("Required without", "one of"),
	"required_without_all": condition("Required without", "all of"),
	"required_if":          condition("Required if", ""),
	"required_unless":      condition("Required unless", ""),
	"excluded_with":        condition("Must be left out with", "one of"),
	"excluded_with_all":    condition("Must be left out with", "all of"),
	"excluded_without":     condition("Must be left out without", "one of"),
	"excluded_without_all": condition("Must be left out without", "all of"),
	"excluded_if":          condition("Must be left out if", ""),
	"excluded_unless":      condition("Must be left out unless", ""),
}

// required says that a text is not empty, and that what may be any value is not null. That
// the member is there is said by the object around it, that it is not null by its type.
func required(r ruled) statement {
	switch {
	case r.typ.Kind == model.Any, r.typ.Kind == model.Custom:
		return statement{keywords: &openapi3.Schema{Not: openapi3.NewSchemaRef("", typed(openapi3.TypeNull))}}
	case r.typ.Nullable:
	case r.typ.Kind == model.String:
		return statement{keywords: &openapi3.Schema{MinLength: 1}}
	}
	return statement{}
}

// isDefault says that a value is the empty one of its type: that of a pointer is null.
func isDefault(r ruled) statement {
	if r.typ.Nullable {
		return statement{keywords: &openapi3.Schema{Enum: []any{nil}}}
	}
	switch r.typ.Kind {
	case model.String:
		return statement{keywords: lengthOfText(0, new(uint64(0)))}
	case model.Int, model.Uint, model.Float:
		return equality(equal, int64(0))
	case model.Bool:
		return equality(equal, false)
	}
	return statement{format: "empty", sentence: "Must be empty."}
}

// unique says that elements differ. Values that marshal themselves, and structs, can
// differ as JSON and yet be equal.
func unique(r ruled) statement {
	apart := statement{format: "unique", sentence: "Its elements must differ."}
	if r.param != "" || r.typ.Kind != model.List && r.typ.Kind != model.Array {
		return apart
	}
	switch r.typ.Elem.Kind {
	case model.Bool, model.Int, model.Uint, model.Float, model.String:
		return statement{keywords: &openapi3.Schema{UniqueItems: true}}
	}
	apart.keywords = &openapi3.Schema{UniqueItems: r.typ.Elem.Kind != model.Time}
	return apart
}

func latitude(r ruled) statement {
	return coordinate(r, 90, `^[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)$`, "52.5")
}

func longitude(r ruled) statement {
	return coordinate(r, 180, `^[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)$`, "13.4")
}

func coordinate(r ruled, limit float64, pattern, sample string) statement {
	switch r.typ.Kind {
	case model.Int, model.Uint, model.Float:
		return statement{keywords: &openapi3.Schema{Min: new(-limit), Max: &limit}}
	}
	return matching(pattern, sample)(r)
}

// currencyNumber suggests the Euro, and the Australian dollar where that is too large.
func currencyNumber(ruled) statement {
	return statement{format: "currency-code", sentence: "The number of a currency in ISO 4217.", samples: []any{int64(978), int64(36)}}
}

func port(ruled) statement {
	return statement{keywords: &openapi3.Schema{Min: new(1.0), Max: new(65535.0)}}
}

// values returns choices as values of the type.
func values(r ruled) []any {
	var list []any
	for _, choice := range check.Words(r.param) {
		switch r.typ.Kind {
		case model.Int: // which validator compares as they are written
			if n, err := strconv.ParseInt(choice, 10, 64); err == nil && strconv.FormatInt(n, 10) == choice {
				list = append(list, n)
			}
		case model.Uint:
			if n, err := strconv.ParseUint(choice, 10, 64); err == nil && strconv.FormatUint(n, 10) == choice {
				list = append(list, n)
			}
		default:
			list = append(list, choice)
		}
	}
	return list
}

func oneOf(r ruled) statement {
	return statement{keywords: &openapi3.Schema{Enum: values(r)}}
}

func noneOf(r ruled) statement {
	return statement{keywords: &openapi3.Schema{Not: openapi3.NewSchemaRef("", &openapi3.Schema{Enum: values(r)})}}
}
