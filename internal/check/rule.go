package check

import (
	"errors"
	"reflect"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// verdict is what a compiled check says of a value.
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
	param string
	at    *place // of the value
}

// template is a violation without its path.
type template struct {
	code    string
	message string // whole, or what follows the name of the value
	named   bool   // message follows the name of the value
	params  map[string]any
}

// rule compiles a rule of the value at a place. The name of an element is known when
// it is met.
func (c *Compiler) rule(at *place, constraint validation.Constraint, t *model.Type, isElement bool) rule {
	r := rule{judge: judgeOf(constraint, t), tag: render(constraint), param: constraint.Param, at: at}
	r.told = c.template(at, constraint.Name, constraint.Param)
	if r.told.named && !isElement {
		r.told.message, r.told.named = at.leaf+r.told.message, false
	}
	return r
}

// template makes the template of a broken rule that validator calls by tag and param.
func (c *Compiler) template(at *place, tag, param string) template {
	rule := at.constraint(tag, param)
	made := template{code: tag, params: params(rule)}
	if made.message = at.field.Messages[rule.Name]; made.message == "" {
		made.message = at.field.Messages[""]
	}
	if made.message == "" {
		made.message, made.named = " "+c.message(rule, at.typ.Kind, c.otherFields(at.owner, at.field, rule)), true
	}
	return made
}

// violation makes the violation of a value with that path and name.
func (t *template) violation(path, leaf string) validation.Violation {
	v := validation.Violation{Field: path, Code: t.code, Message: t.message, Params: t.params}
	if t.named {
		v.Message = leaf + t.message
	}
	return v
}

// violation makes the violation of a rule that validator found broken.
func (c *Compiler) violation(at *place, e validator.FieldError) validation.Violation {
	told := c.template(at, e.Tag(), e.Param())
	return told.violation(at.path, at.leaf)
}

// broken returns what is told of a rule that the value breaks, or nil where it does not. It
// asks validator if the compiled check could not tell.
func (c *Compiler) broken(r *rule, v reflect.Value, said verdict) *template {
	if said == breaks {
		return &r.told
	}
	found, _ := errors.AsType[validator.ValidationErrors](c.alone.Var(v.Interface(), r.tag))
	switch {
	case len(found) == 0:
		return nil
	case found[0].Tag() == r.told.code && found[0].Param() == r.param:
		return &r.told
	}
	told := c.template(r.at, found[0].Tag(), found[0].Param())
	return &told
}
