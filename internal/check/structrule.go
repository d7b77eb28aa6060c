package check

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// structRule is a user's rule over every struct of one type in a record.
type structRule struct {
	typ   reflect.Type
	check func(ctx context.Context, value any) error
	leads map[*model.Struct]bool // to a struct of the type: those that are one, or can hold one
}

// OverStruct is called by the Check of a rule that validation.Struct made.
func (r *structRule) OverStruct(of reflect.Type, check func(ctx context.Context, value any) error) {
	r.typ, r.check = of, check
}

// StructOf returns the type of the structs that a rule made by validation.Struct is about, nil for any other rule.
func StructOf(rule validation.Rule) reflect.Type { return structRuleOf(rule).typ }

// structRuleOf asks a rule without a name for its type. The Check of a user who has forgotten the name finds no field here,
// and may panic.
func structRuleOf(rule validation.Rule) (over structRule) {
	defer func() { _ = recover() }()
	if rule.Name == "" && rule.Check != nil {
		rule.Check(struct {
			*fieldLevel
			*structRule
		}{&fieldLevel{}, &over})
	}
	return over
}

// addStruct adds a rule over structs.
func (c *Compiler) addStruct(t reflect.Type, check func(context.Context, any) error) error {
	switch {
	case t.Kind() != reflect.Struct:
		return fmt.Errorf("validation.Struct is for %s; allowed: a struct", t)
	case check == nil:
		return fmt.Errorf("validation.Struct[%s] is given a nil function", t)
	}
	c.structs = append(c.structs, structRule{typ: t, check: check})
	return nil
}

// within returns the rule for the records of a struct, and whether one can have a struct of its type.
func (r structRule) within(reachable []*model.Struct) (rule structRule, found bool) {
	r.leads = map[*model.Struct]bool{}
	for _, s := range reachable {
		for t := range typeOf(s).Within() {
			r.leads[s] = r.leads[s] || t.Struct != nil && t.Struct.Go == r.typ
		}
	}
	return r, r.leads[reachable[0]]
}

// overStructs adds what the user's rules over structs find, wherever their struct is.
// These rules come last: they may rely on what the rules of members have made sure of.
func (k *Checker) overStructs(ctx context.Context, record any, found *model.Report) error {
	of := typeOf(k.root)
	if k.many {
		of = &model.Type{Kind: model.List, Elem: of}
	}
	for i := range k.structs {
		var at model.Trail
		if err := k.structs[i].walk(ctx, of, reflect.ValueOf(record).Elem(), &at, found); err != nil {
			return err
		}
	}
	return nil
}

// walk asks the rule about each struct of its type in a value, until it fails to judge.
// An error that is no violation is the service's fault: it ends the check, and nobody is told of
// the rest as if the body were wrong.
func (r *structRule) walk(ctx context.Context, of *model.Type, v reflect.Value, at *model.Trail, found *model.Report) error {
	if !r.leads[of.StructIn()] || of.Nullable && v.IsNil() {
		return nil
	}
	if of.Nullable {
		v = v.Elem()
	}
	inner := func(of *model.Type, v reflect.Value) error {
		err := r.walk(ctx, of, v, at, found)
		at.Up()
		return err
	}
	switch {
	case of.Struct != nil:
		if err := r.ask(ctx, of.Struct, v, at, found); err != nil {
			return err
		}
		for _, f := range of.Struct.Fields {
			at.ToMember(f)
			if err := inner(f.Type, f.Value(v)); err != nil {
				return err
			}
		}
	case of.Kind == model.Map:
		for _, key := range sortedKeys(v) {
			// A rule takes a pointer, and entries of maps have no address: it gets that of a copy, which is lost.
			entry := reflect.New(v.Type().Elem()).Elem()
			entry.Set(v.MapIndex(key))
			at.ToEntry(key.String())
			if err := inner(of.Elem, entry); err != nil {
				return err
			}
		}
	default:
		for i := range v.Len() {
			at.ToElement(i)
			if err := inner(of.Elem, v.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask tells what the rule finds in a struct, if that is of its type.
func (r *structRule) ask(ctx context.Context, s *model.Struct, v reflect.Value, at *model.Trail, found *model.Report) error {
	if s.Go != r.typ {
		return nil
	}
	err := r.check(ctx, v.Addr().Interface())
	refused, onlyRefused := validation.Violations(err)
	if !onlyRefused {
		return err
	}
	for _, violation := range refused {
		found.AddBelow(at, violation)
	}
	return nil
}
