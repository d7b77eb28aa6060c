package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// blanks are the structs with defaults that new ones are copied from.
type blanks map[*model.Struct]*blank

// blank is a struct as it begins.
// A new record is a copy of it: the defaults were read from their tags once, when the API was made.
type blank struct {
	goType reflect.Type
	value  reflect.Value // has the defaults; see fill
	plain  bool          // it is zero
	deepen cloner
}

// blank returns the blank of a struct, one that is zero where no struct has defaults.
func (p *planner) blank(s *model.Struct) *blank {
	known := p.blanks[s]
	if known == nil {
		known = &blank{goType: s.Go, plain: p.blanks == nil}
		if known.plain {
			known.value = reflect.Zero(s.Go)
		} else {
			known.deepen = p.cloners.object(s)
			p.blanks[s] = known
		}
	}
	return known
}

// fill makes v a new struct with its defaults.
func (b *blank) fill(v reflect.Value) {
	v.Set(b.value)
	b.deepen.run(v)
}

// begin is fill for v that is zero.
func (b *blank) begin(v reflect.Value) {
	if !b.plain {
		b.fill(v)
	}
}

// hasDefaults reports whether a value of the type can hold a struct with a default.
// Most structs have none, and begin as zero without a copy.
func hasDefaults(t *model.Type) bool {
	for within := range t.Within() {
		if within.Struct != nil && slices.ContainsFunc(within.Struct.Fields, func(f *model.Field) bool { return f.Default != nil }) {
			return true
		}
	}
	return false
}

// planDefaults makes the blanks of all structs that a value of the type can hold. Its error
// joins the defaults that do not fit. What a struct requires, its own checks say: here the
// value need only be of the type.
func planDefaults(t *model.Type) (*planner, error) {
	p := newPlanner(blanks{})
	p.element(t, position{inner: model.ViewsOf(t, nil).Tagged()})
	var errs []error
	for _, o := range p.order {
		errs = append(errs, p.fillBlank(o)...)
		o.blank.plain = o.blank.value.IsZero()
	}
	return p, errors.Join(errs...)
}

// fillBlank makes the struct with defaults, once. Those that its defaults are made of
// come first. A default that holds the struct itself finds it without that default.
func (p *planner) fillBlank(o *objectPlan) (errs []error) {
	if o.blank.value.IsValid() {
		return nil
	}
	// It is valid from here on, so that a struct that leads back to itself ends there.
	o.blank.value = reflect.New(o.blank.goType).Elem()
	for i := range o.members {
		m := &o.members[i]
		if m.object != nil {
			errs = append(errs, p.fillBlank(m.object)...)
			m.Field.Value(o.blank.value).Set(m.object.blank.value)
		}
		// A default of the member wins over those of the members within it, for it stands further out.
		if m.Field.Default == nil {
			continue
		}
		for t := m.Field.Type; t != nil; t = t.Elem {
			if held := p.structOf(t, m.Inner); held != nil {
				errs = append(errs, p.fillBlank(held)...)
			}
		}
		at := element{decoder: m.decoder}
		if m.object != nil {
			at.blank = m.object.blank
		}
		value, err := decodeValue(at, m.Field.Type, m.Field.Default)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s.%s: default %s %w", o.blank.goType.Name(), m.Field.GoPath, m.Field.Default, err))
			continue
		}
		m.Field.Value(o.blank.value).Set(value)
	}
	return errs
}

// Value decodes one JSON value of a type by a view of the struct that it is or holds, as a
// default or an example in a tag is. Its error continues a sentence that begins with the
// value: "must be a number".
func Value(t *model.Type, v *model.View, text jsontext.Value) (reflect.Value, error) {
	plans := newPlanner(nil)
	if hasDefaults(t) {
		made, err := planDefaults(t)
		if err != nil {
			return reflect.Value{}, fmt.Errorf("cannot be read: %w", err)
		}
		plans = newPlanner(made.blanks)
	}
	return decodeValue(plans.element(t, position{inner: v}), t, text)
}

func decodeValue(plan element, t *model.Type, text jsontext.Value) (reflect.Value, error) {
	if !text.IsValid() {
		return reflect.Value{}, errors.New("is not valid JSON")
	}
	var d decoding
	d.begin(text, "")
	v := reflect.New(t.Go).Elem()
	if _, err := plan.decodeNew(&d, v); err != nil {
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
