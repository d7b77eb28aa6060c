package check

import "github.com/trove-api/trove/internal/model"

// spec is what is known of a rule without a value: where it can stand, and what a
// client is told.
type spec struct {
	fits    kinds
	param   bool   // has no meaning without a parameter
	fields  bool   // its parameter names other fields, so the value alone cannot be judged
	own     bool   // the user's
	refused string // why the rule is not supported; "" for a supported one
	message string // what follows the field's name
}

// kinds is a set of kinds of values.
type kinds uint

func only(list ...model.Kind) kinds {
	var set kinds
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func (k kinds) has(kind model.Kind) bool { return k&(1<<kind) != 0 }

const everyKind = ^kinds(0)

const (
	touchesServer = "it reaches for the server's disk or network"
	callsMethods  = "it calls methods of the value; use a rule made by validation.Struct"
)

// newCatalogue lists validator's rules, and notblank. In a message {param} stands for
// the parameter, {size} for it with its unit, {be} for "must be" or "must have" as the
// unit needs, and {fields} for the fields that the parameter names.
func newCatalogue() map[string]spec {
	rules := map[string]spec{}
	for name, message := range textRules() {
		rules[name] = spec{fits: only(model.String), message: message}
	}
	for name, message := range textRulesWithParam() {
		rules[name] = spec{fits: only(model.String), param: true, message: message}
	}
	numbers := only(model.Int, model.Uint, model.Float)
	sized := numbers | only(model.String, model.Bytes, model.List, model.Array, model.Map)
	for name, message := range map[string]string{
		"min": "{be} at least {size}", "max": "{be} at most {size}", "len": "{be} exactly {size}",
	} {
		rules[name] = spec{fits: sized, param: true, message: message}
	}
	for name, message := range map[string]string{
		"gte": "{be} at least {size}", "lte": "{be} at most {size}",
		"gt": "{be} more than {size}", "lt": "{be} less than {size}",
	} {
		rules[name] = spec{fits: sized | only(model.Time), message: message}
	}
	rules["eq"] = spec{fits: sized | only(model.Bool), param: true, message: "must be {param}"}
	rules["ne"] = spec{fits: sized | only(model.Bool), param: true, message: "must not be {param}"}
	for name, message := range map[string]string{"oneof": "must be one of: {list}", "noneof": "must be none of: {list}"} {
		rules[name] = spec{fits: only(model.String, model.Int, model.Uint), param: true, message: message}
		rules[name+"ci"] = spec{fits: only(model.String), param: true, message: message + ", in any letter case"}
	}
	rules["unique"] = spec{fits: only(model.List, model.Array, model.Map), message: "must not have the same element twice"}
	rules["latitude"] = spec{fits: numbers | only(model.String), message: "must be a latitude, from -90 to 90"}
	rules["longitude"] = spec{fits: numbers | only(model.String), message: "must be a longitude, from -180 to 180"}
	rules["port"] = spec{fits: only(model.Int, model.Uint), message: "must be a port, from 1 to 65535"}
	rules["iso4217_numeric"] = spec{fits: only(model.Int, model.Uint), message: "must be the number of a currency"}
	rules["isdefault"] = spec{fits: everyKind, message: "must be empty"}
	rules["required"] = spec{fits: everyKind, message: "is required"}
	addFieldRules(rules)
	addRefused(rules)
	return rules
}

// addFieldRules adds the rules that compare a field with others of its struct.
func addFieldRules(rules map[string]spec) {
	for name, relation := range map[string]string{
		"eqfield": "the same as", "nefield": "other than", "gtfield": "greater than", "gtefield": "greater than or equal to",
		"ltfield": "less than", "ltefield": "less than or equal to",
		"eqcsfield": "the same as", "necsfield": "other than", "gtcsfield": "greater than", "gtecsfield": "greater than or equal to",
		"ltcsfield": "less than", "ltecsfield": "less than or equal to",
	} {
		rules[name] = spec{fits: everyKind, param: true, fields: true, message: "must be " + relation + " {fields}"}
	}
	for name, message := range map[string]string{
		"required_if":          "is required, going by {fields}",
		"required_unless":      "is required, going by {fields}",
		"required_with":        "is required together with {fields}",
		"required_with_all":    "is required together with {fields}",
		"required_without":     "is required where {fields} is left out",
		"required_without_all": "is required where {fields} is left out",
		"excluded_if":          "must be left out, going by {fields}",
		"excluded_unless":      "must be left out, going by {fields}",
		"excluded_with":        "must be left out beside {fields}",
		"excluded_with_all":    "must be left out beside {fields}",
		"excluded_without":     "must be left out without {fields}",
		"excluded_without_all": "must be left out without {fields}",
	} {
		rules[name] = spec{fits: everyKind, param: true, fields: true, message: message}
	}
	text := only(model.String)
	rules["fieldcontains"] = spec{fits: text, param: true, fields: true, message: "must contain {fields}"}
	rules["fieldexcludes"] = spec{fits: text, param: true, fields: true, message: "must not contain {fields}"}
	rules["postcode_iso3166_alpha2_field"] = spec{fits: text, param: true, fields: true, message: "must be a postcode of {fields}"}
}

func addRefused(rules map[string]spec) {
	for _, name := range []string{
		"file", "mimetype", "filepath", "dir", "dirpath", "image", "uds_exists", "tcp4_addr", "tcp6_addr", "tcp_addr", "udp4_addr",
		"udp6_addr", "udp_addr", "ip4_addr", "ip6_addr", "ip_addr", "unix_addr",
	} {
		rules[name] = spec{refused: touchesServer}
	}
	rules["validateFn"] = spec{refused: callsMethods}
	rules["skip_unless"] = spec{refused: "it hides the other rules; use a rule made by validation.Struct"}
}
