package check

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// ownRule compiles a rule of the user's own.
func ownRule(rule validation.Rule, param string, at *declaration) around {
	embedded := at.field.Index[:max(0, len(at.field.Index)-1)]
	return func(in scope, v reflect.Value) bool {
		level := &fieldLevel{scope: in, field: v, tag: rule.Name, param: param, parent: v}
		if in.owner.IsValid() {
			level.parent = in.owner.FieldByIndex(embedded)
		} else { // the value is judged alone, as an example in a tag is
			level.top = v
		}
		return rule.Check(level)
	}
}

// fieldLevel is what a rule of the user's own sees of a value. Names are Go's, as validator has them.
type fieldLevel struct {
	scope

	parent, field reflect.Value
	tag, param    string
}

var _ validator.FieldLevel = (*fieldLevel)(nil)

func (f *fieldLevel) Top() reflect.Value    { return f.top }
func (f *fieldLevel) Parent() reflect.Value { return f.parent }
func (f *fieldLevel) Field() reflect.Value  { return f.field }
func (f *fieldLevel) FieldName() string     { return f.StructFieldName() }
func (f *fieldLevel) Param() string         { return f.param }
func (f *fieldLevel) GetTag() string        { return f.tag }
func (f *fieldLevel) StructFieldName() string {
	name := ""
	for i := range f.within {
		switch s := &f.within[i]; s.Kind {
		case model.ToMember:
			name = s.Field.GoPath[strings.LastIndexByte(s.Field.GoPath, '.')+1:]
		case model.ToElement:
			name += "[" + strconv.Itoa(s.Index) + "]"
		case model.ToEntry: // cut, because a client may repeat a long name by many values below it
			name += "[" + model.Shorten(s.Name, longestKey) + "]"
		}
	}
	return name
}

// longestKey is how many bytes of a map's key a rule of the user's own sees in a name.
const longestKey = 256

func (f *fieldLevel) ExtractType(v reflect.Value) (value reflect.Value, kind reflect.Kind, nullable bool) {
	value, nullable = extract(v)
	return value, value.Kind(), nullable
}

func (f *fieldLevel) GetStructFieldOK() (reflect.Value, reflect.Kind, bool) {
	return f.GetStructFieldOKAdvanced(f.parent, f.param)
}

func (f *fieldLevel) GetStructFieldOKAdvanced(v reflect.Value, path string) (reflect.Value, reflect.Kind, bool) {
	value, kind, _, found := f.GetStructFieldOKAdvanced2(v, path)
	return value, kind, found
}

func (f *fieldLevel) GetStructFieldOK2() (value reflect.Value, kind reflect.Kind, nullable, found bool) {
	return f.GetStructFieldOKAdvanced2(f.parent, f.param)
}

// GetStructFieldOKAdvanced2 follows a path of Go's names, such as "Lines[1].Count", from a value.
func (f *fieldLevel) GetStructFieldOKAdvanced2(v reflect.Value, path string) (value reflect.Value, kind reflect.Kind, nullable, found bool) {
	for {
		if v, nullable = extract(v); !v.IsValid() || path == "" {
			return v, v.Kind(), nullable, v.IsValid()
		}
		switch v.Kind() {
		case reflect.Struct:
			if isTime(v.Type()) {
				return v, v.Kind(), nullable, false
			}
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			v, path = v.FieldByName(path[:end]), strings.TrimPrefix(path[end:], ".")
		case reflect.Slice, reflect.Array, reflect.Map:
			open, end := strings.IndexByte(path, '['), strings.IndexByte(path, ']')
			if open < 0 || end < open {
				return v, v.Kind(), nullable, false
			}
			inner, found := elementAt(v, path[open+1:end])
			if !found {
				return v, v.Kind(), nullable, false
			}
			v, path = inner, strings.TrimPrefix(path[end+1:], ".")
		default:
			return v, v.Kind(), nullable, false
		}
	}
}

// elementAt returns the element of a list or map that brackets name, and whether the name can be one. It is
// invalid for an entry that does not exist.
func elementAt(v reflect.Value, key string) (element reflect.Value, found bool) {
	if v.Kind() != reflect.Map {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= v.Len() {
			return reflect.Value{}, false
		}
		return v.Index(i), true
	}
	of := reflect.New(v.Type().Key()).Elem()
	if of.Kind() == reflect.String {
		of.SetString(key)
	} else if _, err := fmt.Sscan(key, of.Addr().Interface()); err != nil {
		return reflect.Value{}, false
	}
	return v.MapIndex(of), true
}
