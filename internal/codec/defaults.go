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
	value  reflect.Value // has the defaults; invalid until they are known
	isZero bool
	deepen cloner
}

// blank returns the blank of a struct.
func (p *planner) blank(t *model.Type) *blank {
	if p.blanks == nil {
		return &blank{isZero: true}
	}
	known := p.blanks[t.Struct]
	if known == nil {
		known = &blank{deepen: p.cloners.Base(t, struct{}{})}
		p.blanks[t.Struct] = known
	}
	return known
}

// fill gives a struct that is zero its defaults.
func (b *blank) fill(at address) {
	if b.isZero || !b.value.IsValid() {
		return
	}
	valueAt(at, b.value.Type()).Set(b.value)
	if b.deepen != nil {
		b.deepen(at, 0)
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
func planDefaults(t *model.Type) (blanks, error) {
	p := newPlanner(blanks{})
	p.Of(t, position{inner: model.ViewsOf(t, nil).Tagged()})
	var errs []error
	for _, o := range p.objects {
		errs = append(errs, p.fillBlank(o)...)
		o.blank.isZero = o.blank.value.IsZero()
	}
	return p.blanks, errors.Join(errs...)
}

// fillBlank makes the struct with defaults, once. Those that its defaults are made of
// come first. A default that holds the struct itself finds it without that default.
func (p *planner) fillBlank(o *objectPlan) (errs []error) {
	if o.blank.value.IsValid() {
		return nil
	}
	// It is valid from here on, so that a struct that leads back to itself ends there.
	o.blank.value = reflect.New(o.of.Go).Elem()
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
		for within := range m.Field.Type.Within() {
			for _, held := range p.objects {
				if within.Struct != nil && held.of == within.Struct {
					errs = append(errs, p.fillBlank(held)...)
				}
			}
		}
		value, err := decodeValue(m.plan, m.Field.Type, m.Field.Default)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s.%s: default %s %w", o.of.Go.Name(), m.Field.GoPath, m.Field.Default, err))
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
		plans = newPlanner(made)
	}
	return decodeValue(plans.Of(t, position{inner: v}), t, text)
}

// decodeValue decodes one JSON value. Its error joins what is wrong with it.
func decodeValue(as plan, t *model.Type, text jsontext.Value) (reflect.Value, error) {
	if !text.IsValid() {
		return reflect.Value{}, errors.New("is not valid JSON")
	}
	var d decoding
	d.begin(text, "")
	v := reflect.New(t.Go)
	if _, err := as.decodeNew(&d, v.UnsafePointer()); err != nil {
		return reflect.Value{}, fmt.Errorf("is not valid JSON: %w", err)
	}
	var errs []error
	for _, found := range d.end().Violations {
		message := found.Message
		if found.Field != "" {
			message = "is invalid: " + message
		}
		errs = append(errs, errors.New(message))
	}
	return v.Elem(), errors.Join(errs...)
}
