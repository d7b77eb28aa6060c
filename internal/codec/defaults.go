package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// hasDefaults reports whether a value of the type can hold a struct with a default.
func hasDefaults(t *model.Type, seen map[*model.Struct]bool) bool {
	for t.Struct == nil {
		if t = t.Elem; t == nil {
			return false
		}
	}
	if seen[t.Struct] {
		return false
	}
	seen[t.Struct] = true
	return slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool { return f.Default != nil || hasDefaults(f.Type, seen) })
}

// fillBlanks makes the structs with defaults that new ones are copied from. Its error
// joins the defaults that do not fit.
func (p *planner) fillBlanks() error {
	for _, o := range p.order {
		p.fillBlank(o)
		o.plain = o.blank.IsZero()
	}
	return errors.Join(p.errs...)
}

// fillBlank makes the struct with defaults, once. Those that its defaults are made of
// come first. A default that holds the struct itself finds it without that default.
func (p *planner) fillBlank(o *object) {
	if o.blank.IsValid() {
		return
	}
	o.blank = reflect.New(o.goType).Elem()
	for _, m := range o.members {
		if m.object != nil {
			p.fillBlank(m.object)
			m.field.Value(o.blank).Set(m.object.blank)
		}
		if m.field.Default == nil {
			continue
		}
		p.fillReachable(m.field.Type)
		value, err := decodeValue(element{m.decoder, m.object}, m.field.Type, m.field.Default)
		if err != nil {
			p.errs = append(p.errs, fmt.Errorf("%s.%s: default %s %w", o.goType.Name(), m.field.GoPath, m.field.Default, err))
			continue
		}
		m.field.Value(o.blank).Set(value)
	}
}

// fillReachable makes the structs that a value of the type begins with.
func (p *planner) fillReachable(t *model.Type) {
	for ; t != nil; t = t.Elem {
		if o := p.structOf(t); o != nil {
			p.fillBlank(o)
		}
	}
}

// Value decodes one JSON value of a type, as a default or an example in a tag is. Its
// error continues a sentence that begins with the value: "must be a number".
func Value(t *model.Type, text jsontext.Value) (reflect.Value, error) {
	plans := newPlanner()
	plan := plans.element(t)
	if err := plans.fillBlanks(); err != nil {
		return reflect.Value{}, fmt.Errorf("cannot be read: %w", err)
	}
	return decodeValue(plan, t, text)
}

func decodeValue(plan element, t *model.Type, text jsontext.Value) (reflect.Value, error) {
	if !text.IsValid() {
		return reflect.Value{}, errors.New("is not valid JSON")
	}
	var d decoding
	d.begin(text, "")
	v := reflect.New(t.Go).Elem()
	if _, err := plan.decodeNew(&d, v, Create); err != nil {
		return reflect.Value{}, fmt.Errorf("is not valid JSON: %w", err)
	}
	return v, misfit(d.result())
}

// misfit joins what is wrong with a value of a tag.
func misfit(decoded Decoded) error {
	var errs []error
	for _, v := range decoded.Violations {
		text := v.Message
		if v.Field != "" {
			text = "is wrong: " + text
		}
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}
