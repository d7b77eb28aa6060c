package check

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// template is a violation without its path. What it says is written when the rule is first
// broken: an API has thousands of rules, of which few ever are.
type template struct {
	compiler *Compiler
	code     string
	rule     model.Constraint
	at       *declaration // of the value
	presence bool         // it says that a number or boolean is missing
	said     atomic.Pointer[wording]
}

// wording is what a template says.
type wording struct {
	message string // whole, or what follows the name of the value
	named   bool   // message follows the name of the value
	params  map[string]any
}

// violation makes the violation of the value at the end of a trail.
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

// wording writes what is said of the broken rule. What the user's tag says goes first, by the rule's name,
// then for any rule.
func (t *template) wording() *wording {
	field, made := t.at.field, &wording{params: params(t.rule)}
	if made.message = cmp.Or(field.Messages[t.rule.Name], field.Messages[""]); made.message != "" {
		return made
	}
	made.message = " " + t.compiler.message(t.rule, t.at.kind, t.compiler.otherFields(t.at.owner, field, t.rule))
	if made.named = t.at.isElement; !made.named {
		made.message = field.Name + made.message
	}
	return made
}

// called returns the code of a rule, and the rule that messages are about. Alternatives are called by their
// whole text, by which messages find them if it is as the tag has it.
func called(c model.Constraint) (code string, told model.Constraint) {
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

// render writes a rule in validator's syntax, in which a comma ends a rule and a bar an
// alternative, so that those of a parameter are written as their numbers.
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

// message says what a broken rule asks for, after the name of the field: the rule's
// text from the catalogue, or the user's for a rule of their own. fields are the JSON
// names of the fields that the rule compares with.
// The name of the value comes before it, so that a message reads as a sentence by itself in a list.
func (c *Compiler) message(rule model.Constraint, kind model.Kind, fields []string) string {
	if rule.Or != nil {
		var alternatives []string
		for _, alternative := range rule.Or {
			alternatives = append(alternatives, c.message(alternative, kind, fields))
		}
		return strings.Join(alternatives, ", or ")
	}
	unit := unitOf(kind)
	return strings.NewReplacer(
		"{be}", unit.verb, "{size}", unit.size(rule.Param), "{param}", rule.Param,
		"{list}", strings.Join(Words(rule.Param), ", "), "{fields}", strings.Join(fields, " and "),
	).Replace(c.text(rule.Name, kind, unit))
}

// text returns the message of a rule, with names in braces for what differs.
// A time is compared with now, whatever the number, and a size needs its unit: those two read
// differently from what the catalogue has.
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

// unit is what a size of a value counts.
type unit struct {
	verb             string
	singular, plural string // "" for numbers
	suffix           string
}

// unitOf returns what sizes of a kind of values count.
func unitOf(kind model.Kind) unit {
	counted := map[model.Kind]unit{
		model.String: {"must be", "character", "characters", " long"},
		model.Bytes:  {"must be", "byte", "bytes", " long"},
		model.List:   {"must have", "element", "elements", ""},
		model.Array:  {"must have", "element", "elements", ""},
		model.Map:    {"must have", "entry", "entries", ""},
	}
	return cmp.Or(counted[kind], unit{verb: "must be"})
}

// size says a size with its unit, which one of is in the singular.
func (u unit) size(param string) string {
	switch {
	case u.plural == "":
		return param
	case param == "1":
		return "1 " + u.singular + u.suffix
	}
	return param + " " + u.plural + u.suffix
}

// params are what a rule was given, as a violation tells it.
// Numbers are numbers there, since clients put them into sentences of their own language.
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

// Words splits the parameter of oneof and its like as validator does, whose splitting is
// what the rule means: at spaces, where no quotes keep a word together. It drops quotes
// wherever they stand, so that "it's" is the word "its". Checks, messages and the document
// all have their words from here.
func Words(param string) []string {
	const spaces = " \t\n\f\r"
	var words []string
	// By hand rather than by validator's regular expression, which is not exported.
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
