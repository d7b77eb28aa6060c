package check

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// pass is one walk through a record.
type pass struct {
	compiler *Compiler
	decoded  codec.Decoded
	explicit bool  // only through what the body has with an empty value
	empty    paths // the Go paths of that, where they are many
	report
}

// trail leads from a record to the value that is checked. It is handed on instead of kept
// in the pass, so that it needs no memory of its own.
type trail []step

// step leads from a value into it: to a field, an element, or an entry of a map.
type step struct {
	field *model.Field
	index int
	key   string
	kind  model.Kind // of what the step is into: Object, List or Map
}

// object checks the fields of a struct.
func (p *pass) object(o *object, v reflect.Value, at trail) {
	at = append(at, step{kind: model.Object})
	last := &at[len(at)-1]
	for i := range o.members {
		m := &o.members[i]
		last.field = m.field
		if !p.explicit || p.isExplicit(at) {
			p.value(m.value, m.of(v), p.explicit, at)
		}
	}
}

// value checks a value up to the first rule that it breaks, then what is in it.
func (p *pass) value(of *value, v reflect.Value, inBody bool, at trail) {
	if of.nullable {
		if v.IsNil() {
			p.null(of, at)
			return
		}
		v = v.Elem()
	}
	if of.absence != never && of.isAbsent(v, inBody) {
		return
	}
	for i := range of.rules {
		r, said := &of.rules[i], unknown
		if r.judge != nil {
			said = r.judge(v)
		}
		if said == follows {
			continue
		}
		if told := p.compiler.broken(r, v, said); told != nil {
			p.tell(told, at)
			return
		}
	}
	switch {
	case of.object != nil:
		p.object(of.object, v, at)
	case of.elem == nil && of.keys == nil:
	case of.kind == model.Map:
		p.entries(of, v, at)
	default:
		p.elements(of, v, at)
	}
}

// null tells what null breaks where it is not let pass: the first rule, whatever it is.
func (p *pass) null(of *value, at trail) {
	if of.absence == never && len(of.rules) > 0 {
		p.tell(&of.rules[0].told, at)
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

func (p *pass) elements(of *value, v reflect.Value, at trail) {
	at = append(at, step{kind: model.List})
	last := &at[len(at)-1]
	for i := range v.Len() {
		last.index = i
		p.value(of.elem, v.Index(i), false, at)
	}
}

// entries checks a map: of each entry the key, then the value.
func (p *pass) entries(of *value, v reflect.Value, at trail) {
	at = append(at, step{kind: model.Map})
	last := &at[len(at)-1]
	for entry := v.MapRange(); entry.Next(); {
		last.key = entry.Key().String()
		if of.keys != nil {
			p.value(of.keys, entry.Key(), false, at)
		}
		if of.elem != nil {
			p.value(of.elem, entry.Value(), false, at)
		}
	}
}

// tell adds the violation of the value at the end of a trail.
func (p *pass) tell(told *template, at trail) {
	path, leaf := at.names()
	if p.isTold(path) || p.decoded.Mistyped && at.isReadOnly() {
		return
	}
	p.add(told.violation(path, leaf))
}

// names returns the path of the value, and the last part of it.
func (at trail) names() (path, leaf string) {
	if len(at) == 1 {
		return at[0].field.Name, at[0].field.Name
	}
	var room [64]byte
	text, begin := room[:0], 0
	for i, s := range at {
		if s.kind != model.Object {
			text = s.appendBrackets(text)
			continue
		}
		if i > 0 {
			text = append(text, '.')
		}
		begin = len(text)
		text = append(text, s.field.Name...)
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

func (at trail) isReadOnly() bool {
	return slices.ContainsFunc(at, func(s step) bool { return s.kind == model.Object && s.field.ReadOnly })
}

// begin makes the pass one through what the body has with an empty value.
func (p *pass) begin() {
	p.explicit = true
	if len(p.decoded.Empty) > few {
		for _, e := range p.decoded.Empty {
			p.empty.add(e.GoPath)
		}
	}
}

// isExplicit reports whether the body has the field with an empty value, or one in it.
func (p *pass) isExplicit(at trail) bool {
	path := at[0].field.GoPath
	if len(at) > 1 {
		path = at.goPath()
	}
	if p.empty.exact != nil {
		return p.empty.leadTo(path)
	}
	return slices.ContainsFunc(p.decoded.Empty, func(e codec.Empty) bool { return e.GoPath == path || isBelow(e.GoPath, path) })
}

func (at trail) goPath() string {
	var path []byte
	for i, s := range at {
		if s.kind != model.Object {
			path = s.appendBrackets(path)
			continue
		}
		if i > 0 {
			path = append(path, '.')
		}
		path = append(path, s.field.GoPath...)
	}
	return string(path)
}
