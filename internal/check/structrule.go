package check

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// structRule is a user's rule over every struct of one type in a record.
type structRule struct {
	typ   reflect.Type
	check func(ctx context.Context, value any) error
	walk  walk
}

// walk finds the structs of one type in a value, and hands over a pointer to each until
// there is an error.
type walk func(v reflect.Value, at *model.Trail, visit visitor) error

// visitor takes a pointer to a struct and the way to it.
type visitor func(value any, at *model.Trail) error

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

// refusal is what a rule over structs says of one of them.
type refusal struct {
	segments   []model.Segment
	violations []validation.Violation
}

// overStructs adds what the user's rules over structs find, wherever their struct is.
// These rules come last: they may rely on what the rules of members have made sure of.
func (k *Checker) overStructs(ctx context.Context, record any, found *model.Report) error {
	for _, rule := range k.structs {
		var at model.Trail
		var refusals []refusal
		err := k.eachRecord(rule.walk)(reflect.ValueOf(record).Elem(), &at, func(value any, at *model.Trail) error {
			err := rule.check(ctx, value)
			// An error that is no violation is the service's fault: it ends the check, and nobody is told of
			// the rest as if the body were wrong.
			refused, onlyRefused := validation.Violations(err)
			if !onlyRefused {
				return err
			}
			if len(refused) > 0 {
				refusals = append(refusals, refusal{at.Segments(), refused})
			}
			return nil
		})
		if err != nil {
			return err
		}
		// Maps are walked in any order, and equal requests get equal answers.
		slices.SortStableFunc(refusals, func(a, b refusal) int { return compareKeys(a.segments, b.segments) })
		for _, r := range refusals {
			at.Go(r.segments)
			for _, v := range r.violations {
				found.AddBelow(&at, v)
			}
		}
	}
	return nil
}

// compareKeys orders two ways by the first key of a map in which they part. All else is in
// order.
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

// eachRecord returns a walk through all that is checked: a record, or each of a list.
func (k *Checker) eachRecord(one walk) walk {
	if k.many {
		return elementWalker(model.List, one)
	}
	return one
}

// way leads to a field of a struct, and through it.
type way struct {
	field *model.Field
	walk  walk
}

// walker plans the walk through a struct, or returns nil where no struct of the type
// can be in it. A struct that holds itself is walked through by the plan in the making.
func walker(s *model.Struct, target reflect.Type, open map[*model.Struct]*walk) walk {
	var ways []way
	var self walk
	open[s] = &self
	defer delete(open, s)
	for _, f := range s.Fields {
		if next := valueWalker(f.Type, target, open); next != nil {
			ways = append(ways, way{f, next})
		}
	}
	if len(ways) == 0 && s.Go != target {
		return nil
	}
	self = func(v reflect.Value, at *model.Trail, visit visitor) error {
		if s.Go == target {
			if err := visit(v.Addr().Interface(), at); err != nil {
				return err
			}
		}
		return goAll(ways, v, at, visit)
	}
	return self
}

// goAll goes each way from a struct, until there is an error.
func goAll(ways []way, v reflect.Value, at *model.Trail, visit visitor) error {
	for _, way := range ways {
		at.ToMember(way.field)
		if err := way.walk(way.field.Value(v), at, visit); err != nil {
			return err
		}
		at.Up()
	}
	return nil
}

// valueWalker plans the walk through a value.
func valueWalker(t *model.Type, target reflect.Type, open map[*model.Struct]*walk) walk {
	var inner walk
	switch {
	case t.Struct != nil && open[t.Struct] != nil:
		// By pointer, for the plan in the making is not there yet. A struct that holds itself but leads to no
		// target is walked in vain; it is rare, and finding out would take a second walk.
		outer := open[t.Struct]
		inner = func(v reflect.Value, at *model.Trail, visit visitor) error { return (*outer)(v, at, visit) }
	case t.Struct != nil:
		inner = walker(t.Struct, target, open)
	case t.Elem != nil:
		inner = elementWalker(t.Kind, valueWalker(t.Elem, target, open))
	}
	if inner == nil || !t.Nullable {
		return inner
	}
	return func(v reflect.Value, at *model.Trail, visit visitor) error {
		if v.IsNil() {
			return nil
		}
		return inner(v.Elem(), at, visit)
	}
}

// elementWalker plans the walk through a list or map. A rule takes a pointer, and entries of
// maps have no address: it gets that of a copy, which is lost.
func elementWalker(kind model.Kind, element walk) walk {
	switch {
	case element == nil:
		return nil
	case kind == model.Map:
		return func(v reflect.Value, at *model.Trail, visit visitor) error {
			for entry := v.MapRange(); entry.Next(); {
				value := reflect.New(entry.Value().Type()).Elem()
				value.Set(entry.Value())
				at.ToEntry(entry.Key().String())
				if err := element(value, at, visit); err != nil {
					return err
				}
				at.Up()
			}
			return nil
		}
	}
	return func(v reflect.Value, at *model.Trail, visit visitor) error {
		for i := range v.Len() {
			at.ToElement(i)
			if err := element(v.Index(i), at, visit); err != nil {
				return err
			}
			at.Up()
		}
		return nil
	}
}
