package check

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// wording is the text of a broken rule.
type wording struct {
	message string // the whole message, or the part after the name of the value
	named   bool   // the name of the value comes before the message
	params  map[string]any
}

// violation returns the violation of the value at the end of a location. The message tag takes precedence: first its text
// for the rule, then its text for any rule.
func (r *rule) violation(at *model.Location) validation.Violation {
	text := r.text.Load()
	if text == nil {
		f := r.at.field
		text = &wording{params: params(r.rule), message: cmp.Or(f.Messages[r.rule.Name], f.Messages[""])}
		if text.message == "" {
			text.message, text.named = " "+r.compiler.message(r.rule, r.at), r.at.isElement
			if !text.named {
				text.message = f.Name + text.message
			}
		}
		r.text.Store(text)
	}
	v := validation.Violation{Code: r.code, Message: text.message, Params: text.params}
	if text.named {
		v.Message = at.Leaf() + text.message
	}
	return v
}

// render writes a rule in validator's syntax. A comma ends a rule and a bar separates alternatives, so both are
// escaped in parameters.
func render(c model.Constraint) string {
	alternatives := make([]string, len(c.Or))
	for i, alternative := range c.Or {
		alternatives[i] = render(alternative)
	}
	switch {
	case c.Or != nil:
		return strings.Join(alternatives, "|")
	case c.Param == "":
		return c.Name
	}
	return c.Name + "=" + strings.NewReplacer(",", "0x2C", "|", "0x7C").Replace(c.Param)
}

// message returns the message of a broken rule, without the name of the field in front.
func (c *Compiler) message(rule model.Constraint, at *declaration) string {
	if rule.Or == nil {
		return c.rules[rule.Name].text(rule, at)
	}
	var alternatives []string
	for _, alternative := range rule.Or {
		alternatives = append(alternatives, c.message(alternative, at))
	}
	return strings.Join(alternatives, ", or ")
}

// text returns the message of a rule for a value. Times are compared with the current time, and equal sizes need a unit.
func (s spec) text(rule model.Constraint, at *declaration) string {
	unit, text := unitOf(at.kind), cmp.Or(s.message, "is not valid")
	isDate := at.isDate()
	isTime, isCounted := at.kind == model.Time, at.kind != model.String && unit.many != ""
	switch {
	case s.ofTimes != "" && (isTime || isDate || at.layout != ""):
		text = s.ofTimes
	case isDate && ofDates[rule.Name] != "":
		text = ofDates[rule.Name]
	case isTime && (rule.Name == "gt" || rule.Name == "gte"):
		text = "must be in the future"
	case isTime && (rule.Name == "lt" || rule.Name == "lte"):
		text = "must be in the past"
	case isCounted && rule.Name == "eq":
		text = "{be} exactly {size}"
	case isCounted && rule.Name == "ne":
		text = "must not " + strings.TrimPrefix(unit.verb, "must ") + " exactly {size}"
	}
	if s.fields {
		return withOthers(text, rule, at)
	}
	return strings.NewReplacer(
		"{be}", unit.verb, "{more}", unit.more, "{less}", unit.less, "{size}", unit.size(rule.Param),
		"{param}", rule.Param, "{list}", strings.Join(rule.Words(), ", "),
	).Replace(text)
}

// ofDates are the messages of rules that compare dates with their parameter.
var ofDates = map[string]string{
	"gt": "must be after {param}", "gte": "must not be before {param}", "min": "must not be before {param}",
	"lt": "must be before {param}", "lte": "must not be after {param}", "max": "must not be after {param}",
}

// isDate reports whether the value is a calendar date.
func (d *declaration) isDate() bool {
	t := d.field.Type
	for t != nil && t.Elem != nil {
		t = t.Elem
	}
	return t != nil && d.kind == model.Text && t.IsDate()
}

// withOthers replaces the placeholders for other fields: {fields} and {all} list them, {any} lists them as
// alternatives, {are} agrees with their number, and {pairs} lists them with their values. Hidden fields have no name.
func withOthers(text string, rule model.Constraint, at *declaration) string {
	var names, pairs []string
	for _, o := range othersOf(at.owner, at.field, rule) {
		if o.way != nil && o.field().Hidden {
			o.name, o.value = "", "a certain value"
		}
		o.name = cmp.Or(o.name, "another field")
		names, pairs = append(names, o.name), append(pairs, o.name+" is "+o.value)
	}
	are, also := "are", " and "
	if len(names) == 1 {
		are = "is"
	}
	if strings.HasSuffix(rule.Name, "_unless") { // one of the pairs is enough
		also = " or "
	}
	all := strings.Join(names, " and ")
	return strings.NewReplacer(
		"{fields}", all, "{all}", all, "{any}", strings.Join(names, " or "), "{are}", are, "{pairs}", strings.Join(pairs, also),
	).Replace(text)
}

// unit is what the size of a value counts.
type unit struct{ verb, more, less, one, many string }

// unitOf returns the unit of a kind of values.
func unitOf(kind model.Kind) unit {
	counted := map[model.Kind]unit{
		model.String: {"must be", "more", "less", "character long", "characters long"},
		model.Bytes:  {"must be", "more", "less", "byte long", "bytes long"},
		model.List:   {"must have", "more", "fewer", "element", "elements"},
		model.Array:  {"must have", "more", "fewer", "element", "elements"},
		model.Map:    {"must have", "more", "fewer", "entry", "entries"},
	}
	return cmp.Or(counted[kind], unit{verb: "must be", more: "greater", less: "less"})
}

// size returns a size with its unit.
func (u unit) size(param string) string {
	if param == "1" {
		return strings.TrimSpace("1 " + u.one)
	}
	return strings.TrimSpace(param + " " + u.many)
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
		return map[string]any{rule.Name: rule.Words()}
	}
	return map[string]any{rule.Name: rule.Param}
}
