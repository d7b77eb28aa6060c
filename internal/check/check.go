// Package check validates records by the rules of their tags. Rules are compiled and tried
// out when an API is made, so that a mistake in a tag is found there and not by the first
// request.
//
// What a body has is decided by the decoder: it reports missing members, and which
// members are there but empty. Rules then judge values, as
// github.com/go-playground/validator/v10 does. Its verdicts are the meaning of a rule; how
// they are come by differs:
//
//   - Most rules are compiled to a function of the value: judge.go and judge_text.go. Where such a
//     function knows plain cases alone, and for rules that have none, validator is asked about the
//     value: Compiler.ask.
//   - Rules that look at other fields are compiled in around.go. Those of users get a
//     validator.FieldLevel of Trove's own.
//
// A struct becomes a plan of its fields (plan.go), which a pass walks through (pass.go),
// once for all values and once more for those that the body has with an empty value. A record
// without violations takes no memory, unless a rule is the user's or validator's. Tests compile
// random structs for validator, too, and hold both to the same violations.
package check

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Checker validates the records of one struct type. It is safe for use by many
// goroutines.
type Checker struct {
	compiler *Compiler
	root     *model.Struct
	plan     *structRules
	structs  []structRule // rules over structs that can be in a record
	views    *model.Views
	many     bool // a list of them is checked
}

// Views returns the views of the struct, which require what its rules do.
func (k *Checker) Views() *model.Views { return k.views }

// Each returns the checker of lists of the records.
// A copy with a mark, since a list has no rules of its own: all plans are shared.
func (k *Checker) Each() *Checker {
	each := *k
	each.many = true
	return &each
}

// Check returns all that is wrong with a record that a body was decoded onto: what the
// decoder found, then broken rules, with one violation for each value. With wrong types
// in the body, rules on members that its view does not let clients set and rules over structs
// are not asked. Its
// error is that of a user's rule which failed to judge.
// A rule of the user's may panic. That must not take the process down, nor be told to clients as if
// their body were wrong.
func (k *Checker) Check(ctx context.Context, record any, decoded codec.Decoded) (found model.Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			found, err = model.Report{}, fmt.Errorf("a rule of %s panicked: %v", k.root.Go, cause)
		}
	}()
	p := pass{Report: decoded.Report, mistyped: decoded.Mistyped, view: decoded.View}
	if err := k.values(&p, record); err != nil {
		return model.Report{}, err
	}
	if !decoded.Mistyped && k.structs != nil {
		if err := k.overStructs(ctx, record, &p.Report); err != nil {
			return model.Report{}, err
		}
	}
	return p.Report, nil
}

// values adds the broken rules of single values: of all, then of those that the body has
// with an empty value. Those are judged once more because omitempty lets an empty value pass
// that nobody sent, but not one that a client chose.
func (k *Checker) values(p *pass, record any) error {
	v, want := reflect.ValueOf(record), k.root.Go
	if k.many {
		want = reflect.SliceOf(want)
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != want {
		return fmt.Errorf("validating %s: the record has the type %T", want, record)
	}
	var at model.Trail
	for {
		if k.many {
			at.ToElement(0)
			for i := range v.Elem().Len() {
				if at.NextElement(i); !p.explicit || p.IsEmptyAt(&at) {
					p.top = v.Elem().Index(i).Addr()
					p.structure(k.plan, p.top.Elem(), &at)
				}
			}
			at.Up()
		} else {
			p.top = v
			p.structure(k.plan, v.Elem(), &at)
		}
		if p.explicit || !p.HasEmpty() {
			return nil
		}
		p.explicit = true
	}
}
