package check

import (
	"maps"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// spec is what is known of a rule without a value: where it can stand, and what a
// client is told.
// One row for a rule keeps its check, its message and its schema from drifting apart, which is what
// three tables keyed by its name would do.
type spec struct {
	fits    kinds
	param   bool             // has no meaning without a parameter
	fields  bool             // its parameter names other fields, so the value alone cannot be judged
	own     *validation.Rule // the user's; nil for validator's
	refused string           // why the rule is not supported; "" for a supported one
	message string           // what follows the field's name
	judge   judging
	says    saying // nil for a rule that schemas name, and say nothing of
}

// judging compiles a rule of that name for the values of a type. A nil one, or nil from it,
// leaves the rule to validator, whom a compiled check can ask, too.
// What a parameter says is read when the rule is compiled, not with each value.
type judging func(c model.Constraint, t *model.Type, ask judge) judge

const (
	// Such a rule would let clients ask which files or hosts there are.
	touchesServer = "it reaches for the server's disk or network"
	callsMethods  = "it calls methods of the value; use a rule made by validation.Struct"
)

// newCatalogue lists validator's rules, and notblank: one row says where a rule can stand,
// what a client is told, how it is checked, and what schemas say of it. In a message {param}
// stands for the parameter, {size} for it with its unit, {be} for "must be" or "must have" as
// the unit needs, and {fields} for the fields that the parameter names.
func newCatalogue() map[string]spec {
	rules := textRules()
	addSizeRules(rules)
	addChoiceRules(rules)
	addFieldRules(rules)
	addConditions(rules)
	addRefused(rules)
	maps.Copy(rules, map[string]spec{
		"required":  {fits: everyKind, message: "is required", judge: requiredJudge, says: sayRequired},
		"isdefault": {fits: everyKind, message: "must be empty", judge: isDefaultJudge, says: isDefault},
		"unique": {
			fits:    only(model.List, model.Array, model.Map),
			message: "must not have the same element twice", judge: uniqueJudge, says: sayUnique,
		},
		"latitude":        {fits: numbers | only(model.String), message: "must be a latitude, from -90 to 90", says: latitude},
		"longitude":       {fits: numbers | only(model.String), message: "must be a longitude, from -180 to 180", says: longitude},
		"port":            {fits: only(model.Int, model.Uint), message: "must be a port, from 1 to 65535", says: port},
		"iso4217_numeric": {fits: only(model.Int, model.Uint), message: "must be the number of a currency", says: currencyNumber},
	})
	return rules
}

// addSizeRules adds the rules that compare a number, the length of a text or how many
// elements there are, some of them also a time with now.
// min, max and len do not take times: a time has no length, and to compare it with now is what gt
// and its like are for.
func addSizeRules(rules map[string]spec) {
	sized := numbers | only(model.String, model.Bytes, model.List, model.Array, model.Map)
	for name, rule := range map[string]spec{
		"min": {fits: sized, param: true, message: "{be} at least {size}", says: compared(atLeast)},
		"max": {fits: sized, param: true, message: "{be} at most {size}", says: compared(atMost)},
		"len": {fits: sized, param: true, message: "{be} exactly {size}", says: lengthIs},
		"gte": {fits: sized | only(model.Time), message: "{be} at least {size}", says: compared(atLeast)},
		"lte": {fits: sized | only(model.Time), message: "{be} at most {size}", says: compared(atMost)},
		"gt":  {fits: sized | only(model.Time), message: "{be} more than {size}", says: compared(moreThan)},
		"lt":  {fits: sized | only(model.Time), message: "{be} less than {size}", says: compared(lessThan)},
		"eq":  {fits: sized | only(model.Bool), param: true, message: "must be {param}", says: compared(equal)},
		"ne":  {fits: sized | only(model.Bool), param: true, message: "must not be {param}", says: compared(unequal)},
	} {
		rule.judge = comparison
		rules[name] = rule
	}
}

// addChoiceRules adds the rules that list values.
// Each has its opposite made of it, so that the two cannot disagree about letters and quotes.
func addChoiceRules(rules map[string]spec) {
	const one, none, inAnyCase = "must be one of: {list}", "must be none of: {list}", ", in any letter case"
	words, text := only(model.String, model.Int, model.Uint), only(model.String)
	rules["oneof"] = spec{fits: words, param: true, message: one, judge: oneOf, says: sayOneOf}
	rules["noneof"] = spec{fits: words, param: true, message: none, judge: oneOf, says: except(sayOneOf)}
	rules["oneofci"] = spec{fits: text, param: true, message: one + inAnyCase, judge: ofText(isOneInAnyCase), says: oneOfAnyCase}
	rules["noneofci"] = spec{fits: text, param: true, message: none + inAnyCase, judge: ofText(isNoneInAnyCase), says: except(oneOfAnyCase)}
}

// addFieldRules adds the rules that compare a field with others of its struct.
// The same rows serve both forms of a name, beside the field and from the record down ("csfield").
func addFieldRules(rules map[string]spec) {
	for relation, row := range map[string]struct {
		told, said string
		step       int
	}{
		"eq": {"the same as", "equal", 0}, "ne": {"other than", "differ from", 1},
		"gt": {"greater than", "be greater than", 1}, "gte": {"greater than or equal to", "be at least", 0},
		"lt": {"less than", "be less than", -1}, "lte": {"less than or equal to", "be at most", 0},
	} {
		rule := spec{
			fits: everyKind, param: true, fields: true, message: "must be " + row.told + " {fields}", says: compareMember(row.said, row.step),
		}
		rules[relation+"field"], rules[relation+"csfield"] = rule, rule
	}
	text := only(model.String)
	rules["fieldcontains"] = spec{fits: text, param: true, fields: true, message: "must contain {fields}", says: compareMember("contain", 0)}
	rules["fieldexcludes"] = spec{fits: text, param: true, fields: true, message: "must not contain {fields}", says: compareMember("not contain", -1)}
	rules["postcode_iso3166_alpha2_field"] = spec{fits: text, param: true, fields: true, message: "must be a postcode of {fields}"}
}

// addConditions adds the rules that ask for a field, or refuse it, depending on others.
func addConditions(rules map[string]spec) {
	for name, row := range map[string]struct {
		told string
		says saying
	}{
		"required_if":          {"is required, going by {fields}", condition("Required if", "")},
		"required_unless":      {"is required, going by {fields}", condition("Required unless", "")},
		"required_with":        {"is required together with {fields}", condition("Required with", "one of")},
		"required_with_all":    {"is required together with {fields}", condition("Required with", "all of")},
		"required_without":     {"is required where {fields} is left out", condition("Required without", "one of")},
		"required_without_all": {"is required where {fields} is left out", condition("Required without", "all of")},
		"excluded_if":          {"must be left out, going by {fields}", condition("Must be left out if", "")},
		"excluded_unless":      {"must be left out, going by {fields}", condition("Must be left out unless", "")},
		"excluded_with":        {"must be left out beside {fields}", condition("Must be left out with", "one of")},
		"excluded_with_all":    {"must be left out beside {fields}", condition("Must be left out with", "all of")},
		"excluded_without":     {"must be left out without {fields}", condition("Must be left out without", "one of")},
		"excluded_without_all": {"must be left out without {fields}", condition("Must be left out without", "all of")},
	} {
		rules[name] = spec{fits: everyKind, param: true, fields: true, message: row.told, says: row.says}
	}
}

// addRefused adds the rules that are not supported.
// To refuse them when the API is made is kinder than what they would do: hide rules, or reach out
// of the process at each request.
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

// text returns the row of a rule of texts: its message, what schemas say, and its check if
// there is one beside validator's.
func text(message string, says saying, check ...func(string) bool) spec {
	rule := spec{fits: only(model.String), message: message, says: says}
	if len(check) > 0 {
		rule.judge = ofText(func(string) func(string) bool { return check[0] })
	}
	return rule
}

// textWithParam returns the row of a rule of texts whose check depends on a parameter; nil
// for one that only validator can judge.
func textWithParam(message string, says saying, check func(param string) func(string) bool) spec {
	rule := spec{fits: only(model.String), param: true, message: message, says: says}
	if check != nil {
		rule.judge = ofText(check)
	}
	return rule
}

// address returns the row of a rule of texts whose check knows the plain ones and some that
// cannot be any. Validator judges the rest.
func address(message string, says saying, judged func(text string) (holds, isSure bool)) spec {
	return spec{
		fits: only(model.String), message: message, says: says,
		judge: func(_ model.Constraint, _ *model.Type, ask judge) judge {
			return func(v reflect.Value) bool {
				holds, isSure := judged(v.String())
				return isSure && holds || !isSure && ask(v)
			}
		},
	}
}

// ofText makes the check of a text with a parameter one of values.
func ofText(check func(param string) func(string) bool) judging {
	return func(c model.Constraint, _ *model.Type, _ judge) judge {
		holds := check(c.Param)
		return func(v reflect.Value) bool { return holds(v.String()) }
	}
}

// kinds is a set of kinds of values.
// A rule may stand at many of the dozen kinds, so the set is a word of bits.
type kinds uint

func only(list ...model.Kind) kinds {
	var set kinds
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func (k kinds) has(kind model.Kind) bool { return k&(1<<kind) != 0 }

// String lists the kinds as types of Go's.
func (k kinds) String() string {
	names := [...]struct {
		kind model.Kind
		name string
	}{
		{model.String, "a string"},
		{model.Int, "a signed integer"},
		{model.Uint, "an unsigned integer"},
		{model.Float, "a float"},
		{model.Bool, "a bool"},
		{model.Bytes, "a []byte"},
		{model.Time, "a time.Time"},
		{model.List, "a slice"},
		{model.Array, "an array"},
		{model.Map, "a map"},
	}
	var allowed []string
	for _, each := range names {
		if k.has(each.kind) {
			allowed = append(allowed, each.name)
		}
	}
	return strings.Join(allowed, ", ")
}

const (
	// everyKind is for rules that look at no value of a certain kind, such as required.
	everyKind = ^kinds(0)
	numbers   = kinds(1<<model.Int | 1<<model.Uint | 1<<model.Float)
	// scalars are the kinds whose values Go and JSON compare alike.
	scalars = numbers | 1<<model.Bool | 1<<model.String
)

// Fits lists the rules that tags may have, the user's own aside, each with the kinds of
// values that it can stand at.
// Tests walk through it, so that a rule added to the catalogue is tried without being listed twice.
func Fits() map[string][]model.Kind {
	list := map[string][]model.Kind{}
	for name, rule := range newCatalogue() {
		for kind := model.Bool; kind <= model.Map && rule.refused == ""; kind++ {
			if rule.fits.has(kind) {
				list[name] = append(list[name], kind)
			}
		}
	}
	return list
}
