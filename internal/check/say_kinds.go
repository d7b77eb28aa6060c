package check

import (
	"strconv"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// sayRequired says that a text is not empty, and that what may be any value is not null. That
// the member is there is said by the object around it, that it is not null by its type.
func sayRequired(r Subject) Statement {
	switch {
	case r.Type.Kind == model.Any, r.Type.Kind == model.Custom:
		return Statement{Keywords: schema.Inverse(schema.Typed(schema.Null))}
	case r.Type.Nullable:
	case r.Type.Kind == model.String:
		return Statement{Keywords: &schema.Schema{MinLength: 1}}
	}
	return Statement{}
}

// isDefault says that a value is the empty one of its type: that of a pointer is null.
// What is empty of a struct or a list, keywords could say; hardly anybody writes such a rule.
func isDefault(r Subject) Statement {
	if r.Type.Nullable {
		return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf[any](nil)}}
	}
	switch r.Type.Kind {
	case model.String:
		return Statement{Keywords: sizeOfText(0, new(uint64(0)))}
	case model.Int, model.Uint, model.Float:
		return equality(equal, int64(0))
	case model.Bool:
		return equality(equal, false)
	}
	return Statement{Format: "empty", Sentence: "Must be empty."}
}

// sayUnique says that elements differ. Values that marshal themselves, and structs, can
// differ as JSON and yet be equal.
func sayUnique(r Subject) Statement {
	apart := Statement{Format: "unique", Sentence: "Its elements must differ."}
	if r.Param != "" || r.Type.Kind != model.List && r.Type.Kind != model.Array {
		return apart
	}
	switch r.Type.Elem.Kind {
	case model.Bool, model.Int, model.Uint, model.Float, model.String:
		return Statement{Keywords: &schema.Schema{UniqueItems: true}}
	}
	apart.Keywords = &schema.Schema{UniqueItems: r.Type.Elem.Kind != model.Time}
	return apart
}

func latitude(r Subject) Statement {
	return coordinate(r, 90, `^[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)$`, "52.5")
}

func longitude(r Subject) Statement {
	return coordinate(r, 180, `^[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)$`, "13.4")
}

func coordinate(r Subject, limit int, pattern, sample string) Statement {
	switch r.Type.Kind {
	case model.Int, model.Uint, model.Float:
		return Statement{Keywords: &schema.Schema{Min: schema.Int(-limit), Max: schema.Int(limit)}}
	}
	return matching(pattern, sample)(r)
}

// currencyNumber suggests the Euro, and the Australian dollar where that is too large.
func currencyNumber(Subject) Statement {
	return Statement{Format: "currency-code", Sentence: "The number of a currency in ISO 4217.", Samples: []any{int64(978), int64(36)}}
}

func port(Subject) Statement {
	return Statement{Keywords: &schema.Schema{Min: schema.Int(1), Max: schema.Int(65535)}}
}

// choices returns choices as values of the type.
// An option that no value of the type is written like can never be chosen, and is left out.
func choices(r Subject) []any {
	var list []any
	for _, choice := range Words(r.Param) {
		switch r.Type.Kind {
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

func sayOneOf(r Subject) Statement {
	return Statement{Keywords: &schema.Schema{Enum: schema.ValuesOf(choices(r)...)}}
}
