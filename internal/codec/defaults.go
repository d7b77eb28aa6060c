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

// blank is a new struct with its defaults. Tags are read once, when the API is built.
type blank struct {
	value  reflect.Value // has the defaults; invalid until they are known
	deepen walker
}

// blank returns the blank of a struct.
func (p *planner) blank(t *model.Type) *blank {
	if p.blanks == nil {
		return &blank{}
	}
	known := p.blanks[t.Struct]
	if known == nil {
		known = &blank{deepen: p.copiers.Base(t, struct{}{})}
		p.blanks[t.Struct] = known
	}
	return known
}

// fill sets a zero struct to its defaults.
func (b *blank) fill(at address) {
	if !b.value.IsValid() {
		return
	}
	valueAt(at, b.value.Type()).Set(b.value)
	b.deepen.copy(at)
}

// hasDefaults reports whether a value of the type can contain a struct with a default. Most cannot, so a zero value
// is enough.
func hasDefaults(t *model.Type) bool {
	for within := range t.Within() {
		if within.Struct != nil && slices.ContainsFunc(within.Struct.Fields, func(f *model.Field) bool { return f.Default != nil }) {
			return true
		}
	}
	return false
}

// planDefaults makes the blanks of all structs in a type. The error joins the defaults that do not fit their type.
// Rules are checked elsewhere.
func planDefaults(t *model.Type) (blanks, error) {
	p := newPlanner(blanks{})
	p.Of(t, position{inner: model.ViewsOf(t, nil).View(model.Tagged)})
	var errs []error
	for _, o := range p.objects {
		errs = append(errs, p.fillBlank(o)...)
	}
	return p.blanks, errors.Join(errs...)
}

// fillBlank sets the defaults of a struct, once, starting with the structs that its defaults contain. A default
// that contains the struct itself finds it without that default.
func (p *planner) fillBlank(o *objectPlan) (errs []error) {
	if o.blank.value.IsValid() {
		return nil
	}
	// Valid from here on, so that the recursion ends at a struct that contains itself.
	o.blank.value = reflect.New(o.of.Go).Elem()
	for i := range o.members {
		m := &o.members[i]
		if m.object != nil {
			errs = append(errs, p.fillBlank(m.object)...)
			m.Field.Value(o.blank.value).Set(m.object.blank.value)
		}
		// A default of the field takes precedence over those of fields within it.
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
			errs = append(errs, model.Declaration{Type: o.of.Go, Field: m.Field.GoPath}.Errorf("default %s %w", m.Field.Default, err))
			continue
		}
		m.Field.Value(o.blank.value).Set(value)
	}
	return errs
}

// Value decodes one JSON value of a type by a view, for a default or example in a tag. Its error continues a
// sentence that begins with the value: "must be a number".
func Value(t *model.Type, v *model.View, text jsontext.Value) (reflect.Value, error) {
	plans := newPlanner(nil)
	if hasDefaults(t) {
		made, _ := planDefaults(t) // defaults that do not fit are errors of their own fields
		plans = newPlanner(made)
	}
	return decodeValue(plans.Of(t, position{inner: v}), t, text)
}

// decodeValue decodes one JSON value. Its error joins everything that is wrong with it.
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
