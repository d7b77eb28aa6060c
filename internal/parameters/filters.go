package parameters

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// bounds are the parameters of the filter range, in order, by the operator in brackets.
var bounds = []struct {
	name     string
	operator store.Operator
}{
	{"gt", store.Greater},
	{"gte", store.GreaterEqual},
	{"lt", store.Less},
	{"lte", store.LessEqual},
}

// addIdentifier adds an exact filter for each field of the identifier, with or without a tag. An existing parameter
// of the same name takes precedence.
func (s *Set) addIdentifier(record *model.Struct) {
	for _, f := range record.Identifier().Fields() {
		path := model.Path{Name: f.Name, Fields: []*model.Field{f}}
		if !s.shows(path) || slices.ContainsFunc(s.List, func(p *Parameter) bool { return p.Name == f.Name && !p.Header }) {
			continue
		}
		s.addFilter(path, "exact")
	}
}

// scalarOf returns the codec for single values of a field, or for the elements of a list of keys. It is nil for fields
// with objects, of which a filter asks only whether they exist.
func scalarOf(f *model.Field) *codec.Scalar {
	for each := range f.Type.Within() {
		if each.Kind == model.Object {
			return nil
		}
	}
	if f.Type.ListsKeys() {
		return codec.CompileScalar(f.Type.Elem, f.Shown())
	}
	return codec.CompileScalar(f.Type, f.Shown())
}

// addFilter adds the parameters of one word of the tag filter.
func (s *Set) addFilter(path model.Path, word string) {
	through, rest := cut(path)
	p := Parameter{Kind: Filter, Name: path.Name, Word: word, Path: path, Through: through, fields: []string{rest.Name}, read: readFilter}
	p.scalar, p.Allowed, p.Layout = scalarOf(path.Leaf()), enumeration(path.Leaf()), path.Leaf().Rules.Layout()
	if path.Leaf().Type.ListsKeys() || path.Leaf().Filters == nil { // one of its elements matches, or it is the identifier
		p.Operator, p.Many = store.Equal, true
		s.add(&p)
		return
	}
	switch word {
	case "range":
		p.Allowed = nil // a bound may lie between the values of an enumeration
		for _, bound := range bounds {
			one := p
			one.Name, one.Word, one.Operator = path.Name+"["+bound.name+"]", bound.name, bound.operator
			s.add(&one)
		}
		p.Name, p.Word, p.Between, p.read = path.Name+"[between]", "between", true, readBetween
		s.add(&p)
	case "exists":
		p.Name, p.Operator, p.Allowed, p.scalar = "exists["+path.Name+"]", store.Exists, nil, switches
		s.add(&p)
	case "exact":
		p.Operator, p.Many = store.Equal, true
		if path.Leaf().Type.Kind == model.Bool && !rest.Nullable() { // there are only two values
			p.Many = false
			s.add(&p)
			return
		}
		s.add(&p)
		other := p
		other.Name, other.Word, other.Operator = path.Name+"[ne]", "ne", store.NotEqual
		s.add(&other)
	default:
		p.Operator, _ = filter.SearchOf(word)
		p.Many, p.Allowed, p.scalar = true, nil, texts
		s.add(&p)
	}
}

// enumeration returns the values that the rule oneof allows for the field, nil without it. A filter by another
// value could never match, so it is rejected.
func enumeration(f *model.Field) []string {
	rules, t := f.Rules, f.Type
	if t.ListsKeys() && rules.Elem != nil {
		rules, t = *rules.Elem, t.Elem
	}
	rule, ok := rules.Find("oneof")
	if ok && (t.Kind == model.String || t.Kind.IsInteger()) {
		return rule.Words()
	}
	return nil
}

// where adds a condition. A record matches if it has any of the values of one parameter, and matches all
// parameters. The index of the condition is kept, because a search would be slow for many values.
func (r *reading) where(p *Parameter, operator store.Operator, value any) {
	where := &r.values.Query.Where
	if p.Through != "" {
		where = conditionsOn(&r.values.Query, p.Through)
	}
	if at := r.conditions[p.index]; p.Many && at > 0 {
		condition := &(*where)[at-1]
		condition.Values = append(condition.Values, value)
		return
	}
	*where = append(*where, store.Condition{Fields: p.fields, Operator: operator, Values: []any{value}})
	r.conditions[p.index] = len(*where)
}

// readFilter reads a value to compare with.
func readFilter(r *reading, p *Parameter, text string) error {
	value, err := p.value(text, p.Operator)
	if err == nil {
		r.where(p, p.Operator, value)
	}
	return err
}

// listed returns a value that was read, or an error if an enumeration does not have it. It is compared afterwards, because
// 1.0 is 1.
func (p *Parameter) listed(value any, err error) (any, error) {
	if p.Allowed != nil && (err != nil || !slices.Contains(p.Allowed, fmt.Sprint(value))) {
		return nil, errors.New("must be one of: " + strings.Join(p.Allowed, ", "))
	}
	return value, err
}

// readBetween reads two inclusive bounds.
func readBetween(r *reading, p *Parameter, text string) error {
	low, high, ok := strings.Cut(text, "..")
	if !ok {
		return errors.New("must have the form lower..upper")
	}
	from, err := p.value(low, store.GreaterEqual)
	if err != nil {
		return fmt.Errorf("has an invalid value before the ..: it %w", err)
	}
	to, err := p.value(high, store.LessEqual)
	if err != nil {
		return fmt.Errorf("has an invalid value after the ..: it %w", err)
	}
	r.where(p, store.GreaterEqual, from)
	r.where(p, store.LessEqual, to)
	return nil
}

// value reads the text of a value to compare with. For a time, a date means the day in UTC: less than it is before the day,
// greater is after it, and equal is its first instant.
func (p *Parameter) value(text string, operator store.Operator) (any, error) {
	leaf := p.Path.Leaf()
	switch isSearch := filter.Searches(operator); {
	case isSearch && text == "" && operator != store.EqualFold: // it is part of every other string
		return nil, errors.New("must not be empty")
	case isSearch, operator == store.Exists:
		return p.scalar.Parse(text)
	}
	if p.Layout != "" { // a string that is not such a date could match no record
		if _, ok := codec.ParseDate(p.Layout, text); !ok && (text != "" || !leaf.Rules.OmitEmpty) {
			return nil, errors.New("must be a date or time in the format " + p.Layout)
		}
	}
	if leaf.Type.Kind != model.Time {
		return p.listed(p.scalar.Parse(text))
	}
	full := text
	if isDate := len(text) == len(time.DateOnly); isDate && (operator == store.Greater || operator == store.LessEqual) {
		full += "T23:59:59.999999999Z"
	} else if isDate {
		full += "T00:00:00Z"
	}
	value, err := p.scalar.Parse(full)
	if err == nil {
		return value, nil
	}
	if err = p.orDate(err); strings.Contains(text, " ") {
		err = fmt.Errorf("%w; encode + as %%2B in the URL", err)
	}
	return nil, err
}

// orDate completes the error for a value of another type, for a filter that also takes a date as a time.
func (p *Parameter) orDate(err error) error {
	if err == nil || p.Kind != Filter || p.Operator == store.Exists || p.Path.Leaf().Type.Kind != model.Time {
		return err
	}
	return fmt.Errorf("%w, or a date such as %s", err, time.DateOnly)
}

// readFullText reads a query of a full-text search. One without words matches every record.
func readFullText(r *reading, p *Parameter, text string) error {
	if err := checkSearched(text); err != nil {
		return err
	}
	alternatives, err := fulltext.Parse(text)
	var lists [][]store.Condition
	for _, terms := range alternatives {
		var all []store.Condition
		for _, term := range terms {
			all = append(all, store.Condition{Fields: p.Allowed, Operator: store.FullText, Values: []any{term.Text}, Not: term.Not})
		}
		lists = append(lists, all)
	}
	switch len(lists) {
	case 0:
	case 1:
		r.values.Query.Where = append(r.values.Query.Where, lists[0]...)
	default:
		r.values.Query.Where = append(r.values.Query.Where, store.Condition{Any: lists})
	}
	return err
}

// checkSearched returns an error for a text that cannot be searched for.
func checkSearched(text string) error {
	if n := utf8.RuneCountInString(text); n == 0 || n > MaxSearch {
		return fmt.Errorf("must be 1 to %d characters long", MaxSearch)
	}
	// No record can have text that is not UTF-8 or contains U+0000, and a database would return its own error.
	_, err := codec.AppendLiteral(nil, model.String, text)
	return err
}

// readSearch requires each word to occur in one of the fields, so that more words find less.
func readSearch(r *reading, p *Parameter, text string) error {
	if err := checkSearched(text); err != nil {
		return err
	}
	// A search for spaces alone has no words and matches every record.
	for word := range strings.FieldsSeq(text) {
		r.values.Query.Where = append(r.values.Query.Where, store.Condition{
			Fields: p.Allowed, Operator: store.Contains, Values: []any{word},
		})
	}
	return nil
}
