// Package check validates records by the rules of their tags, with
// github.com/go-playground/validator/v10 underneath. Rules are compiled and tried out
// when an API is made, so that a mistake in a tag is found there and not by the first
// request.
//
// What a body has is decided by the decoder: it reports missing members, and which
// members are there but empty. Validator then judges values.
package check

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Checker validates the records of one struct type. It is safe for use by many
// goroutines.
type Checker struct {
	compiler *Compiler
	root     *model.Struct
	plan     *object
	foreign  []string             // Go paths of the fields that are validator's
	skip     validator.FilterFunc // lets validator see these alone
	structs  []structRule         // rules over structs that can be in a record
}

// Check returns all that is wrong with a record that a body was decoded onto: what the
// decoder found, then broken rules, with one violation for each value. With wrong types
// in the body, rules on read-only members and rules over structs are not asked. Its
// error is that of a user's rule which failed to judge.
func (k *Checker) Check(ctx context.Context, record any, decoded codec.Decoded) (found []validation.Violation, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			found, err = nil, fmt.Errorf("a rule of %s panicked: %v", k.root.Go, cause)
		}
	}()
	found = slices.Clone(decoded.Violations)
	if found, err = k.values(ctx, record, decoded, found); err != nil || decoded.Mistyped {
		return found, err
	}
	return k.overStructs(ctx, record, found)
}

// values adds the broken rules of single values: of all, then of those that the body has
// with an empty value.
func (k *Checker) values(ctx context.Context, record any, decoded codec.Decoded, found []validation.Violation) ([]validation.Violation, error) {
	v := reflect.ValueOf(record)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != k.root.Go {
		return nil, fmt.Errorf("validating a %s: the record is a %T", k.root.Go, record)
	}
	p := pass{compiler: k.compiler, decoded: decoded, found: found}
	if err := k.walk(ctx, &p, v); err != nil || len(decoded.Empty) == 0 {
		return p.found, err
	}
	p.explicit = true
	err := k.walk(ctx, &p, v)
	return p.found, err
}

// walk checks the fields of a record, in their order.
func (k *Checker) walk(ctx context.Context, p *pass, record reflect.Value) error {
	var room [6]step
	if len(k.foreign) == 0 {
		p.object(k.plan, record.Elem(), room[:0])
		return nil
	}
	findings, err := k.ask(ctx, p, record.Interface())
	if err != nil {
		return err
	}
	at := trail(room[:1])
	at[0].kind = model.Object
	for i := range k.plan.members {
		m := &k.plan.members[i]
		at[0].field = m.field
		switch {
		case m.foreign:
			for len(findings) > 0 && findings[0].at.top == m.field {
				p.add(findings[0])
				findings = findings[1:]
			}
		case !p.explicit || at.isIn(p.decoded.Empty):
			p.value(m.value, m.of(record.Elem()), p.explicit, at)
		}
	}
	return nil
}

func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && (path[len(above)] == '.' || path[len(above)] == '[')
}

// overStructs adds what the user's rules over structs find, wherever their struct is.
func (k *Checker) overStructs(ctx context.Context, record any, found []validation.Violation) ([]validation.Violation, error) {
	for _, rule := range k.structs {
		for _, at := range rule.in(reflect.ValueOf(record)) {
			err := rule.check(ctx, at.value)
			refused, onlyRefused := validation.Violations(err)
			if !onlyRefused {
				return nil, err
			}
			for _, v := range refused {
				if v.Field = join(at.path, v.Field); !isTold(found, v.Field) {
					found = append(found, v)
				}
			}
		}
	}
	return found, nil
}
