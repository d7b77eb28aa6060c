// Package check validates records by the rules in their tags. It compiles and tries out all rules when an API is
// built, so that New reports a wrong tag instead of a request failing later.
//
// The decoder decides what a body contains: it reports missing fields, and which fields are present but empty.
// Rules then check values with the semantics of github.com/go-playground/validator/v10:
//
//   - Most rules are compiled to a function of the value: judge.go and judge_text.go. If a function
//     decides only simple cases, or a rule has no function, validator checks the value: Compiler.ask.
//   - Rules that need other fields are compiled in contextual.go. Rules from Config.Rules get a
//     validator.FieldLevel that Trove implements.
//
// A struct becomes a plan of its fields (plan.go). A pass (pass.go) walks through the plan once, and a second time
// for fields that the body sends with an empty value. Checking a valid record allocates nothing unless a user's
// rule or validator does. Tests compile random structs for validator too and compare the violations.
package check

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Checker validates the records of one struct type. It is safe for concurrent use.
type Checker struct {
	compiler *Compiler
	root     *model.Struct
	plan     *structRules
	structs  []structRule // rules over structs that a record can contain
	views    *model.Views
	many     bool // it checks lists of records
}

// Views returns the views of the struct. They require the fields that the rules require.
func (k *Checker) Views() *model.Views { return k.views }

// Each returns the checker of lists of the records. It shares all plans with k.
func (k *Checker) Each() *Checker {
	each := *k
	each.many = true
	return &each
}

// Check returns everything that is wrong with a decoded record: what the decoder found, then broken rules, at most
// one for each value. If the body has wrong types, it skips rules on fields that the view makes read-only, and
// rules over structs.
//
// The error is that of a user's rule that failed or panicked, which is not the client's fault.
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

// values adds the broken rules of single values. It makes a second pass for fields that the body sends with an
// empty value: omitempty accepts an absent value, but not an empty one that a client chose.
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
