package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// finding is a rule that validator found broken.
type finding struct {
	at  place
	err validator.FieldError
}

// ask has validator judge the fields that are its own, in the order of their struct.
func (k *Checker) ask(ctx context.Context, p *pass, record any) ([]finding, error) {
	if !p.explicit {
		if len(k.foreign) == len(k.plan.members) {
			return k.locate(k.compiler.values.StructCtx(ctx, record))
		}
		return k.locate(k.compiler.values.StructFilteredCtx(ctx, record, k.skip))
	}
	empty := slices.DeleteFunc(slices.Clone(p.decoded.Empty), func(e codec.Empty) bool { return !k.isForeign(e.GoPath) })
	if len(empty) == 0 {
		return nil, nil
	}
	return k.locate(k.compiler.present.StructFilteredCtx(ctx, record, skipAllBut(k.root.Go.Name(), empty)))
}

// isForeign reports whether a Go path is a field that is validator's, or in one.
func (k *Checker) isForeign(path string) bool {
	return slices.ContainsFunc(k.foreign, func(own string) bool { return path == own || isBelow(path, own) })
}

// skipOthers returns the filter of Go's paths that lets fields pass, with all that is in
// them and all that they are in.
func skipOthers(root string, fields []string) validator.FilterFunc {
	begin := 0
	if root != "" {
		begin = len(root) + len(".")
	}
	return func(path []byte) bool {
		return !slices.ContainsFunc(fields, func(field string) bool { return isOneWay(path[begin:], field) })
	}
}

// isOneWay reports whether one of two paths is the other, or is below it.
func isOneWay(path []byte, field string) bool {
	n := min(len(path), len(field))
	if string(path[:n]) != field[:n] {
		return false
	}
	switch {
	case len(path) > n:
		return path[n] == '.' || path[n] == '['
	case len(field) > n:
		return field[n] == '.'
	}
	return true
}

// skipAllBut returns a filter of Go's paths that lets some fields pass, with all that
// they are in. (StructPartial would do, but it panics at brackets in a map's key.)
func skipAllBut(root string, fields []codec.Empty) validator.FilterFunc {
	var pass paths
	for _, field := range fields {
		pass.add(join(root, field.GoPath))
	}
	return func(path []byte) bool { return !pass.exact[string(path)] && !pass.above[string(path)] }
}

// locate finds the places of validator's errors.
func (k *Checker) locate(err error) ([]finding, error) {
	if err == nil {
		return nil, nil
	}
	broken, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return nil, fmt.Errorf("validating a %s: %w", k.root.Go, err)
	}
	findings := make([]finding, len(broken))
	for i, e := range broken {
		at, ok := locate(k.root, e.StructNamespace())
		if !ok {
			return nil, fmt.Errorf("validating a %s: a rule is broken at an unknown place, %s", k.root.Go, e.StructNamespace())
		}
		findings[i] = finding{at, e}
	}
	return findings, nil
}

// tellFinding adds the violation of what validator found.
func (p *pass) tellFinding(f finding) {
	if p.isTold(f.at.path) || p.decoded.Mistyped && f.at.readOnly || isPresent(p.decoded, f.at, f.err.Tag()) {
		return
	}
	p.add(p.compiler.violation(&f.at, f.err))
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
