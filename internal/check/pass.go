package check

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// pass is one walk through a record.
type pass struct {
	compiler *Compiler
	decoded  codec.Decoded
	explicit bool // only through what the body has with an empty value
	found    []validation.Violation
	steps    []step // to the value that is checked
}

// step leads from a value into it: to a field, an element, or an entry of a map.
type step struct {
	field *model.Field
	index int
	key   string
	kind  model.Kind // of what the step is into: Object, List or Map
}

// object checks the fields of a struct.
func (p *pass) object(o *object, v reflect.Value) {
	depth := len(p.steps)
	p.steps = append(p.steps, step{kind: model.Object})
	for i := range o.members {
		m := &o.members[i]
		p.steps[depth].field = m.field
		if !p.explicit || p.isExplicit() {
			p.value(m.value, m.of(v), p.explicit)
		}
	}
	p.steps = p.steps[:depth]
}

// value checks a value up to the first rule that it breaks, then what is in it.
func (p *pass) value(of *value, v reflect.Value, inBody bool) {
	if of.nullable {
		if v.IsNil() {
			if of.absence == never && len(of.rules) > 0 {
				p.tell(&of.rules[0].told)
			}
			return
		}
		v = v.Elem()
	}
	if of.absence != never && of.isAbsent(v, inBody) {
		return
	}
	for i := range of.rules {
		if told := p.compiler.broken(&of.rules[i], v); told != nil {
			p.tell(told)
			return
		}
	}
	switch {
	case of.object != nil:
		p.object(of.object, v)
	case of.kind == model.Map && (of.elem != nil || of.keys != nil):
		p.entries(of, v)
	case of.elem != nil:
		p.elements(of, v)
	}
}

// isAbsent reports whether a value is let pass. Behind a pointer only a list or map can
// be absent.
func (of *value) isAbsent(v reflect.Value, inBody bool) bool {
	if of.absence == notInABody && inBody {
		return false
	}
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return v.IsNil()
	}
	return !of.nullable && v.IsZero()
}

func (p *pass) elements(of *value, v reflect.Value) {
	depth := len(p.steps)
	p.steps = append(p.steps, step{kind: model.List})
	for i := range v.Len() {
		p.steps[depth].index = i
		p.value(of.elem, v.Index(i), false)
	}
	p.steps = p.steps[:depth]
}

// entries checks a map: of each entry the key, then the value.
func (p *pass) entries(of *value, v reflect.Value) {
	depth := len(p.steps)
	p.steps = append(p.steps, step{kind: model.Map})
	for entry := v.MapRange(); entry.Next(); {
		p.steps[depth].key = entry.Key().String()
		if of.keys != nil {
			p.value(of.keys, entry.Key(), false)
		}
		if of.elem != nil {
			p.value(of.elem, entry.Value(), false)
		}
	}
	p.steps = p.steps[:depth]
}

// tell adds the violation of the value at hand.
func (p *pass) tell(told *template) {
	path, leaf := p.names()
	if isTold(p.found, path) || p.decoded.Mistyped && p.isReadOnly() {
		return
	}
	if p.found == nil {
		p.found = make([]validation.Violation, 0, 8)
	}
	p.found = append(p.found, told.violation(path, leaf))
}

// names returns the path of the value at hand, and the last part of it.
func (p *pass) names() (path, leaf string) {
	if len(p.steps) == 1 {
		return p.steps[0].field.Name, p.steps[0].field.Name
	}
	var text []byte
	begin := 0
	for i, s := range p.steps {
		if s.kind == model.Object {
			if i > 0 {
				text = append(text, '.')
			}
			begin = len(text)
			text = append(text, s.field.Name...)
			continue
		}
		text = s.appendBrackets(text)
	}
	path = string(text)
	return path, path[begin:]
}

func (s *step) appendBrackets(text []byte) []byte {
	text = append(text, '[')
	if s.kind == model.Map {
		text = append(text, s.key...)
	} else {
		text = strconv.AppendInt(text, int64(s.index), 10)
	}
	return append(text, ']')
}

func (p *pass) isReadOnly() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.kind == model.Object && s.field.ReadOnly })
}

// isExplicit reports whether the body has the field at hand with an empty value, or
// one in it.
func (p *pass) isExplicit() bool {
	var room [64]byte
	path := room[:0]
	for i, s := range p.steps {
		if s.kind != model.Object {
			path = s.appendBrackets(path)
			continue
		}
		if i > 0 {
			path = append(path, '.')
		}
		path = append(path, s.field.GoPath...)
	}
	return slices.ContainsFunc(p.decoded.Empty, func(e codec.Empty) bool {
		return e.GoPath == string(path) || isBelow(e.GoPath, string(path))
	})
}
