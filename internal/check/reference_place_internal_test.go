package check

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// place is the field, the type and the rules of a value.
type place struct {
	owner    *model.Struct
	field    *model.Field
	typ      *model.Type
	rules    model.Rules // for the value
	readOnly bool        // the value or something around it is read-only
}

// unescaped is how validator names alternatives.
var unescaped = strings.NewReplacer("0x2C", ",", "0x7C", "|")

// constraint returns the rule with validator's tag and param. Validator names alternatives by their whole text, and
// parameters as given.
func (p place) constraint(tag, param string) model.Constraint {
	rules := p.rules.All
	for level := &p.field.Rules; level != nil; level = level.Elem {
		if level.Keys != nil {
			rules = append(slices.Clone(rules), level.Keys.All...)
		}
	}
	for _, c := range rules {
		if c.Or != nil && unescaped.Replace(render(c)) == tag || c.Name == tag && c.Param == param {
			return c
		}
	}
	return model.Constraint{Name: tag, Param: param}
}

// search finds the value of a record for a path of Go names from validator, such as "Order.Lines[1].Count". Keys of
// maps may contain anything, so the record decides which value has the path. It visits no value twice.
type search struct {
	place

	segments []model.Segment
	unread   bool // within a value whose tags Trove does not read, because its fields are not in JSON
}

// locate searches a record. If it finds nothing, validator has named something that the model does not know, which
// is a bug in Trove.
func locate(root *model.Struct, record reflect.Value, namespace string) (*search, bool) {
	if name := root.Go.Name(); name != "" {
		namespace = strings.TrimPrefix(namespace, name+".")
	}
	s := &search{}
	return s, s.inStruct(root, record, namespace)
}

// inStruct continues at a field of a struct. If names share a prefix, the one followed by '.' or '[' wins.
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

// inValue continues inside a value, or ends there.
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

// inMap continues at the entry whose key is in the brackets, usually the text up to the first bracket.
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

// inElement continues at an element or an entry. If the path does not lead there, nothing has changed.
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

// compareKeys orders two paths by the first key of a map in which they differ, because validator iterates maps in
// random order. Everything else is in order.
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
