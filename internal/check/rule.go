package check

import (
	"errors"
	"reflect"
	"sync/atomic"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// verdict is what a compiled check says of a value.
// Three values and not two: a check that may say "I do not know" can be short and right at once.
type verdict int

const (
	unknown verdict = iota // only validator can tell
	follows
	breaks
)

func verdictOf(holds bool) verdict {
	if holds {
		return follows
	}
	return breaks
}

// judge is a compiled check.
type judge func(v reflect.Value) verdict

// rule is a rule of one value, with what a client is told where it is broken.
type rule struct {
	judge judge  // nil where only validator can tell
	tag   string // in validator's syntax
	told  template
}

// template is a violation without its path. What it says is written when the rule is first
// broken.
// An API has thousands of rules of which few are ever broken, so their words wait for the first
// time.
type template struct {
	compiler  *Compiler
	code      string
	param     string
	at        *declaration // of the value
	isElement bool         // whose name is known when it is met
	said      atomic.Pointer[wording]
}

// wording is what a template says.
type wording struct {
	message string // whole, or what follows the name of the value
	named   bool   // message follows the name of the value
	params  map[string]any
}

// rule compiles a rule of the value at a place into r.
// Into r, which stands in a slice: a rule holds an atomic value and must not be copied.
func (c *Compiler) rule(r *rule, at *declaration, constraint model.Constraint, t *model.Type, isElement bool) {
	r.judge, r.tag = c.judgeOf(constraint, t), render(constraint)
	r.told.compiler, r.told.code, r.told.param = c, constraint.Name, constraint.Param
	r.told.at, r.told.isElement = at, isElement
}

// wording writes what is said of a broken rule that validator calls by tag and param.
// What the user's tag says goes first, by the rule's name, then for any rule.
func (c *Compiler) wording(at *declaration, tag, param string) *wording {
	rule := at.constraint(tag, param)
	made := &wording{params: params(rule)}
	if made.message = at.field.Messages[rule.Name]; made.message == "" {
		made.message = at.field.Messages[""]
	}
	if made.message == "" {
		made.message, made.named = " "+c.message(rule, at.typ.Kind, c.otherFields(at.owner, at.field, rule)), true
	}
	return made
}

// wording returns what the template says.
func (t *template) wording() *wording {
	if said := t.said.Load(); said != nil {
		return said
	}
	made := t.compiler.wording(t.at, t.code, t.param)
	if made.named && !t.isElement {
		made.message, made.named = t.at.field.Name+made.message, false
	}
	t.said.Store(made)
	return made
}

// violation makes the violation of the value at the end of a trail.
func (t *template) violation(at *model.Trail) validation.Violation {
	said := t.wording()
	v := validation.Violation{Code: t.code, Message: said.message, Params: said.params}
	if said.named {
		v.Message = at.Leaf() + said.message
	}
	return v
}

// violation makes the violation of a value whose rule validator found broken.
// It takes a template that is thrown away, since which rule it was is only known by validator's
// words.
func (c *Compiler) violation(of *declaration, e validator.FieldError, at *model.Trail) validation.Violation {
	told := template{compiler: c, code: e.Tag(), param: e.Param(), at: of, isElement: true}
	return told.violation(at)
}

// broken returns what is told of a rule that the value breaks, or nil where it does not. It
// asks validator if the compiled check could not tell.
func (c *Compiler) broken(r *rule, v reflect.Value, said verdict) *template {
	if said == breaks {
		return &r.told
	}
	found, _ := errors.AsType[validator.ValidationErrors](c.single.Var(v.Interface(), r.tag))
	switch {
	case len(found) == 0:
		return nil
	case found[0].Tag() == r.told.code && found[0].Param() == r.told.param:
		return &r.told
	}
	return &template{compiler: c, code: found[0].Tag(), param: found[0].Param(), at: r.told.at, isElement: true}
}
