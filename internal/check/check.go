// Package check validates records by the rules of their tags. Rules are compiled and tried
// out when an API is made, so that a mistake in a tag is found there and not by the first
// request.
//
// What a body has is decided by the decoder: it reports missing members, and which
// members are there but empty. Rules then judge values, as
// github.com/go-playground/validator/v10 does. Its verdicts are the meaning of a rule; how
// they are come by is in three tiers, from the fast to the slow:
//
//   - Most rules are compiled to a function of the value, with the violation of the broken
//     rule made beside it: judge.go and what begins with its name. Such a function never
//     has to tell: it may know plain cases and leave others, such as an e-mail address in
//     quotes, to the next tier.
//   - A rule that looks at nothing but its value is asked of validator for that value
//     alone: rule.go.
//   - A field whose rules look around, at other fields or with a function of the user's, is
//     validator's as a whole, with all that is in it: needs_validator.go says which,
//     validator_tags.go tells validator its rules, validate_struct.go asks, and search.go finds
//     the values that the answer names by paths.
//
// A struct becomes a plan of its fields (plan.go), which a pass walks through (pass.go),
// once for all values and once more for those that the body has with an empty value. The
// fields of the third tier are asked for once in each pass and told in their turn, so that
// the order of violations is that of the struct. A record without violations takes no
// memory in the first tier. Tests compile random structs twice, once with all fields
// validator's, and hold both to the same violations.
package check

import (
	"context"
	"fmt"
	"reflect"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Checker validates the records of one struct type. It is safe for use by many
// goroutines.
type Checker struct {
	compiler    *Compiler
	root        *model.Struct
	plan        *structRules
	byValidator []string             // Go paths of the fields that are validator's
	skip        validator.FilterFunc // lets validator see these alone
	structs     []structRule         // rules over structs that can be in a record
	views       *model.Views
	many        bool // a list of them is checked
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
	p := pass{compiler: k.compiler, Report: decoded.Report, mistyped: decoded.Mistyped, view: decoded.View}
	if err := k.values(ctx, &p, record); err != nil {
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
func (k *Checker) values(ctx context.Context, p *pass, record any) error {
	v, want := reflect.ValueOf(record), k.root.Go
	if k.many {
		want = reflect.SliceOf(want)
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != want {
		return fmt.Errorf("validating %s: the record has the type %T", want, record)
	}
	if err := k.walkAll(ctx, p, v); err != nil || !p.HasEmpty() {
		return err
	}
	p.explicit = true
	return k.walkAll(ctx, p, v)
}

// walkAll walks through a record, or through each of a list.
func (k *Checker) walkAll(ctx context.Context, p *pass, v reflect.Value) error {
	var at model.Trail
	if !k.many {
		return k.walk(ctx, p, v, &at)
	}
	at.ToElement(0)
	for i := range v.Elem().Len() {
		at.NextElement(i)
		if p.explicit && !p.IsEmptyAt(&at) {
			continue
		}
		if err := k.walk(ctx, p, v.Elem().Index(i).Addr(), &at); err != nil {
			return err
		}
	}
	return nil
}

// walk checks the fields of the record that the trail leads to, in their order. Validator is
// asked once for all of its fields: what a call costs it, it costs once. What it found is then
// told field by field, so that violations are in the order of the struct whoever found them.
func (k *Checker) walk(ctx context.Context, p *pass, record reflect.Value, at *model.Trail) error {
	if len(k.byValidator) == 0 {
		p.structure(k.plan, record.Elem(), at)
		return nil
	}
	findings, err := k.validateStruct(ctx, p, record, at)
	if err != nil {
		return err
	}
	above := at.Segments()
	for i := range k.plan.members {
		m := &k.plan.members[i]
		if m.byValidator {
			for len(findings) > 0 && findings[0].segments[0].Field == m.field {
				at.Go(above)
				p.tellFinding(&findings[0], at)
				findings = findings[1:]
			}
			continue
		}
		at.Go(above)
		at.ToMember(m.field)
		if !p.explicit || p.IsEmptyAt(at) {
			p.value(m.value, m.of(record.Elem()), p.explicit, at)
		}
	}
	at.Go(above)
	return nil
}
