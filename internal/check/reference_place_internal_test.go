package check

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

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
		s.segments = append(s.segments, model.Segment{Kind: model.ToField, Field: f})
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
