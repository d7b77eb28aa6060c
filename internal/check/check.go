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
	"errors"
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
	structs  []structRule // rules over structs that can be in a record
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

// values adds the broken rules of single values.
func (k *Checker) values(ctx context.Context, record any, decoded codec.Decoded, found []validation.Violation) ([]validation.Violation, error) {
	found, err := k.collect(k.compiler.values.StructCtx(ctx, record), decoded, found)
	if err != nil || len(decoded.Empty) == 0 {
		return found, err
	}
	skip := skipAllBut(k.root.Go.Name(), decoded.Empty)
	return k.collect(k.compiler.present.StructFilteredCtx(ctx, record, skip), decoded, found)
}

// skipAllBut returns a filter of Go's paths that lets some fields pass, with all that
// they are in. (StructPartial would do, but it panics at brackets in a map's key.)
func skipAllBut(root string, fields []codec.Empty) validator.FilterFunc {
	pass := map[string]bool{}
	for _, field := range fields {
		path := join(root, field.GoPath)
		pass[path] = true
		for i, r := range path {
			if r == '.' || r == '[' {
				pass[path[:i]] = true
			}
		}
	}
	return func(path []byte) bool { return !pass[string(path)] }
}

// collect adds validator's errors to what was found.
func (k *Checker) collect(err error, decoded codec.Decoded, found []validation.Violation) ([]validation.Violation, error) {
	if err == nil {
		return found, nil
	}
	broken, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return nil, fmt.Errorf("validating a %s: %w", k.root.Go, err)
	}
	for _, e := range broken {
		at, ok := locate(k.root, e.StructNamespace())
		if !ok {
			return nil, fmt.Errorf("validating a %s: a rule is broken at an unknown place", k.root.Go)
		}
		if isTold(found, at.path) || decoded.Mistyped && at.readOnly || isPresent(decoded, at, e.Tag()) {
			continue
		}
		found = append(found, k.compiler.violation(at, e))
	}
	return found, nil
}

// isTold reports whether something was found already at the path, above it or below.
func isTold(found []validation.Violation, path string) bool {
	return slices.ContainsFunc(found, func(v validation.Violation) bool {
		return v.Field == path || isBelow(path, v.Field) || isBelow(v.Field, path)
	})
}

func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && (path[len(above)] == '.' || path[len(above)] == '[')
}

// isPresent reports whether a rule calls a number or boolean missing that the body has.
func isPresent(decoded codec.Decoded, at place, rule string) bool {
	if len(rule) < 8 || rule[:8] != "required" {
		return false
	}
	switch at.typ.Kind {
	case model.Int, model.Uint, model.Float, model.Bool:
		return slices.ContainsFunc(decoded.Empty, func(e codec.Empty) bool { return e.Path == at.path })
	}
	return false
}

// violation makes the violation of a broken rule.
func (c *Compiler) violation(at place, e validator.FieldError) validation.Violation {
	rule := at.constraint(e.Tag(), e.Param())
	text := at.field.Messages[rule.Name]
	if text == "" {
		text = at.field.Messages[""]
	}
	if text == "" {
		text = at.leaf + " " + c.message(rule, at.typ.Kind, c.otherFields(at.owner, at.field, rule))
	}
	return validation.Violation{Field: at.path, Code: e.Tag(), Message: text, Params: params(rule)}
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
