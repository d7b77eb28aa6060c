package check

import (
	"errors"
	"fmt"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// markRequired marks the fields that creating a struct requires: those with the rule
// required, and those whose default or zero value would break their rules.
func (c *Compiler) markRequired(s *model.Struct) error {
	for _, f := range s.Fields {
		_, required := f.Rules.Find("required")
		f.Required = f.Writable() && (required && f.Default == nil || f.Identifier)
	}
	blank, err := codec.Compile(&model.Type{Go: s.Go, Kind: model.Object, Struct: s})
	if err != nil {
		return err
	}
	broken, ok := errors.AsType[validator.ValidationErrors](c.values.Struct(blank.New()))
	if !ok {
		return nil
	}
	for _, e := range broken {
		at, found := locate(s, e.StructNamespace())
		if !found {
			return fmt.Errorf("%s: a rule is broken at an unknown place, %s", s.Go, e.StructNamespace())
		}
		if c.rules[e.Tag()].fields {
			continue
		}
		if f := first(s, at); f.Writable() {
			f.Required = true
		}
	}
	return nil
}

// first returns the field of s that a place is in.
func first(s *model.Struct, at place) *model.Field {
	for _, f := range s.Fields {
		if at.path == f.Name || isBelow(at.path, f.Name) {
			return f
		}
	}
	return at.field
}

// propagateRequired marks the fields that are structs with required members: left out,
// they would lack them.
func propagateRequired(structs []*model.Struct) {
	for changed := true; changed; {
		changed = false
		for _, s := range structs {
			for _, f := range s.Fields {
				if !f.Required && lacksRequired(f) {
					f.Required, changed = true, true
				}
			}
		}
	}
}

func lacksRequired(f *model.Field) bool {
	if f.Type.Kind != model.Object || f.Type.Nullable || !f.Writable() || f.Default != nil || f.Rules.OmitEmpty || f.Rules.Skip {
		return false
	}
	for _, inner := range f.Type.Struct.Fields {
		if inner.Required {
			return true
		}
	}
	return false
}
