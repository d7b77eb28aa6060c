package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/go-playground/validator/v10/non-standard/validators"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// reference checks records as validator does. It gives the rules of a struct back to validator as tags, and finds
// the values that validator names by paths. Validator's verdicts are what rules mean, so that compiled
// checks are held to this one.
type reference struct {
	compiler *Compiler
	root     *model.Struct
	whole    *validator.Validate // by the rules as declared
	explicit *validator.Validate // the same without omitempty, for members that a body has
}

// newReference returns nothing but an error if validator panics at a record without values, or at one with some
// in all fields.
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
	errs := []error{register(made, "notblank", validators.NotBlank), register(made, "datetime", isDateTime)}
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
	empties  [][]model.Segment // the ways to values that the body has empty
	told     [][]model.Segment // those to values that have the wrong type
}

func (n *noted) decoded(view *model.View) codec.Decoded {
	made := codec.Decoded{Mistyped: n.mistyped, View: view}
	var at model.Trail
	for _, way := range n.empties {
		at.Go(way)
		made.NoteEmpty(&at)
	}
	for _, way := range n.told {
		at.Go(way)
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

// skipAllBut returns a filter of Go's paths that lets the values pass at the end of some ways, and all that they are
// in: validator goes into nothing that its filter leaves out.
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
			case model.ToMember:
				for part := range strings.SplitSeq(s.Field.GoPath, ".") { // embedded structs are on the way
					path = strings.TrimPrefix(path+"."+part, ".")
					set[path] = true
				}
			}
			set[path] = true
		}
	}
	return func(path []byte) bool { return !set[string(path)] }
}

// finding is a rule that validator found broken.
type finding struct {
	search

	err validator.FieldError
}

// locate finds the places of validator's errors, and puts them in the order of the struct:
// validator takes the entries of maps in any.
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

// brokenByNull returns the alternatives of which validator names one for a pointer to nothing.
func (f *finding) brokenByNull() *model.Constraint {
	for i := range f.rules.All {
		isNamed := func(c model.Constraint) bool { return c.Name == f.err.Tag() }
		if or := &f.rules.All[i]; f.err.Kind() == reflect.Pointer && slices.ContainsFunc(or.Or, isNamed) {
			return or
		}
	}
	return nil
}

// tellFinding adds the violation of what validator found.
func (p *referencePass) tellFinding(c *Compiler, f *finding) {
	var at model.Trail
	at.Go(f.segments)
	switch {
	case p.IsTold(&at) || p.mistyped && f.readOnly || p.isPresent(f, &at):
	case p.Full():
		p.Skip(&at)
	default:
		here := &declaration{f.owner, f.field, f.typ.Kind, true}
		told := template{compiler: c, code: f.err.Tag(), rule: f.constraint(f.err.Tag(), f.err.Param()), at: here}
		if or := f.brokenByNull(); or != nil { // where validator has the name of one and the parameter of another
			told.code, told.rule = called(*or)
		}
		p.AddAt(&at, told.violation(&at))
	}
}

// isPresent reports whether a rule calls a number or boolean missing that the body has.
// Validator takes a zero for missing, the decoder knows better.
func (p *referencePass) isPresent(f *finding, at *model.Trail) bool {
	if !strings.HasPrefix(f.err.Tag(), "required") {
		return false
	}
	switch f.typ.Kind {
	case model.Int, model.Uint, model.Float, model.Bool:
		return p.IsItselfEmptyAt(at)
	}
	return false
}

// place is what a struct says of a value: the field it is in, its type and its rules.
type place struct {
	owner    *model.Struct
	field    *model.Field
	typ      *model.Type
	rules    model.Rules // of the value
	readOnly bool        // it, or something it is in, is read-only
}

// constraint returns the rule that validator calls by tag and param. Validator names
// alternatives by their whole text, and parameters as it was given them.
func (p place) constraint(tag, param string) model.Constraint {
	rules := p.rules.All
	for level := &p.field.Rules; level != nil; level = level.Elem {
		if level.Keys != nil {
			rules = append(slices.Clone(rules), level.Keys.All...)
		}
	}
	for _, c := range rules {
		if c.Or != nil && render(c) == tag || c.Name == tag && c.Param == param {
			return c
		}
	}
	return model.Constraint{Name: tag, Param: param}
}

// search finds the value in a record that validator names by a path of Go's names, such as
// "Order.Lines[1].Count". Keys of maps may have anything in them, so that the record says
// which of its values has that path. No value is looked at twice.
type search struct {
	place

	segments []model.Segment
	unread   bool // it is in a value whose struct tags Trove does not read, because JSON does not have its fields
}

// locate searches a record. Where it finds nothing, validator has named what the model does
// not know: that is a fault of Trove, and not the client's.
func locate(root *model.Struct, record reflect.Value, namespace string) (*search, bool) {
	if name := root.Go.Name(); name != "" {
		namespace = strings.TrimPrefix(namespace, name+".")
	}
	s := &search{}
	return s, s.inStruct(root, record, namespace)
}

// inStruct goes on at a field of a struct.
// Of names that begin alike the one that the path goes on behind is meant.
func (s *search) inStruct(in *model.Struct, v reflect.Value, rest string) bool {
	for _, f := range in.Fields {
		after, ok := strings.CutPrefix(rest, f.GoPath)
		if !ok || after != "" && after[0] != '.' && after[0] != '[' {
			continue
		}
		s.segments = append(s.segments, model.Segment{Kind: model.ToMember, Field: f})
		s.place = place{owner: in, field: f, typ: f.Type, rules: f.Rules, readOnly: s.readOnly || f.ReadOnly}
		return s.inValue(f.Value(v), after)
	}
	return false
}

// inValue goes on inside of a value, or ends there.
func (s *search) inValue(v reflect.Value, rest string) bool {
	if rest == "" {
		return true
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	switch {
	case rest[0] == '.' && s.typ.Kind == model.Object:
		return s.inStruct(s.typ.Struct, v, rest[1:])
	case rest[0] == '.':
		s.unread = s.typ.Kind == model.Any || s.typ.Kind == model.Text
		return false
	case rest[0] != '[' || s.typ.Elem == nil:
		return false
	case s.typ.Kind == model.Map:
		return s.inMap(v, rest)
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return false
	}
	i, err := strconv.Atoi(rest[1:end])
	return err == nil && i < v.Len() && s.inElement(model.Segment{Kind: model.ToElement, Index: i}, v.Index(i), rest[end+1:])
}

// inMap goes on at the entry whose key stands in the brackets: that up to the first bracket
// most of the time.
func (s *search) inMap(v reflect.Value, rest string) bool {
	if end := strings.IndexByte(rest, ']'); end > 0 && v.Type().Key().NumMethod() == 0 {
		key := reflect.ValueOf(rest[1:end]).Convert(v.Type().Key())
		if inner := v.MapIndex(key); inner.IsValid() && s.inElement(model.Segment{Kind: model.ToEntry, Name: rest[1:end]}, inner, rest[end+1:]) {
			return true
		}
	}
	for entry := v.MapRange(); entry.Next(); {
		key := entry.Key().String()
		if text, ok := reflect.TypeAssert[fmt.Stringer](entry.Key()); ok { // as validator names it
			key = text.String()
		}
		if after, ok := strings.CutPrefix(rest[1:], key); ok && strings.HasPrefix(after, "]") &&
			s.inElement(model.Segment{Kind: model.ToEntry, Name: entry.Key().String()}, entry.Value(), after[1:]) {
			return true
		}
	}
	return false
}

// inElement goes on at an element or an entry. If the path does not lead on there, nothing
// has changed.
func (s *search) inElement(segment model.Segment, v reflect.Value, rest string) bool {
	before, depth := s.place, len(s.segments)
	elem := s.rules.Elem
	s.segments = append(s.segments, segment)
	s.typ, s.rules = s.typ.Elem, model.Rules{}
	if elem != nil {
		s.rules = *elem
	}
	if s.inValue(v, rest) {
		return true
	}
	s.place, s.segments = before, s.segments[:depth]
	return false
}

// rewriter makes the tags that validator reads of the rules that were parsed. Validator cannot
// read those of the struct itself: it does not know what a body had, so that required on a
// number would refuse a zero which was sent.
type rewriter struct {
	omitEmpty bool // keep omitempty on values that are never null
}

// tags returns the tags of the Go fields of a struct and of those embedded in it, by
// type and Go's name. Fields that are no JSON members are not validated.
func (w rewriter) tags(s *model.Struct) map[reflect.Type]map[string]string {
	all := map[reflect.Type]map[string]string{}
	skipAll(all, s.Go)
	for _, f := range s.Fields {
		owner := s.Go
		for _, i := range f.Index[:len(f.Index)-1] {
			embedded := owner.Field(i)
			all[owner][embedded.Name] = ""
			owner = embedded.Type
			skipAll(all, owner)
		}
		all[owner][owner.Field(f.Index[len(f.Index)-1]).Name] = w.field(f)
	}
	return all
}

// skipAll gives every field of a struct the tag of one that is not validated.
// Tags that the user wrote for other programs must not be read as rules, and validator reads those
// of any field that has no entry here.
func skipAll(all map[reflect.Type]map[string]string, t reflect.Type) {
	if all[t] != nil {
		return
	}
	all[t] = map[string]string{}
	for field := range t.Fields() {
		all[t][field.Name] = "-"
	}
}

// field returns the tag of a field.
func (w rewriter) field(f *model.Field) string {
	if f.Rules.Skip {
		return "-"
	}
	return strings.Join(w.words(f.Rules, f.Type, f.ReadOnly), ",")
}

// words returns the rules of a value as the words of a tag.
// Conditions come first in the tag: behind omitempty they would not be asked of an empty value, of
// which they mostly are.
func (w rewriter) words(r model.Rules, t *model.Type, readOnly bool) []string {
	var words, conditions []string
	_, required := r.Find("required")
	switch {
	case r.OmitEmpty && (w.omitEmpty || t.Nullable):
		words = append(words, "omitempty")
	case t.Nullable && !required:
		words = append(words, "omitnil")
	}
	for _, c := range r.All {
		switch {
		case strings.HasPrefix(c.Name, "required_") && !w.omitEmpty && !t.Nullable:
			// the body has the member
		case isCondition(c):
			conditions = append(conditions, render(c))
		case c.Name != "required" || judgedByValue(t, readOnly):
			words = append(words, render(c))
		}
	}
	return append(append(conditions, words...), elements(r, t)...)
}

// elements returns the words from dive on. Structs in lists and maps are always
// validated. An element is never absent, so that omitempty lets empty ones be.
func elements(r model.Rules, t *model.Type) []string {
	if r.Elem == nil && !holdsStructs(t.Elem) {
		return nil
	}
	words := []string{"dive"}
	if r.Keys != nil {
		words = append(words, "keys")
		words = append(words, rewriter{omitEmpty: true}.words(*r.Keys, &model.Type{Kind: model.String}, false)...)
		words = append(words, "endkeys")
	}
	if r.Elem == nil {
		r.Elem = &model.Rules{}
	}
	if t.Elem == nil {
		return words
	}
	isTold := t.Elem.Kind == model.Any // the decoder says of members alone that null is missing
	return append(words, rewriter{omitEmpty: true}.words(*r.Elem, t.Elem, isTold)...)
}

// holdsStructs reports whether a value is structs, by any number of lists and maps.
func holdsStructs(t *model.Type) bool {
	for t != nil && t.Elem != nil {
		t = t.Elem
	}
	return t != nil && t.Kind == model.Object
}

// judgedByValue reports whether required can be told from the value: text may not be
// empty and a pointer not null. What a zero number, boolean, time or struct means, only
// the body can tell.
func judgedByValue(t *model.Type, readOnly bool) bool {
	switch t.Kind {
	case model.String:
		return true
	case model.List, model.Map, model.Bytes, model.Any:
		return readOnly || t.Nullable
	}
	return t.Nullable
}

// compareKeys orders two ways by the first key of a map in which they part, since validator takes the entries of
// maps in any order. All else is in order.
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
