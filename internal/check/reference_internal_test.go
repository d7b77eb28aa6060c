package check

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// reference checks records with validator. It turns the rules of a struct back into tags, and finds the values that
// validator names by paths. Compiled checks are compared with it.
type reference struct {
	compiler *Compiler
	root     *model.Struct
	whole    *validator.Validate // with the rules as declared
	explicit *validator.Validate // without omitempty, for fields that a body has
}

// newReference returns only an error if validator panics with an empty record or a full one.
func newReference(t testing.TB, c *Compiler, s *model.Struct) (k *reference, err error) {
	t.Helper()
	k = &reference{c, s, newReferenceValidator(t, c), newReferenceValidator(t, c)}
	for _, each := range reachableFrom(s) {
		for validate, writer := range map[*validator.Validate]rewriter{k.whole: {omitEmpty: true}, k.explicit: {}} {
			for of, tags := range writer.tags(each) {
				validate.RegisterStructValidationMapRules(tags, reflect.New(of).Elem().Interface())
			}
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("validator panics: %v", cause)
		}
	}()
	for _, each := range reachableFrom(s) {
		for _, record := range []reflect.Value{reflect.New(each.Go), fullRecord(each)} {
			_ = k.whole.Struct(record.Interface())
			_ = k.explicit.Struct(record.Interface())
		}
	}
	return k, nil
}

func newReferenceValidator(t testing.TB, c *Compiler) *validator.Validate {
	t.Helper()
	made := validator.New(validator.WithRequiredStructEnabled())
	errs := []error{register(made, "notblank", isNotBlankByTable), register(made, "datetime", func(f validator.FieldLevel) bool { return isDate(f.Field().String(), f.Param()) })}
	for name, rule := range c.rules {
		if rule.own != nil {
			errs = append(errs, register(made, name, rule.own.Check))
		}
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return made
}

// noted is what a decoder reports of a body.
type noted struct {
	mistyped bool
	empties  [][]model.Segment // the paths of values that the body has empty
	told     [][]model.Segment // the paths of values with a wrong type
}

func (n *noted) decoded(view *model.View) codec.Decoded {
	made := codec.Decoded{Mistyped: n.mistyped, View: view}
	var at model.Location
	for _, way := range n.empties {
		goTo(&at, way)
		made.NoteEmpty(&at)
	}
	for _, way := range n.told {
		goTo(&at, way)
		made.AddAt(&at, validation.Violation{Code: "type"})
	}
	return made
}

// referencePass is one check of a record.
type referencePass struct {
	model.Report

	mistyped bool
}

func (k *reference) check(record any, body *noted) (found model.Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			found, err = model.Report{}, fmt.Errorf("a rule of %s panicked: %v", k.root.Go, cause)
		}
	}()
	p := referencePass{body.decoded(nil).Report, body.mistyped}
	if err := k.tellAll(&p, record, k.whole.Struct(record)); err != nil {
		return model.Report{}, err
	}
	if body.empties != nil {
		if err := k.tellAll(&p, record, k.explicit.StructFiltered(record, k.skipAllBut(body.empties))); err != nil {
			return model.Report{}, err
		}
	}
	return p.Report, nil
}

func (k *reference) tellAll(p *referencePass, record any, err error) error {
	findings, err := k.locate(reflect.ValueOf(record), err)
	for i := range findings {
		p.tellFinding(k.compiler, &findings[i])
	}
	return err
}

// skipAllBut returns a filter that keeps the values at the end of some paths and everything around them, because
// validator enters nothing that its filter leaves out.
func (k *reference) skipAllBut(ways [][]model.Segment) validator.FilterFunc {
	set := map[string]bool{}
	for _, way := range ways {
		path := k.root.Go.Name()
		for _, s := range way {
			switch s.Kind {
			case model.ToElement:
				path += "[" + strconv.Itoa(s.Index) + "]"
			case model.ToEntry:
				path += "[" + s.Name + "]"
			case model.ToField:
				for part := range strings.SplitSeq(s.Field.GoPath, ".") { // embedded structs are on the path
					path = strings.TrimPrefix(path+"."+part, ".")
					set[path] = true
				}
			}
			set[path] = true
		}
	}
	return func(path []byte) bool { return !set[string(path)] }
}

// finding is a rule that validator reports as broken.
type finding struct {
	search

	err validator.FieldError
}

// locate finds the places of validator's errors and sorts them in the order of the struct, because validator
// iterates maps in random order.
func (k *reference) locate(record reflect.Value, err error) ([]finding, error) {
	if err == nil {
		return nil, nil
	}
	broken, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return nil, fmt.Errorf("validating %s: %w", k.root.Go, err)
	}
	var findings []finding
	for _, e := range broken {
		at, ok := locate(k.root, record.Elem(), e.StructNamespace())
		if at.unread {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("validating %s: a rule is broken at an unknown place in %s", k.root.Go, model.Shorten(e.StructNamespace(), 100))
		}
		findings = append(findings, finding{*at, e})
	}
	slices.SortStableFunc(findings, func(a, b finding) int { return compareKeys(a.segments, b.segments) })
	return findings, nil
}

// brokenByNull returns the alternatives of which validator names one for a nil pointer. The first broken rule counts, so
// it returns nil if the rule of that name itself comes before them. Conditions come before all else.
func (f *finding) brokenByNull() *model.Constraint {
	isNamed := func(c model.Constraint) bool { return c.Name == f.err.Tag() }
	isBroken := func(c model.Constraint) bool { return isNamed(c) || slices.ContainsFunc(c.Or, isNamed) }
	first := slices.IndexFunc(f.rules.All, isBroken)
	if f.err.Kind() != reflect.Pointer || first < 0 || f.rules.All[first].Or == nil || isCondition(model.Constraint{Name: f.err.Tag()}) && slices.ContainsFunc(f.rules.All, isNamed) {
		return nil
	}
	return &f.rules.All[first]
}

// tellFinding adds the violation of a finding.
func (p *referencePass) tellFinding(c *Compiler, f *finding) {
	var at model.Location
	goTo(&at, f.segments)
	switch {
	case p.IsReported(&at) || p.mistyped && f.readOnly || p.isPresent(f, &at):
	case p.Full():
		p.Skip(&at)
	default:
		here := &declaration{owner: f.owner, field: f.field, kind: f.typ.Kind, isElement: true}
		told := rule{compiler: c, rule: f.constraint(f.err.Tag(), f.err.Param()), at: here}
		if or := f.brokenByNull(); or != nil { // validator has the name of one and the parameter of another
			told.rule = *or
		}
		told.code = cmp.Or(told.rule.Name, render(told.rule))
		p.AddAt(&at, told.violation(&at))
	}
}

// isPresent reports whether a rule reports a number or boolean as missing although the body has it. Validator
// treats zero as missing; the decoder knows better.
func (p *referencePass) isPresent(f *finding, at *model.Location) bool {
	if !strings.HasPrefix(f.err.Tag(), "required") {
		return false
	}
	switch f.typ.Kind {
	case model.Int, model.Uint, model.Float, model.Bool:
		return p.IsEmptyAt(at)
	}
	return false
}

// isNotBlankByTable is notblank, which validator has in another form.
func isNotBlankByTable(field validator.FieldLevel) bool {
	return strings.ContainsFunc(field.Field().String(), func(r rune) bool { return !isSpace(r) })
}

// fullRecord returns a new record with a value in each field.
func fullRecord(s *model.Struct) reflect.Value {
	record := reflect.New(s.Go)
	for _, f := range s.Fields {
		v := f.Value(record.Elem())
		if f.Type.Nullable {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		v.Set(specimen(f.Type))
	}
	return record
}

// specimen returns a value of a type that is not empty, if its kind has one.
func specimen(t *model.Type) reflect.Value {
	v := reflect.New(t.Base()).Elem()
	switch kind := v.Kind(); {
	case kind == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(1)
	case kind == reflect.String:
		v.SetString("a")
	case kind == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case kind == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a").Convert(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	case t.Kind == model.Any:
		v.Set(reflect.ValueOf("a"))
	}
	return v
}

// register adds a rule to validator.
func register(validate *validator.Validate, name string, check validator.Func) error {
	return validate.RegisterValidation(name, check)
}

// goTo goes to the end of segments that begin at the record.
func goTo(at *model.Location, way []model.Segment) {
	at.Clear()
	for _, s := range way {
		switch s.Kind {
		case model.ToField:
			at.ToField(s.Field)
		case model.ToElement:
			at.ToElement(s.Index)
		case model.ToEntry:
			at.ToEntry(s.Name)
		}
	}
}
