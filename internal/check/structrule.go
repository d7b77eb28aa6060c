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
	leads map[*model.Struct]bool // the structs that are of the type or can contain one
}

// OverStruct is called by the Check of a rule that validation.Struct created.
func (r *structRule) OverStruct(of reflect.Type, check func(ctx context.Context, value any) error) {
	r.typ, r.check = of, check
}

// StructOf returns the type of the structs that a rule of validation.Struct checks, nil for any other rule.
func StructOf(rule validation.Rule) reflect.Type { return structRuleOf(rule).typ }

// structRuleOf calls the Check of a rule without a name to get its type. If the user only forgot the name, that
// Check finds no field and may panic.
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
		return fmt.Errorf("validation.Struct needs a struct, found %s", t)
	case check == nil:
		return fmt.Errorf("validation.Struct[%s] has a nil function", t)
	}
	c.structs = append(c.structs, structRule{typ: t, check: check})
	return nil
}

// lead finds the structs that lead to one of the rule's type, and reports whether the first one does.
func (r *structRule) lead(reachable []*model.Struct) bool {
	r.leads = map[*model.Struct]bool{}
	for _, s := range reachable {
		for t := range typeOf(s).Within() {
			r.leads[s] = r.leads[s] || t.Struct != nil && t.Struct.Go == r.typ
		}
	}
	return r.leads[reachable[0]]
}

// overStructs adds what the rules over structs find. They run last, so that they can rely on the rules of fields.
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

// walk runs the rule for each struct of its type in a value. An error other than a violation ends the check,
// because it is not the client's fault.
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

// walkStruct runs the rule for a struct and for those in its fields.
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

// walkEntries runs the rule for the structs in a map, in the order of keys.
func (r *structRule) walkEntries(ctx context.Context, of *model.Type, v reflect.Value, at *model.Trail, found *model.Report) error {
	for _, key := range sortedKeys(v) {
		// A rule takes a pointer, and entries of maps have no memory address: it gets a copy, whose changes are
		// lost.
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

// ask runs the rule for a struct, if it is of the rule's type, and adds the violations.
func (r *structRule) ask(ctx context.Context, s *model.Struct, v reflect.Value, at *model.Trail, found *model.Report) error {
	if s.Go != r.typ {
		return nil
	}
	err := r.check(ctx, v.Addr().Interface())
	violations, onlyViolations := validation.Violations(err)
	if !onlyViolations {
		return err
	}
	for _, violation := range violations {
		found.AddBelow(at, violation)
	}
	return nil
}
