package check

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// template is a violation without its path. Its text is built when the rule is first broken, because few of an
// API's rules ever are.
type template struct {
	compiler *Compiler
	code     string
	rule     model.Constraint
	at       *declaration // the value
	presence bool         // the rule reports that a number or boolean is missing
	said     atomic.Pointer[wording]
}

// wording is the text of a template.
type wording struct {
	message string // the whole message, or the part after the name of the value
	named   bool   // the name of the value comes before the message
	params  map[string]any
}

// violation returns the violation of the value at the end of a trail.
func (t *template) violation(at *model.Trail) validation.Violation {
	said := t.said.Load()
	if said == nil {
		said = t.wording()
		t.said.Store(said)
	}
	v := validation.Violation{Code: t.code, Message: said.message, Params: said.params}
	if said.named {
		v.Message = at.Leaf() + said.message
	}
	return v
}

// wording builds the message of the broken rule. The message tag takes precedence: first its text for the rule,
// then its text for any rule.
func (t *template) wording() *wording {
	field, made := t.at.field, &wording{params: params(t.rule)}
	if made.message = cmp.Or(field.Messages[t.rule.Name], field.Messages[""]); made.message != "" {
		return made
	}
	made.message = " " + t.compiler.message(t.rule, t.at)
	if made.named = t.at.isElement; !made.named {
		made.message = field.Name + made.message
	}
	return made
}

// called returns the code of a rule, and the rule to build the message from. The code of alternatives is their
// whole text, which is also their key in a message tag.
func called(c model.Constraint) (code string, about model.Constraint) {
	if c.Or == nil {
		return c.Name, c
	}
	texts := make([]string, len(c.Or))
	for i, each := range c.Or {
		if texts[i] = each.Name; each.Param != "" {
			texts[i] += "=" + each.Param
		}
	}
	if code = strings.Join(texts, "|"); code == render(c) {
		return code, c
	}
	return code, model.Constraint{Name: code, Param: c.Or[len(c.Or)-1].Param}
}

// render writes a rule in validator's syntax. A comma ends a rule and a bar separates alternatives, so both are
// escaped in parameters.
func render(c model.Constraint) string {
	if c.Or != nil {
		alternatives := make([]string, len(c.Or))
		for i, alternative := range c.Or {
			alternatives[i] = render(alternative)
		}
		return strings.Join(alternatives, "|")
	}
	if c.Param == "" {
		return c.Name
	}
	return c.Name + "=" + strings.ReplaceAll(strings.ReplaceAll(c.Param, ",", "0x2C"), "|", "0x7C")
}

// message returns the message of a broken rule, without the name of the field in front. It comes from the
// catalogue, or from the user's own rule.
func (c *Compiler) message(rule model.Constraint, at *declaration) string {
	if rule.Or != nil {
		var alternatives []string
		for _, alternative := range rule.Or {
			alternatives = append(alternatives, c.message(alternative, at))
		}
		return strings.Join(alternatives, ", or ")
	}
	unit, known := unitOf(at.kind), c.rules[rule.Name]
	if known.fields {
		text := known.message
		if known.ofTimes != "" && (at.kind == model.Time || at.layout != "") {
			text = known.ofTimes
		}
		return ofFields(rule, c.otherFields(at.owner, at.field, rule)).Replace(text)
	}
	return strings.NewReplacer(
		"{be}", unit.verb, "{more}", unit.more, "{less}", unit.less, "{size}", unit.size(rule.Param),
		"{param}", rule.Param, "{list}", strings.Join(Words(rule.Param), ", "),
	).Replace(c.text(rule.Name, at.kind, unit))
}

// ofFields replaces the placeholders for other fields: {fields} and {all} list them, {any} lists them as
// alternatives, {are} agrees with their number, and {pairs} lists them with their values.
func ofFields(rule model.Constraint, names []string) *strings.Replacer {
	are, also := "are", " and "
	if len(names) == 1 {
		are = "is"
	}
	var pairs []string
	for i, value := range fieldValues(rule) {
		pairs = append(pairs, names[i]+" is "+value)
	}
	if strings.HasSuffix(rule.Name, "_unless") { // one of the pairs is enough
		also = " or "
	}
	all := strings.Join(names, " and ")
	return strings.NewReplacer(
		"{fields}", all, "{all}", all, "{any}", strings.Join(names, " or "), "{are}", are, "{pairs}", strings.Join(pairs, also),
	)
}

// fieldValues lists the values that a rule names for its fields, nil for none.
func fieldValues(rule model.Constraint) (values []string) {
	if !namesPairs(rule.Name) {
		return nil
	}
	for pair := range slices.Chunk(Words(rule.Param), 2) {
		values = append(values, pair[len(pair)-1])
	}
	return values
}

// text returns the message of a rule, with its placeholders. Times are compared with the current time, and equal
// sizes need a unit, so these differ from the catalogue.
func (c *Compiler) text(rule string, kind model.Kind, unit unit) string {
	switch {
	case kind == model.Time && (rule == "gt" || rule == "gte"):
		return "must be in the future"
	case kind == model.Time && (rule == "lt" || rule == "lte"):
		return "must be in the past"
	case kind != model.String && unit.plural != "" && rule == "eq":
		return "{be} exactly {size}"
	case kind != model.String && unit.plural != "" && rule == "ne":
		return "must not have exactly {size}"
	}
	return cmp.Or(c.rules[rule].message, "is not valid")
}

// unit is what the size of a value counts.
type unit struct {
	verb, more, less string
	singular, plural string // "" for numbers
	suffix           string
}

// unitOf returns the unit of a kind of values.
func unitOf(kind model.Kind) unit {
	counted := map[model.Kind]unit{
		model.String: {"must be", "more", "less", "character", "characters", " long"},
		model.Bytes:  {"must be", "more", "less", "byte", "bytes", " long"},
		model.List:   {"must have", "more", "fewer", "element", "elements", ""},
		model.Array:  {"must have", "more", "fewer", "element", "elements", ""},
		model.Map:    {"must have", "more", "fewer", "entry", "entries", ""},
	}
	return cmp.Or(counted[kind], unit{verb: "must be", more: "greater", less: "less"})
}

// size returns a size with its unit, in the singular for 1.
func (u unit) size(param string) string {
	switch {
	case u.plural == "":
		return param
	case param == "1":
		return "1 " + u.singular + u.suffix
	}
	return param + " " + u.plural + u.suffix
}

// params returns the parameters of a rule for a violation. Numbers stay numbers, so that clients can format them.
func params(rule model.Constraint) map[string]any {
	if rule.Param == "" {
		return nil
	}
	if n, err := strconv.ParseInt(rule.Param, 10, 64); err == nil {
		return map[string]any{rule.Name: n}
	}
	if n, err := strconv.ParseFloat(rule.Param, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
		return map[string]any{rule.Name: n}
	}
	switch rule.Name {
	case "oneof", "oneofci", "noneof", "noneofci":
		return map[string]any{rule.Name: Words(rule.Param)}
	}
	return map[string]any{rule.Name: rule.Param}
}

// Words splits the parameter of oneof and similar rules at spaces, as validator does. Single quotes keep a word
// together, and every quote is dropped: "it's" is the word "its". Checks, messages and the OpenAPI document all use
// it.
func Words(param string) []string {
	const spaces = " \t\n\f\r"
	var words []string
	// Not with validator's regular expression, because it is not exported.
	for param = strings.TrimLeft(param, spaces); param != ""; param = strings.TrimLeft(param, spaces) {
		end := strings.IndexAny(param, spaces)
		if end < 0 {
			end = len(param)
		}
		if closing := strings.IndexByte(param[1:], '\''); param[0] == '\'' && closing >= 0 {
			end = closing + 2
		}
		words = append(words, strings.ReplaceAll(param[:end], "'", ""))
		param = param[end:]
	}
	return words
}
