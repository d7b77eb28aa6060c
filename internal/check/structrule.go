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

// lead finds the structs that lead to one of the rule's type, and reports whether a record of the first one does.
func (r *structRule) lead(reachable []*model.Struct) bool {
	r.leads = map[*model.Struct]bool{}
	for _, s := range reachable {
		for t := range typeOf(s).Within() {
			r.leads[s] = r.leads[s] || t.Struct != nil && t.Struct.Go == r.typ
		}
	}
	return r.leads[reachable[0]]
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
// Any other error than a violation is a fault of the service: it ends the check, so that the rest is not reported as if the
// body were wrong.
func (r *structRule) walk(ctx context.Context, of *model.Type, v reflect.Value, at *model.Trail, found *model.Report) error {
	if !r.leads[of.StructIn()] || of.Nullable && v.IsNil() {
		return nil
	}
	if of.Nullable {
		v = v.Elem()
	}
	switch {
	case of.Struct != nil:
		return r.walkStruct(ctx, of.Struct, v, at, found)
	case of.Kind == model.Map:
		return r.walkEntries(ctx, of.Elem, v, at, found)
	}
	for i := range v.Len() {
		at.ToElement(i)
		if err := r.walk(ctx, of.Elem, v.Index(i), at, found); err != nil {
			return err
		}
		at.Up()
	}
	return nil
}

// walkStruct asks the rule about a struct, and about those in its fields.
func (r *structRule) walkStruct(ctx context.Context, s *model.Struct, v reflect.Value, at *model.Trail, found *model.Report) error {
	if err := r.ask(ctx, s, v, at, found); err != nil {
		return err
	}
	for _, f := range s.Fields {
		at.ToField(f)
		if err := r.walk(ctx, f.Type, f.Value(v), at, found); err != nil {
			return err
		}
		at.Up()
	}
	return nil
}

// walkEntries asks the rule about the structs in the entries of a map, in the order of their keys.
func (r *structRule) walkEntries(ctx context.Context, of *model.Type, v reflect.Value, at *model.Trail, found *model.Report) error {
	for _, key := range sortedKeys(v) {
		// A rule takes a pointer, and entries of maps have no address: it gets that of a copy, which is lost.
		entry := reflect.New(v.Type().Elem()).Elem()
		entry.Set(v.MapIndex(key))
		at.ToEntry(key.String())
		if err := r.walk(ctx, of, entry, at, found); err != nil {
			return err
		}
		at.Up()
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
