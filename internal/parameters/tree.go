package parameters

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// TreeField is a field that a tree of conditions can compare. Its operators are the filters of the URL.
type TreeField struct {
	Path      model.Path
	Plain     *Parameter   // what a value without an operator means; nil if there must be an operator
	Operators []*Parameter // by Word
}

// The words of a tree that are not fields.
const (
	wordAny = "any"
	wordAll = "all"
	wordNot = "not"
)

// words returns the words of a tree that are not fields.
func words() []string { return []string{wordAny, wordAll, wordNot} }

// compileTree finds the fields and operators of trees: those that have a parameter. Most is the maximum number of
// conditions, any, all and not in a tree.
func (s *Set) compileTree(most int) error {
	s.mostNodes, s.treeFields = most, map[string]*TreeField{}
	var errs []error
	for _, p := range s.List {
		if p.Kind != Filter {
			continue
		}
		f := s.treeFields[p.Path.Name]
		if f == nil {
			f = &TreeField{Path: p.Path}
			s.Tree, s.treeFields[p.Path.Name] = append(s.Tree, f), f
			if slices.Contains(words(), p.Path.Name) {
				errs = append(errs, fmt.Errorf("the field %q has a filter, but trees of conditions use this name for something else; "+
					"rename the field by its json tag, or set Config.MaxFilterNodes to -1", p.Path.Name))
			}
		}
		if f.Operators = append(f.Operators, p); p.Name == p.Path.Name {
			f.Plain = p
		}
	}
	return errors.Join(errs...)
}

// TakesTree reports whether clients can send a tree of conditions.
func (s *Set) TakesTree() bool { return s.mostNodes > 0 }

// TakesList reports whether a condition of a tree can have a list of values, of which one has to match.
func (p *Parameter) TakesList() bool { return p.Many || p.Operator == store.Equal }

// treeReading is the state of reading a tree. Conditions are reversed where they are read, so that stores get "not" only
// in conditions on one field, or on a list of references. Access rules can then restrict each condition by itself.
type treeReading struct {
	*reading

	parameter *Parameter
	text      *jsontext.Decoder
	nodes     int
}

// errTooManyNodes ends the reading of a tree.
var errTooManyNodes = errors.New("the tree has too many conditions")

// readTree reads a tree of conditions.
func readTree(r *reading, p *Parameter, text string) error {
	t := &treeReading{reading: r, parameter: p, text: jsontext.NewDecoder(strings.NewReader(text))}
	root, err := t.node(false)
	if err == nil {
		if _, end := t.text.ReadToken(); !errors.Is(end, io.EOF) {
			err = errors.New("text follows the tree")
		}
	}
	switch {
	case errors.Is(err, errTooManyNodes):
		return fmt.Errorf("must have at most %d conditions, any, all and not", r.set.mostNodes)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return errors.New("has an object in which a name appears twice")
	case err != nil:
		return errors.New("must be one JSON object")
	}
	if isList(root) { // the query has one list already
		r.tree = root.Any[0]
	} else {
		r.tree = []store.Condition{root}
	}
	return nil
}

// wrong reports what is wrong with the value that was read last. The message is a sentence about a parameter.
func (t *treeReading) wrong(parameter, predicate string) {
	t.note(invalid{Invalid: Invalid{Message: parameter + " " + predicate}})
}

// note reports what is wrong at the place that was read last.
func (t *treeReading) note(i invalid) {
	if len(t.invalids) < maxUnknown {
		i.of, i.Name, i.Pointer = t.parameter, t.parameter.Name, string(t.text.StackPointer())
		t.invalids = append(t.invalids, i)
	}
}

// count counts a condition, any, all or not.
func (t *treeReading) count() error {
	if t.nodes++; t.nodes > t.set.mostNodes {
		return errTooManyNodes
	}
	return nil
}

// node reads an object whose fields must all hold.
func (t *treeReading) node(reversed bool) (store.Condition, error) {
	var parts []store.Condition
	err := t.object("must be an object of conditions", func(name string) error {
		part, err := t.part(name, reversed)
		parts = append(parts, part)
		return err
	})
	return join(parts, reversed), err
}

// object reads an object, and calls a function with each name, which reads the value. It reports another value.
func (t *treeReading) object(otherwise string, field func(name string) error) error {
	if t.text.PeekKind() != jsontext.KindBeginObject {
		return t.skip(t.parameter.Name, otherwise)
	}
	return codec.EachField(t.text, field)
}

// list reads a list, and calls a function for each element, which reads it. It reports another value.
func (t *treeReading) list(otherwise string, element func() error) error {
	if t.text.PeekKind() != jsontext.KindBeginArray {
		return t.skip(t.parameter.Name, otherwise)
	}
	return codec.EachElement(t.text, element)
}

// skip reads a value, and reports that it is wrong.
func (t *treeReading) skip(parameter, predicate string) error {
	_, err := t.text.ReadValue()
	if err == nil {
		t.wrong(parameter, predicate)
	}
	return err
}

// part reads what an object has under a name: a list of nodes, a node, or conditions on a field.
func (t *treeReading) part(name string, reversed bool) (store.Condition, error) {
	switch name {
	case wordAny, wordAll:
		if err := t.count(); err != nil {
			return store.Condition{}, err
		}
		var parts []store.Condition
		err := t.list("must be a list of objects of conditions", func() error {
			part, err := t.node(reversed)
			parts = append(parts, part)
			return err
		})
		return join(parts, (name == wordAny) != reversed), err
	case wordNot:
		if err := t.count(); err != nil {
			return store.Condition{}, err
		}
		return t.node(!reversed)
	}
	f := t.set.treeFields[name]
	if f == nil {
		t.note(invalid{unknown: &unknownWord{name: name}})
		_, err := t.text.ReadValue()
		return store.Condition{}, err
	}
	return t.field(f, reversed)
}

// field reads the conditions on a field.
func (t *treeReading) field(f *TreeField, reversed bool) (store.Condition, error) {
	if t.text.PeekKind() != jsontext.KindBeginObject {
		if f.Plain == nil {
			return store.Condition{}, t.skip(f.Path.Name, "must be an object with an operator")
		}
		return t.condition(f.Plain, reversed)
	}
	var parts []store.Condition
	isEmpty := true
	err := t.object("", func(word string) error {
		isEmpty = false
		i := slices.IndexFunc(f.Operators, func(p *Parameter) bool { return p.Word == word })
		if i < 0 {
			t.note(invalid{unknown: &unknownWord{name: word, of: f}})
			_, err := t.text.ReadValue()
			return err
		}
		part, err := t.condition(f.Operators[i], reversed)
		parts = append(parts, part)
		return err
	})
	if err == nil && isEmpty {
		t.wrong(f.Path.Name, "must be an object with an operator")
	}
	return join(parts, reversed), err
}

// condition reads the values of a condition.
func (t *treeReading) condition(p *Parameter, reversed bool) (store.Condition, error) {
	if err := t.count(); err != nil {
		return store.Condition{}, err
	}
	var values []any
	read := func(operator store.Operator) error {
		text, err := t.text.ReadValue()
		if err != nil {
			return err
		}
		value, wrong := p.valueOf(text, operator)
		if wrong != nil {
			t.wrong(p.Name, wrong.Error())
		}
		values = append(values, value)
		return nil
	}
	var err error
	switch isList := t.text.PeekKind() == jsontext.KindBeginArray; {
	case p.Between:
		err = t.list("must be a list of two values", func() error {
			return read([...]store.Operator{store.GreaterEqual, store.LessEqual}[min(len(values), 1)])
		})
		if err == nil && isList && len(values) != 2 {
			t.wrong(p.Name, "must be a list of two values")
		}
	case isList && p.TakesList():
		err = t.list("", func() error {
			if len(values) < MaxValues {
				return read(p.Operator)
			}
			if len(values) == MaxValues {
				t.wrong(p.Name, fmt.Sprintf("must have at most %d values", MaxValues))
				values = append(values, nil)
			}
			_, err := t.text.ReadValue()
			return err
		})
	default:
		err = read(p.Operator)
	}
	if err != nil || len(t.invalids) > 0 {
		return store.Condition{}, err
	}
	return p.compare(values, reversed), nil
}

// valueOf reads a value in JSON to compare with. Its error continues a sentence.
func (p *Parameter) valueOf(given jsontext.Value, operator store.Operator) (any, error) {
	text, err := p.scalar.Text(given)
	if err != nil {
		return p.listed(nil, p.orDate(err))
	}
	return p.value(text, operator)
}

// compare returns the condition that compares the field with values, or the opposite one. Through a reference, the
// opposite is that there is no record, or that it does not match. If there are several records, it is that none matches.
func (p *Parameter) compare(values []any, reversed bool) store.Condition {
	if p.Through == "" {
		return p.compareOwn(values, reversed)
	}
	if p.Path.Fields[0].Reference.Many {
		return store.Condition{Through: p.Through, Any: listsOf(p.compareOwn(values, false)), Not: reversed}
	}
	through := store.Condition{Through: p.Through, Any: listsOf(p.compareOwn(values, reversed))}
	if !reversed {
		return through
	}
	isNull := store.Condition{Fields: []string{p.Through}, Operator: store.Exists, Values: []any{false}}
	return join([]store.Condition{isNull, through}, true)
}

// compareOwn returns the condition on the field in the record that has it.
func (p *Parameter) compareOwn(values []any, reversed bool) store.Condition {
	compare := func(operator store.Operator, not bool, values ...any) store.Condition {
		return store.Condition{Fields: p.fields, Operator: operator, Values: values, Not: not}
	}
	switch {
	case p.Between:
		ends := []store.Condition{compare(store.GreaterEqual, reversed, values[0]), compare(store.LessEqual, reversed, values[1])}
		return join(ends, reversed)
	case len(values) == 0 && (p.Operator == store.NotEqual) == reversed: // no value matches
		return join(nil, true)
	case len(values) == 0: // every value matches, and null; but not for a caller who may not see it
		return join([]store.Condition{compare(store.Exists, false, true), compare(store.Exists, false, false)}, true)
	case p.Operator == store.Exists:
		return compare(store.Exists, false, values[0] != any(reversed))
	case reversed && p.Operator == store.Equal:
		return compare(store.NotEqual, false, values...)
	case reversed && p.Operator == store.NotEqual:
		return compare(store.Equal, false, values...)
	}
	return compare(p.Operator, reversed, values...)
}

// join returns a condition that holds if all parts hold, or if any does. Parts of the same form become one list, so that
// conditions are nested as little as possible.
func join(parts []store.Condition, isAny bool) store.Condition {
	lists := [][]store.Condition{}
	if !isAny {
		lists = append(lists, nil) // an empty list matches every record
	}
	for _, part := range parts {
		switch {
		case isAny && isList(part) && len(part.Any[0]) == 0: // which every record matches
			return part
		case isAny:
			lists = append(lists, listsOf(part)...)
		case isList(part):
			lists[0] = append(lists[0], part.Any[0]...)
		default:
			lists[0] = append(lists[0], part)
		}
	}
	if len(lists) == 1 && len(lists[0]) == 1 {
		return lists[0][0]
	}
	return store.Condition{Any: lists}
}

// listsOf returns lists of conditions of which one must match where a condition must.
func listsOf(c store.Condition) [][]store.Condition {
	if isGroup(c) {
		return c.Any
	}
	return [][]store.Condition{{c}}
}

func isGroup(c store.Condition) bool { return c.Any != nil && c.Through == "" && !c.Not }

// isList reports whether a condition is a single list of conditions.
func isList(c store.Condition) bool { return isGroup(c) && len(c.Any) == 1 }

// unknownWord is a name in a tree that is not a field, or not an operator of a field.
type unknownWord struct {
	name string
	of   *TreeField // nil for a field
}

// describe returns the message about the name, and the names that the caller may use.
func (u *unknownWord) describe(s *Set, sees func(path string) bool) (message string, allowed []string) {
	what := "field"
	if u.of != nil {
		what = "operator"
	} else {
		allowed = words()
	}
	if u.of != nil && sees(u.of.Path.Name) {
		for _, p := range u.of.Operators {
			allowed = append(allowed, p.Word)
		}
	}
	for _, f := range s.Tree {
		if u.of == nil && sees(f.Path.Name) {
			allowed = append(allowed, f.Path.Name)
		}
	}
	return "Unknown " + what + ` "` + model.Shorten(u.name, maxShownName) + `" in filter` + naming.DidYouMean(u.name, allowed), allowed
}
