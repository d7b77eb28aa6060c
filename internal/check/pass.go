package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// pass is one walk through a record. It extends the report of the decoder, so that a value of the wrong type is not
// also reported for breaking a rule.
type pass struct {
	model.Report

	at       model.Location
	top      reflect.Value // a pointer to the record
	owner    reflect.Value // the struct with the field that is checked
	view     *model.View   // of the body; nil for none
	mistyped bool          // the body has wrong types
	explicit bool          // the body has empty values
	sparse   bool          // visit only those, because the struct around them is empty and may be absent
	sorted   bool          // visit maps in the order of their keys, because something in them is broken
	trying   bool          // find out whether anything is broken, without reporting it
	alone    bool          // skip rules that name other fields
	broken   *rule         // the first broken rule, while trying; nil for none
	err      error         // of a rule over structs
}

// structure checks the fields of a struct. omitempty accepts an absent value, but not an empty one that the body sends.
func (p *pass) structure(plan *structPlan, v reflect.Value) {
	outer := p.owner
	if p.owner = v; !outer.IsValid() && v.CanAddr() {
		p.top = v.Addr()
	}
	for _, f := range plan.fields {
		p.at.ToField(f.field)
		if inBody := p.explicit && p.IsEmptyAt(&p.at); inBody || !p.sparse {
			p.value(f, f.field.Value(v), inBody)
		}
		p.at.Up()
	}
	p.owner = outer
}

// value checks a value up to the first broken rule: one violation is enough to fix it, and later ones often follow
// from the first. If none is broken, it checks what the value contains. inBody reports whether the body sends it although
// it is empty.
func (p *pass) value(plan *valuePlan, v reflect.Value, inBody bool) {
	if p.broken != nil {
		return
	}
	isNull := false
	if plan.nullable {
		v = concrete(v)
		isNull = v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface
	}
	if !p.follows(plan.conditions, v, inBody, false) {
		return
	}
	mayBeAbsent := plan.optional && (!plan.byBody || !inBody)
	if mayBeAbsent && (isNull || !hasValue(v, plan.nullable)) || !p.follows(plan.rules, v, inBody, isNull) || isNull {
		return
	}
	switch {
	case plan.object != nil:
		outer := p.sparse
		p.sparse = outer || inBody && plan.optional && !hasValue(v, plan.nullable)
		p.structure(plan.object, v)
		p.sparse = outer
	case plan.elem == nil && plan.keys == nil:
	case plan.kind == model.Map:
		p.entries(plan, v)
	default:
		for i := range v.Len() {
			p.at.ToElement(i)
			p.value(plan.elem, v.Index(i), false) // omitempty skips empty elements
			p.at.Up()
		}
	}
}

// concrete returns a value without pointers and interfaces, or the nil behind them.
func concrete(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// follows runs rules until one is broken, which it reports. An explicit zero is present. For null there is no value to
// check: it breaks each rule but the one that wants the field empty.
func (p *pass) follows(rules []rule, v reflect.Value, inBody, isNull bool) bool {
	for i := range rules {
		r := &rules[i]
		isSkipped := p.alone && r.aboutFields || inBody && r.presence
		if isSkipped || isNull && r.code == "isdefault" || !isNull && r.holds(p, v) {
			continue
		}
		p.report(r)
		return false
	}
	return true
}

// entries checks a map. Violations come in the order of keys, so that equal requests get equal responses. Most maps break
// nothing, so entries are first tried unsorted, and sorted only if something is broken.
func (p *pass) entries(plan *valuePlan, v reflect.Value) {
	if v.Len() > 1 && !p.trying && !p.sorted {
		p.trying = true
		p.entries(plan, v)
		p.sorted = p.broken != nil
		if p.trying, p.broken = false, nil; !p.sorted {
			return
		}
		defer func() { p.sorted = false }()
	}
	entry := func(key, v reflect.Value) {
		p.at.ToEntry(key.String())
		if plan.keys != nil { // first, because an invalid key explains more than what is wrong below it
			p.value(plan.keys, key, false)
		}
		if plan.elem != nil {
			p.value(plan.elem, v, false)
		}
		p.at.Up()
	}
	if p.sorted {
		for _, key := range sortedKeys(v) {
			entry(key, v.MapIndex(key))
		}
	} else {
		for each := v.MapRange(); each.Next() && p.broken == nil; {
			entry(each.Key(), each.Value())
		}
	}
}

// sortedKeys returns the keys of a map in their order.
func sortedKeys(v reflect.Value) []reflect.Value {
	return slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
}

// report adds the violation of the value at the end of the location, unless the value has one: the decoder's comes first,
// because a rule would check the previous value. After a wrong type, hooks have not run, so the client is not blamed for
// values that they would set.
func (p *pass) report(r *rule) {
	switch {
	case p.trying:
		p.broken = r
	case p.IsReported(&p.at) || p.mistyped && !p.at.IsWritable(p.view):
	case p.Full():
		p.Skip(&p.at)
	default:
		p.AddAt(&p.at, r.violation(&p.at))
	}
}

// try returns the first rule that the value of a field breaks, without those that name other fields; nil for none. The
// error is that of a rule that panicked.
func (p *pass) try(plan *valuePlan, v reflect.Value, inBody bool) (broken *rule, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	p.trying, p.alone = true, true
	p.at.ToField(plan.field)
	p.value(plan, v, inBody)
	return p.broken, nil
}
