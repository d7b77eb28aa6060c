package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// pass is one walk through a record. It extends the report of the decoder, so that a value of the wrong type is not
// also reported for breaking a rule.
type pass struct {
	model.Report

	scope
	mistyped bool
	view     *model.View // of the body; nil for none
	explicit bool        // visit only what the body sends with an empty value
	sorted   bool        // visit maps in the order of their keys, because something in them is broken
	trying   bool        // find out whether anything is broken, without reporting it
	blank    bool        // the record is new, so rules about other fields do not count
	broken   bool        // set while trying
}

// structure checks the fields of a struct.
func (p *pass) structure(o *structRules, v reflect.Value, at *model.Trail) {
	if len(o.members) == 0 {
		return
	}
	outer := p.owner
	p.owner = v
	// One segment is reused for all fields, which is cheaper than adding and removing one each time.
	at.ToField(nil)
	for i := range o.members {
		m := &o.members[i]
		at.NextField(m.field)
		if !p.explicit || p.IsEmptyAt(at) {
			p.value(m.value, m.field.Value(v), p.explicit, at)
		}
	}
	at.Up()
	p.owner = outer
}

// value checks a value up to the first broken rule: one violation is enough to fix it, and later ones often follow
// from the first. If none is broken, it checks what the value contains.
func (p *pass) value(of *valueRules, v reflect.Value, inBody bool, at *model.Trail) {
	if p.broken {
		return
	}
	isNull := false
	switch {
	case of.opaque != nil:
		v, _ = extract(v)
		isNull = !v.IsValid() || v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface
	case of.nullable:
		if isNull = v.IsNil(); !isNull {
			v = v.Elem()
		}
	}
	if of.conditions != nil && !p.conditions(of, v, inBody, at) {
		return
	}
	if isNull {
		p.null(of, inBody, at)
		return
	}
	// omitempty skips empty values, but a client that sends "" has not left it out: if inBody, the value is checked.
	if of.absence != never && of.isAbsent(v, inBody) {
		return
	}
	for i := range of.rules {
		if r := &of.rules[i]; r.judge != nil && !r.judge(v) || r.judge == nil && !p.holdsIn(r, v, at) {
			p.report(&r.broken, at)
			return
		}
	}
	switch {
	case of.opaque != nil && v.Type() != of.opaque: // a value of another type than the declared one has no rules
	case of.object != nil:
		p.structure(of.object, v, at)
	case of.elem == nil && of.keys == nil:
	case of.kind == model.Map:
		p.entries(of, v, at)
	default:
		p.elements(of, v, at)
	}
}

// conditions runs the rules that an absent value can break, and reports whether all hold. A field that the body
// sends is present unless it is null.
func (p *pass) conditions(of *valueRules, v reflect.Value, inBody bool, at *model.Trail) bool {
	for i := range of.conditions {
		r := &of.conditions[i]
		isRequired := strings.HasPrefix(r.broken.code, "required_")
		if isRequired && inBody && (!of.nullable || of.kind == model.Any) {
			continue
		}
		if !p.holdsIn(r, v, at) {
			p.report(&r.broken, at)
			return false
		}
	}
	return true
}

// null reports that a null of a required field breaks its first rule, because there is no value to check. A rule
// that wants the field empty holds; if a condition still requires the field, the next rule is reported.
func (p *pass) null(of *valueRules, inBody bool, at *model.Trail) {
	if of.absence != never && (of.absence != notInABody || !inBody) {
		return
	}
	for i := range of.rules {
		if broken := &of.rules[i].broken; broken.code != "isdefault" {
			p.report(broken, at)
			return
		} else if of.conditions == nil {
			return
		}
	}
}

// holdsIn runs a contextual rule for the value at the end of the trail.
func (p *pass) holdsIn(r *rule, v reflect.Value, at *model.Trail) bool {
	in := p.scope
	if r.isOwn {
		in.within = at.Segments()
	}
	return r.judgeIn(in, v)
}

// isAbsent reports whether omitempty skips a value. Behind a pointer, only a list or map can be absent.
func (of *valueRules) isAbsent(v reflect.Value, inBody bool) bool {
	if of.absence == notInABody && inBody {
		return false
	}
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return v.IsNil()
	}
	// A zero behind a pointer was set explicitly.
	return !of.nullable && v.IsZero()
}

// elements checks a list. inBody is false for elements, so omitempty skips empty ones.
func (p *pass) elements(of *valueRules, v reflect.Value, at *model.Trail) {
	at.ToElement(0)
	for i := range v.Len() {
		at.NextElement(i)
		p.value(of.elem, v.Index(i), false, at)
	}
	at.Up()
}

// entries checks a map: for each entry the key, then the value. Violations come in the order of keys, so that equal
// requests get equal responses. Most maps break nothing, so entries are first tried unsorted, and sorted only if
// something is broken.
func (p *pass) entries(of *valueRules, v reflect.Value, at *model.Trail) {
	if v.Len() <= 1 || p.trying || p.sorted {
		p.eachEntry(of, v, at)
		return
	}
	p.trying = true
	p.eachEntry(of, v, at)
	p.sorted = p.broken
	if p.trying, p.broken = false, false; p.sorted {
		p.eachEntry(of, v, at)
		p.sorted = false
	}
}

func (p *pass) eachEntry(of *valueRules, v reflect.Value, at *model.Trail) {
	at.ToEntry("")
	if p.sorted {
		for _, key := range sortedKeys(v) {
			p.entry(of, key, v.MapIndex(key), at)
		}
	} else {
		for entry := v.MapRange(); entry.Next() && !p.broken; {
			p.entry(of, entry.Key(), entry.Value(), at)
		}
	}
	at.Up()
}

// The key comes first: an invalid key explains more than what is wrong below it.
func (p *pass) entry(of *valueRules, key, v reflect.Value, at *model.Trail) {
	at.NextEntry(key.String())
	if of.keys != nil {
		p.value(of.keys, key, false, at)
	}
	if of.elem != nil {
		p.value(of.elem, v, false, at)
	}
}

// sortedKeys returns the keys of a map in their order.
func sortedKeys(v reflect.Value) []reflect.Value {
	return slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
}

// report adds the violation of the value at the end of a trail, unless the value has one. After a wrong type, hooks
// have not run, so the client is not blamed for values that they would set.
func (p *pass) report(broken *template, at *model.Trail) {
	switch {
	case p.trying:
		p.broken = p.broken || !p.blank || !broken.compiler.rules[broken.code].fields
	// One violation per value: the decoder's comes first, because a rule would check the previous value. A zero that
	// the body sends is not missing.
	case p.IsReported(at) || p.mistyped && !at.IsWritable(p.view) || broken.presence && p.IsItselfEmptyAt(at):
	case p.Full():
		p.Skip(at)
	default:
		p.AddAt(at, broken.violation(at))
	}
}
