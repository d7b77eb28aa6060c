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

// met is a struct met in a record.
type met struct {
	path  string
	value any // pointer to it
}

// walk finds the structs of one type in a value.
type walk func(v reflect.Value, path string, found *[]met)

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

// in finds the structs that the rule is over in the record that v points to.
func (r structRule) in(v reflect.Value) []met {
	var found []met
	r.walk(v.Elem(), "", &found)
	return found
}

// walker plans the walk through a struct, or returns nil where no struct of the type
// can be in it. A struct that holds itself is walked through by the plan in the making.
func walker(s *model.Struct, target reflect.Type, open map[*model.Struct]*walk) walk {
	type step struct {
		field *model.Field
		walk  walk
	}
	var steps []step
	var self walk
	open[s] = &self
	defer delete(open, s)
	for _, f := range s.Fields {
		if next := valueWalker(f.Type, target, open); next != nil {
			steps = append(steps, step{f, next})
		}
	}
	if len(steps) == 0 && s.Go != target {
		return nil
	}
	self = func(v reflect.Value, path string, found *[]met) {
		if s.Go == target {
			*found = append(*found, met{path, v.Addr().Interface()})
		}
		for _, step := range steps {
			step.walk(step.field.Value(v), join(path, step.field.Name), found)
		}
	}
	return self
}

// valueWalker plans the walk through a value.
func valueWalker(t *model.Type, target reflect.Type, open map[*model.Struct]*walk) walk {
	var inner walk
	switch {
	case t.Struct != nil && open[t.Struct] != nil:
		outer := open[t.Struct]
		inner = func(v reflect.Value, path string, found *[]met) { (*outer)(v, path, found) }
	case t.Struct != nil:
		inner = walker(t.Struct, target, open)
	case t.Elem != nil:
		inner = elementWalker(t.Kind, valueWalker(t.Elem, target, open))
	}
	if inner == nil || !t.Nullable {
		return inner
	}
	return func(v reflect.Value, path string, found *[]met) {
		if !v.IsNil() {
			inner(v.Elem(), path, found)
		}
	}
}

func elementWalker(kind model.Kind, element walk) walk {
	switch {
	case element == nil:
		return nil
	case kind == model.Map:
		return func(v reflect.Value, path string, found *[]met) {
			for entry := v.MapRange(); entry.Next(); {
				value := reflect.New(entry.Value().Type()).Elem()
				value.Set(entry.Value())
				element(value, path+"["+entry.Key().String()+"]", found)
			}
		}
	}
	return func(v reflect.Value, path string, found *[]met) {
		for i := range v.Len() {
			element(v.Index(i), fmt.Sprintf("%s[%d]", path, i), found)
		}
	}
}
