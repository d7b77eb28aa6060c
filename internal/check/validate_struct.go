package check

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// finding is a rule that validator found broken, or a value that it is not asked about.
type finding struct {
	search

	err validator.FieldError // nil for a value with names that are too long, see heavy
}

// validateStruct has validator judge the fields that are its own, in the order of their
// struct.
// A second call with other rules is what values that a body has empty cost: validator does not know
// of bodies.
func (k *Checker) validateStruct(ctx context.Context, p *pass, record reflect.Value, from *model.Trail) ([]finding, error) {
	if heavy := k.heavy(record.Elem()); heavy != nil {
		return heavy, nil
	}
	if !p.explicit {
		if len(k.byValidator) == len(k.plan.members) {
			return k.locate(record, k.compiler.whole.StructCtx(ctx, record.Interface()))
		}
		return k.locate(record, k.compiler.whole.StructFilteredCtx(ctx, record.Interface(), k.skip))
	}
	empty := k.emptyPaths(p, from)
	if empty == nil {
		return nil, nil
	}
	return k.locate(record, k.compiler.explicit.StructFilteredCtx(ctx, record.Interface(), skipAllBut(empty)))
}

// emptyPaths is a set of the paths, as validator has them, of the values that the body has
// empty in fields that are validator's, and of all that they are in: validator goes into
// nothing that its filter leaves out, so the way to a value has to be let pass as well.
func (k *Checker) emptyPaths(p *pass, from *model.Trail) map[string]bool {
	var set map[string]bool
	met := map[*model.Place]bool{}
	begin := ""
	if name := k.root.Go.Name(); name != "" {
		begin = name + "."
	}
	for at := range p.EmptiesBelow(from) {
		if m := k.plan.member(at.Top()); m == nil || !m.byValidator {
			continue
		}
		for ; at.Above() != nil && !met[at]; at = at.Above() {
			if met[at] = true; set == nil {
				set = map[string]bool{}
			}
			path := begin + at.GoPath()
			set[path] = true
			for inner := at.GoName(); strings.Contains(inner, "."); { // embedded structs are on the way
				inner = inner[strings.IndexByte(inner, '.')+1:]
				set[path[:len(path)-len(inner)-1]] = true
			}
		}
	}
	return set
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
// Validator asks its filter about structs on the way to a field and about what is below it, in one
// form.
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

// skipAllBut returns a filter of Go's paths that lets those of a set pass. (StructPartial
// would do, but it panics at brackets in a map's key.)
func skipAllBut(set map[string]bool) validator.FilterFunc {
	return func(path []byte) bool { return !set[string(path)] }
}

// locate finds the places of validator's errors, and puts them in the order of the struct:
// validator takes the entries of maps in any.
func (k *Checker) locate(record reflect.Value, err error) ([]finding, error) {
	if err == nil {
		return nil, nil
	}
	broken, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return nil, fmt.Errorf("validating %s: %w", k.root.Go, err)
	}
	findings := make([]finding, len(broken))
	for i, e := range broken {
		at, ok := locate(k.root, record.Elem(), e.StructNamespace())
		if !ok {
			return nil, fmt.Errorf("validating %s: a rule is broken at an unknown place in %s", k.root.Go, model.Shorten(e.StructNamespace(), 100))
		}
		findings[i] = finding{*at, e}
	}
	slices.SortStableFunc(findings, func(a, b finding) int { return compareKeys(a.segments, b.segments) })
	return findings, nil
}

// compareKeys orders two ways by the first key of a map in which they part. All else is in
// order.
// Validator and walks go through fields and elements in order; only maps have none.
func compareKeys(a, b []model.Segment) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i].Kind != b[i].Kind || a[i].Field != b[i].Field || a[i].Index != b[i].Index:
			return 0
		case a[i].Name != b[i].Name:
			return strings.Compare(a[i].Name, b[i].Name)
		}
	}
	return 0
}

// tellFinding adds the violation of what validator found in the record that the trail leads to.
func (p *pass) tellFinding(f *finding, at *model.Trail) {
	at.Further(f.segments)
	switch {
	case p.IsTold(at) || p.mistyped && f.readOnly || f.err != nil && p.isPresent(f, at):
	case p.Full():
		p.Skip(at)
	case f.err == nil:
		p.AddAt(at, validation.Violation{Code: "invalid", Message: f.field.Name + " has names that are too long for all that is below them"})
	default:
		p.AddAt(at, p.compiler.violation(&f.declaration, f.err, at))
	}
}

// isPresent reports whether a rule calls a number or boolean missing that the body has.
// Validator takes a zero for missing, the decoder knows better.
func (p *pass) isPresent(f *finding, at *model.Trail) bool {
	if !strings.HasPrefix(f.err.Tag(), "required") {
		return false
	}
	switch f.typ.Kind {
	case model.Int, model.Uint, model.Float, model.Bool:
		return p.IsItselfEmptyAt(at)
	}
	return false
}
