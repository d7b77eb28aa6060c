package check

import (
	"context"
	"fmt"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// markRequired marks the fields that creating the structs requires: those with the rule
// required, and those whose default or zero value would break their rules. Records is
// the codec of the first.
func markRequired(checkers []*Checker, records *codec.Codec) error {
	for _, k := range checkers {
		if records == nil || k != checkers[0] {
			var err error
			if records, err = codec.Compile(&model.Type{Go: k.root.Go, Kind: model.Object, Struct: k.root}); err != nil {
				return err
			}
		}
		if err := k.markRequired(records.New()); err != nil {
			return err
		}
	}
	return nil
}

// markRequired judges a new record, and tells of a user's rule that panics at one. A body
// without a member leaves there what a new record has: where that breaks a rule, the document
// has to say that the member is required, for the service refuses to do without.
func (k *Checker) markRequired(blank any) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: a rule panics when it judges a new record, with the defaults of the tags: %v", k.root.Go.Name(), cause)
		}
	}()
	for _, f := range k.root.Fields {
		_, required := f.Rules.Find("required")
		f.Required = f.Writable() && (required && f.Default == nil || f.Identifier)
	}
	p := pass{compiler: k.compiler}
	p.Unlimited = true // all of them count
	if err := k.values(context.Background(), &p, blank); err != nil {
		return err
	}
	for _, v := range p.Violations {
		if f := v.Top(); f.Writable() && !k.compiler.rules[v.Code].fields {
			f.Required = true
		}
	}
	return nil
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

// lacksRequired reports whether a field that is left out is a struct without a member that it
// must have.
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
