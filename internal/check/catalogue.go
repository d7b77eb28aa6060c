package check

import (
	"maps"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// spec is one row of the catalogue: what is known of a rule before it has a parameter. Check, message and schema
// are in one row so that they cannot drift apart.
type spec struct {
	fits        kinds
	param       bool             // needs a parameter
	fields      bool             // the parameter names other fields, so the value alone is not enough
	own         *validation.Rule // the user's; nil for validator's
	unsupported string           // why the rule is not supported; "" for a supported one
	message     string           // follows the field's name
	ofTimes     string           // likewise, if the value is a date or time; "" for the same
	judge       judging
	describe    description // nil if schemas can only name the rule
}

// judging compiles a rule for the values of a type. If it is nil or returns nil, validator checks the value. A
// compiled check can also call validator, through ask.
type judging func(c model.Constraint, t *model.Type, ask judge) judge

const (
	// Such a rule would let clients find out which files or hosts exist.
	touchesServer = "it would access the server's disk or network"
	callsMethods  = "it calls methods of the value; use validation.Struct instead"
)

// newCatalogue returns the rules of validator, and notblank. Messages have placeholders: {param} is the parameter,
// {size} is the parameter with its unit, {be} is "must be" or "must have", and {more} and {less} fit the unit. For
// rules that name other fields, see ofFields.
func newCatalogue() map[string]spec {
	rules := textRules()
	addSizeRules(rules)
	addChoiceRules(rules)
	addFieldRules(rules)
	addConditions(rules)
	addUnsupported(rules)
	maps.Copy(rules, map[string]spec{
		"required":  {fits: everyKind, message: "is required", judge: requiredJudge, describe: sayRequired},
		"isdefault": {fits: everyKind, message: "must be empty", judge: isDefaultJudge, describe: isDefault},
		"unique": {
			fits:    only(model.List, model.Array, model.Map),
			message: "must not contain duplicates", judge: uniqueJudge, describe: sayUnique,
		},
		"latitude":        {fits: numbers | only(model.String), message: "must be a latitude between -90 and 90", describe: latitude},
		"longitude":       {fits: numbers | only(model.String), message: "must be a longitude between -180 and 180", describe: longitude},
		"port":            {fits: only(model.Int, model.Uint), message: "must be a port between 1 and 65535", describe: port},
		"iso4217_numeric": {fits: only(model.Int, model.Uint), message: "must be a numeric ISO 4217 currency code", describe: currencyNumber},
	})
	return rules
}

// addSizeRules adds the rules that compare a number, a length or a count. Some also compare a time with the current
// time; min, max and len do not, because a time has no length.
func addSizeRules(rules map[string]spec) {
	sized := numbers | only(model.String, model.Bytes, model.List, model.Array, model.Map)
	for name, rule := range map[string]spec{
		"min": {fits: sized, param: true, message: "{be} at least {size}", describe: compared(atLeast)},
		"max": {fits: sized, param: true, message: "{be} at most {size}", describe: compared(atMost)},
		"len": {fits: sized, param: true, message: "{be} exactly {size}", describe: lengthIs},
		"gte": {fits: sized | only(model.Time), message: "{be} at least {size}", describe: compared(atLeast)},
		"lte": {fits: sized | only(model.Time), message: "{be} at most {size}", describe: compared(atMost)},
		"gt":  {fits: sized | only(model.Time), message: "{be} {more} than {size}", describe: compared(moreThan)},
		"lt":  {fits: sized | only(model.Time), message: "{be} {less} than {size}", describe: compared(lessThan)},
		"eq":  {fits: sized | only(model.Bool), param: true, message: "must be {param}", describe: compared(equal)},
		"ne":  {fits: sized | only(model.Bool), param: true, message: "must not be {param}", describe: compared(unequal)},
	} {
		rule.judge = comparison
		rules[name] = rule
	}
}

// addChoiceRules adds the rules that list values. Each rule's opposite is derived from it, so the two treat case
// and quotes alike.
func addChoiceRules(rules map[string]spec) {
	const one, none, inAnyCase = "must be one of: {list}", "must not be one of: {list}", " (case-insensitive)"
	words, text := only(model.String, model.Int, model.Uint), only(model.String)
	rules["oneof"] = spec{fits: words, param: true, message: one, judge: oneOf, describe: sayOneOf}
	rules["noneof"] = spec{fits: words, param: true, message: none, judge: oneOf, describe: except(sayOneOf)}
	rules["oneofci"] = spec{fits: text, param: true, message: one + inAnyCase, judge: ofText(isOneInAnyCase), describe: oneOfAnyCase}
	rules["noneofci"] = spec{fits: text, param: true, message: none + inAnyCase, judge: ofText(isNoneInAnyCase), describe: except(oneOfAnyCase)}
}

// addFieldRules adds the rules that compare a field with others. The "csfield" form of a name starts at the record
// instead of the struct.
func addFieldRules(rules map[string]spec) {
	for relation, row := range map[string]struct {
		words, ofTimes string
		step           int
	}{
		"eq": {"be equal to", "be equal to", 0}, "ne": {"be different from", "be different from", 1},
		"gt": {"be greater than", "be after", 1}, "gte": {"be greater than or equal to", "not be before", 0},
		"lt": {"be less than", "be before", -1}, "lte": {"be less than or equal to", "not be after", 0},
	} {
		rule := spec{
			fits: everyKind, param: true, fields: true, message: "must " + row.words + " {fields}", ofTimes: "must " + row.ofTimes + " {fields}",
			describe: compareField(row.words, row.ofTimes, row.step),
		}
		rules[relation+"field"], rules[relation+"csfield"] = rule, rule
	}
	text := only(model.String)
	for name, row := range map[string]struct {
		words string
		step  int
	}{"fieldcontains": {"contain", 0}, "fieldexcludes": {"not contain", -1}} {
		rules[name] = spec{
			fits: text, param: true, fields: true, message: "must " + row.words + " {fields}", describe: compareField(row.words, row.words, row.step),
		}
	}
	rules["postcode_iso3166_alpha2_field"] = spec{fits: text, param: true, fields: true, message: "must be a postal code for the country in {fields}"}
}

// addConditions adds the rules that require or forbid a field depending on others.
func addConditions(rules map[string]spec) {
	for name, text := range map[string]string{
		"required_if":          "is required if {pairs}",
		"required_unless":      "is required unless {pairs}",
		"required_with":        "is required if {any} is present",
		"required_with_all":    "is required if {all} {are} present",
		"required_without":     "is required if {any} is missing",
		"required_without_all": "is required if {all} {are} missing",
		"excluded_if":          "must be omitted if {pairs}",
		"excluded_unless":      "must be omitted unless {pairs}",
		"excluded_with":        "must be omitted if {any} is present",
		"excluded_with_all":    "must be omitted if {all} {are} present",
		"excluded_without":     "must be omitted if {any} is missing",
		"excluded_without_all": "must be omitted if {all} {are} missing",
	} {
		rules[name] = spec{fits: everyKind, param: true, fields: true, message: text, describe: condition(name, text)}
	}
}

// addUnsupported adds the rules that are not supported. Without these rows, they would hide other rules or access the
// server at every request.
func addUnsupported(rules map[string]spec) {
	for _, name := range []string{
		"file", "mimetype", "filepath", "dir", "dirpath", "image", "uds_exists", "tcp4_addr", "tcp6_addr", "tcp_addr", "udp4_addr",
		"udp6_addr", "udp_addr", "ip4_addr", "ip6_addr", "ip_addr", "unix_addr",
	} {
		rules[name] = spec{unsupported: touchesServer}
	}
	rules["validateFn"] = spec{unsupported: callsMethods}
	rules["skip_unless"] = spec{unsupported: "it would skip the other rules; use validation.Struct instead"}
}

// text returns the row of a rule for strings, with its own check if there is one.
func text(message string, describe description, check ...func(string) bool) spec {
	rule := spec{fits: only(model.String), message: message, describe: describe}
	if len(check) > 0 {
		rule.judge = ofText(func(string) func(string) bool { return check[0] })
	}
	return rule
}

// textWithParam returns the row of a rule for strings whose check depends on a parameter. If check is nil,
// validator checks the value.
func textWithParam(message string, describe description, check func(param string) func(string) bool) spec {
	rule := spec{fits: only(model.String), param: true, message: message, describe: describe}
	if check != nil {
		rule.judge = ofText(check)
	}
	return rule
}

// partly returns the row of a rule for strings whose check decides only simple cases. Validator decides the
// others.
func partly(message string, describe description, judged func(text string) (holds, isSure bool)) spec {
	return spec{
		fits: only(model.String), message: message, describe: describe,
		judge: func(_ model.Constraint, _ *model.Type, ask judge) judge {
			return func(v reflect.Value) bool {
				holds, isSure := judged(v.String())
				return isSure && holds || !isSure && ask(v)
			}
		},
	}
}

// ofText turns a check of strings into a check of values.
func ofText(check func(param string) func(string) bool) judging {
	return func(c model.Constraint, _ *model.Type, _ judge) judge {
		holds := check(c.Param)
		return func(v reflect.Value) bool { return holds(v.String()) }
	}
}

// kinds is a set of kinds of values, one bit for each.
type kinds uint

func only(list ...model.Kind) kinds {
	var set kinds
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func (k kinds) has(kind model.Kind) bool { return k&(1<<kind) != 0 }

// String lists the kinds as Go types.
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
	// everyKind is for rules that apply to any value, such as required.
	everyKind = ^kinds(0)
	numbers   = kinds(1<<model.Int | 1<<model.Uint | 1<<model.Float)
	// scalars are the kinds that Go and JSON compare alike.
	scalars = numbers | 1<<model.Bool | 1<<model.String
)

// Fits returns the supported rules, each with the kinds it applies to. Rules from Config.Rules are not included.
// Tests use it to try every rule.
func Fits() map[string][]model.Kind {
	list := map[string][]model.Kind{}
	for name, rule := range newCatalogue() {
		for kind := model.Bool; kind <= model.Map && rule.unsupported == ""; kind++ {
			if rule.fits.has(kind) {
				list[name] = append(list[name], kind)
			}
		}
	}
	return list
}
