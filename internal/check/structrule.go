package check

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// structRule is a user's rule over every struct of one type in a record.
type structRule struct {
	typ   reflect.Type
	check func(ctx context.Context, value any) error
	walk  walk
}

// walk finds the structs of one type in a value, and hands over a pointer to each until
// there is an error.
type walk func(v reflect.Value, at trail, hand handing) error

// handing takes a pointer to a struct and the way to it.
type handing func(value any, at trail) error

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
	self = func(v reflect.Value, at trail, hand handing) error {
		if s.Go == target {
			if err := hand(v.Addr().Interface(), at); err != nil {
				return err
			}
		}
		return goAll(ways, v, at, hand)
	}
	return self
}

func goAll(ways []way, v reflect.Value, at trail, hand handing) error {
	for _, way := range ways {
		if err := way.walk(way.field.Value(v), append(at, step{field: way.field, kind: model.Object}), hand); err != nil {
			return err
		}
	}
	return nil
}

// valueWalker plans the walk through a value.
func valueWalker(t *model.Type, target reflect.Type, open map[*model.Struct]*walk) walk {
	var inner walk
	switch {
	case t.Struct != nil && open[t.Struct] != nil:
		outer := open[t.Struct]
		inner = func(v reflect.Value, at trail, hand handing) error { return (*outer)(v, at, hand) }
	case t.Struct != nil:
		inner = walker(t.Struct, target, open)
	case t.Elem != nil:
		inner = elementWalker(t.Kind, valueWalker(t.Elem, target, open))
	}
	if inner == nil || !t.Nullable {
		return inner
	}
	return func(v reflect.Value, at trail, hand handing) error {
		if v.IsNil() {
			return nil
		}
		return inner(v.Elem(), at, hand)
	}
}

func elementWalker(kind model.Kind, element walk) walk {
	switch {
	case element == nil:
		return nil
	case kind == model.Map:
		return func(v reflect.Value, at trail, hand handing) error {
			for entry := v.MapRange(); entry.Next(); {
				value := reflect.New(entry.Value().Type()).Elem()
				value.Set(entry.Value())
				if err := element(value, append(at, step{key: entry.Key().String(), kind: model.Map}), hand); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return func(v reflect.Value, at trail, hand handing) error {
		for i := range v.Len() {
			if err := element(v.Index(i), append(at, step{index: i, kind: model.List}), hand); err != nil {
				return err
			}
		}
		return nil
	}
}
