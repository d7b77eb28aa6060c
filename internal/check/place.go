package check

import (
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// place is a value in a record.
type place struct {
	path     string       // by JSON names: "lines[1].count"
	leaf     string       // the last part of it: "count", "tags[1]"
	top      *model.Field // of the record, that the value is or is in
	owner    *model.Struct
	field    *model.Field
	typ      *model.Type
	rules    validation.Rules // of the value
	readOnly bool             // it, or something it is in, is read-only
}

// constraint returns the rule that validator calls by tag and param.
func (p place) constraint(tag, param string) validation.Constraint {
	for _, rules := range []*validation.Rules{&p.rules, p.field.Rules.Keys} {
		if rules == nil {
			continue
		}
		for _, c := range rules.All {
			if c.Or != nil && render(c) == tag || c.Name == tag && c.Param == param {
				return c
			}
		}
	}
	return validation.Constraint{Name: tag, Param: param}
}

// locate finds the value that validator names by a path of Go's names, such as
// "Order.Lines[1].Count".
func locate(root *model.Struct, namespace string) (place, bool) {
	if name := root.Go.Name(); name != "" {
		namespace = strings.TrimPrefix(namespace, name+".")
	}
	return place{}.inStruct(root, namespace)
}

// inStruct goes on at a field of a struct.
func (p place) inStruct(s *model.Struct, rest string) (place, bool) {
	for _, f := range s.Fields {
		after, ok := strings.CutPrefix(rest, f.GoPath)
		if !ok || after != "" && after[0] != '.' && after[0] != '[' {
			continue
		}
		next := place{
			path: join(p.path, f.Name), leaf: f.Name, owner: s, field: f, typ: f.Type,
			rules: f.Rules, readOnly: p.readOnly || f.ReadOnly,
		}
		if next.top = p.top; next.top == nil {
			next.top = f
		}
		return next.inValue(after)
	}
	return place{}, false
}

// inValue goes on inside of a value, or ends there.
func (p place) inValue(rest string) (place, bool) {
	switch {
	case rest == "":
		return p, true
	case rest[0] == '.' && p.typ.Kind == model.Object:
		return p.inStruct(p.typ.Struct, rest[1:])
	case rest[0] == '[' && p.typ.Elem != nil:
		return p.inElement(rest)
	}
	return place{}, false
}

// inElement goes on at an element. A map's key may have brackets in it, so that the
// bracket that ends it is the first one behind which the path can go on.
func (p place) inElement(rest string) (place, bool) {
	for end := 1; end < len(rest); end++ {
		if rest[end] != ']' {
			continue
		}
		next := p
		next.path, next.leaf = p.path+rest[:end+1], p.leaf+rest[:end+1]
		next.typ, next.rules = p.typ.Elem, validation.Rules{}
		if p.rules.Elem != nil {
			next.rules = *p.rules.Elem
		}
		if found, ok := next.inValue(rest[end+1:]); ok {
			return found, true
		}
	}
	return place{}, false
}

// join puts a member's name behind a path.
func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
