package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// pass is one walk through a record. It is a report that grows: what the decoder found is in
// it already, so that a value which has the wrong type is not told to break a rule too.
type pass struct {
	model.Report

	scope
	mistyped bool
	view     *model.View // of the body; nil for none
	explicit bool        // only through what the body has with an empty value
	sorted   bool        // maps by their keys, for something in them is broken
	trying   bool        // whether anything is broken, without telling it
	blank    bool        // a new record is tried, which lacks what rules about other fields look at
	broken   bool        // something is, while trying
}

// structure checks the fields of a struct.
func (p *pass) structure(o *structRules, v reflect.Value, at *model.Trail) {
	if len(o.members) == 0 {
		return
	}
	outer := p.owner
	p.owner = v
	// The segment is made once and changed for each field, which is less than adding and taking it away.
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

// value checks a value up to the first rule that it breaks: one violation a value is enough
// to mend it, and later rules often follow from the first. Without any, it checks what is in
// it.
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
	// omitempty is about what the tags call empty, but a client that sends "" has not left it out: with
	// inBody it is judged like any other value.
	if of.absence != never && of.isAbsent(v, inBody) {
		return
	}
	for i := range of.rules {
		if r := &of.rules[i]; r.judge != nil && !r.judge(v) || r.judge == nil && !p.holdsAround(r, v, at) {
			p.tell(&r.told, at)
			return
		}
	}
	switch {
	case of.opaque != nil && v.Type() != of.opaque: // what is in another value than the declared one has no rules
	case of.object != nil:
		p.structure(of.object, v, at)
	case of.elem == nil && of.keys == nil:
	case of.kind == model.Map:
		p.entries(of, v, at)
	default:
		p.elements(of, v, at)
	}
}

// conditions asks the rules that an absent value can break, and reports whether all hold. A member that the
// body has is not missing, unless it is null.
func (p *pass) conditions(of *valueRules, v reflect.Value, inBody bool, at *model.Trail) bool {
	for i := range of.conditions {
		r := &of.conditions[i]
		isRequired := strings.HasPrefix(r.told.code, "required_")
		if isRequired && inBody && (!of.nullable || of.kind == model.Any) {
			continue
		}
		if !p.holdsAround(r, v, at) {
			p.tell(&r.told, at)
			return false
		}
	}
	return true
}

// null reports that a null of a required field breaks the first of its rules, because there is no value to judge. A
// rule that wants the field empty holds; if a condition requires the field all the same, the next rule is reported.
func (p *pass) null(of *valueRules, inBody bool, at *model.Trail) {
	if of.absence != never && (of.absence != notInABody || !inBody) {
		return
	}
	for i := range of.rules {
		if told := &of.rules[i].told; told.code != "isdefault" {
			p.tell(told, at)
			return
		} else if of.conditions == nil {
			return
		}
	}
}

// holdsAround asks a rule that looks around the value at the end of the trail.
func (p *pass) holdsAround(r *rule, v reflect.Value, at *model.Trail) bool {
	in := p.scope
	if r.isOwn {
		in.within = at.Segments()
	}
	return r.around(in, v)
}

// isAbsent reports whether omitempty lets a value pass. Behind a pointer only a list or map
// can be absent: the pointer itself says of others whether they are there.
func (of *valueRules) isAbsent(v reflect.Value, inBody bool) bool {
	if of.absence == notInABody && inBody {
		return false
	}
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return v.IsNil()
	}
	// A zero behind a pointer is a value: the pointer is how a client says that it is there.
	return !of.nullable && v.IsZero()
}

// Elements are never "in the body with an empty value" by themselves, hence false: omitempty on
// them lets an empty one be.
func (p *pass) elements(of *valueRules, v reflect.Value, at *model.Trail) {
	at.ToElement(0)
	for i := range v.Len() {
		at.NextElement(i)
		p.value(of.elem, v.Index(i), false, at)
	}
	at.Up()
}

// entries checks a map: of each entry the key, then the value. Violations are told in the
// order of the keys, so that equal requests get equal answers. Sorting takes memory, and most
// maps break nothing: they are tried as they come first, and gone through once more in
// order if something is broken. Maps in maps are not tried again while that is done.
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

// The key first: a name that is not allowed says more than what is wrong below it.
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

// tell adds the violation of the value at the end of a trail, unless one was told there. With
// a wrong type in the body, hooks have not run, and what they would have set is not held
// against the client.
func (p *pass) tell(told *template, at *model.Trail) {
	switch {
	case p.trying:
		p.broken = p.broken || !p.blank || !told.compiler.rules[told.code].fields
	// One violation a place: what the decoder has told comes first, for a rule would judge what was
	// there before. A zero that the body has is not missing.
	case p.IsTold(at) || p.mistyped && !at.IsWritable(p.view) || told.presence && p.IsItselfEmptyAt(at):
	case p.Full():
		p.Skip(at)
	default:
		p.AddAt(at, told.violation(at))
	}
}
