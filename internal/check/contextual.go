package check

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// scope is where a value is that a contextual rule checks.
type scope struct {
	top    reflect.Value   // a pointer to the record
	owner  reflect.Value   // the struct that has the field
	within []model.Segment // from the record to the value; only for rules from Config.Rules
}

// contextual is a compiled rule that needs more than its value.
type contextual func(in scope, v reflect.Value) bool

// contextualOf compiles a rule whose parameter names other fields. It decides exactly as validator does.
func (c *Compiler) contextualOf(rule model.Constraint, at *declaration, t *model.Type) contextual {
	first := func() other { return otherOf(at, rule, fieldNames(rule)[0]) }
	switch rule.Name {
	case "fieldcontains", "fieldexcludes":
		o, wanted := first(), rule.Name == "fieldcontains"
		return func(in scope, v reflect.Value) bool {
			beside, _ := o.in(in.owner)
			return (beside.IsValid() && strings.Contains(v.String(), beside.String())) == wanted
		}
	case "postcode_iso3166_alpha2_field":
		o := first()
		return func(in scope, v reflect.Value) bool {
			beside, _ := o.in(in.owner)
			// The rule that takes the country as its parameter would cache every country that clients send.
			country := struct{ Country string }{beside.String()}
			return c.single().VarWithValue(v.String(), country, rule.Name+"=Country") == nil
		}
	}
	if isCondition(rule) {
		return conditionOf(at, rule, isNullable(t))
	}
	return compareFields(rule, at, first())
}

// compareFields compiles a rule that compares a value with another field. A field that is unreachable or of another
// kind is different. Strings are ordered as the dates that they are.
func compareFields(rule model.Constraint, at *declaration, o other) contextual {
	relation, ofField := strings.CutSuffix(strings.TrimSuffix(rule.Name, "field"), "cs")
	holds, isEquality := ordered(relation), relation == "eq" || relation == "ne"
	if layout := LayoutOf(o[len(o)-1].field.Rules); !isEquality && at.layout != "" && layout != "" {
		return compareDates(o, at.layout, layout, holds)
	}
	how := ordering{equality: isEquality, elements: isEquality || ofField, lengths: !isEquality && !ofField}
	return func(in scope, v reflect.Value) bool {
		beside, _ := o.in(in.owner)
		if !beside.IsValid() || beside.Kind() != v.Kind() {
			return relation == "ne"
		}
		return holds(how.of(v, beside))
	}
}

// unordered means that two values are not equal, and neither is less.
const unordered = 2

// ordered returns the predicate of a relation over an order: -1, 0, 1 or unordered.
func ordered(relation string) func(order int) bool {
	switch relation {
	case "eq":
		return func(order int) bool { return order == 0 }
	case "ne":
		return func(order int) bool { return order != 0 }
	case "gt":
		return func(order int) bool { return order == 1 }
	case "gte":
		return func(order int) bool { return order == 0 || order == 1 }
	case "lt":
		return func(order int) bool { return order == -1 }
	case "lte":
		return func(order int) bool { return order <= 0 }
	}
	return nil
}

// ordering is how a group of rules orders two values of one kind.
type ordering struct {
	equality bool // compare booleans
	elements bool // compare lists and maps by their length
	lengths  bool // compare strings by their length in bytes
}

func (how ordering) of(a, b reflect.Value) int {
	switch kind := a.Kind(); {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		x, y := a.Float(), b.Float()
		if math.IsNaN(x) || math.IsNaN(y) {
			return unordered
		}
		return cmp.Compare(x, y)
	case how.elements && (kind == reflect.Slice || kind == reflect.Map || kind == reflect.Array):
		return cmp.Compare(a.Len(), b.Len())
	case how.equality && kind == reflect.Bool:
		if a.Bool() == b.Bool() {
			return 0
		}
		return unordered
	case kind == reflect.Struct && isTime(a.Type()) && isTime(b.Type()):
		return timeIn(a).Compare(timeIn(b))
	case kind == reflect.Struct && a.Type() != b.Type():
		return unordered
	}
	// As in validator, a value without an order is compared by the text that reflect gives it.
	if how.lengths {
		return cmp.Compare(len(a.String()), len(b.String()))
	}
	return strings.Compare(a.String(), b.String())
}

func isTime(t reflect.Type) bool { return t.ConvertibleTo(reflect.TypeFor[time.Time]()) }

func timeIn(v reflect.Value) time.Time {
	at, _ := reflect.TypeAssert[time.Time](v.Convert(reflect.TypeFor[time.Time]()))
	return at
}

// isCondition reports whether a rule requires or forbids a value, so that it also runs for an absent value.
func isCondition(rule model.Constraint) bool {
	return strings.HasPrefix(rule.Name, "required_") || strings.HasPrefix(rule.Name, "excluded_")
}

// conditionOf compiles a rule that requires or forbids a value depending on other fields.
func conditionOf(at *declaration, rule model.Constraint, nullable bool) contextual {
	var parts []func(owner reflect.Value) bool
	words, names := Words(rule.Param), fieldNames(rule)
	for i, name := range names {
		o := otherOf(at, rule, name)
		if namesPairs(rule.Name) {
			word := words[2*i+1]
			parts = append(parts, func(owner reflect.Value) bool {
				beside, _ := o.in(owner)
				return beside.IsValid() && isWritten(word, beside)
			})
			continue
		}
		parts = append(parts, func(owner reflect.Value) bool {
			beside, null := o.in(owner)
			return beside.IsValid() && hasValue(beside, null)
		})
	}
	demand, when, _ := strings.Cut(rule.Name, "_")
	isAny := when == "with" || when == "unless" || when == "without_all"
	isNegated := when == "unless" || strings.HasPrefix(when, "without")
	return func(in scope, v reflect.Value) bool {
		// "All" holds unless one part fails; "any" holds if one part does.
		found := slices.ContainsFunc(parts, func(holds func(reflect.Value) bool) bool { return holds(in.owner) == isAny })
		if applies := (found == isAny) != isNegated; !applies {
			return true
		}
		return hasValue(v, nullable) == (demand == "required")
	}
}

// isWritten reports whether a value equals a word of a tag. Lists and maps are compared by length.
func isWritten(word string, v reflect.Value) bool {
	switch kind := v.Kind(); {
	case v.CanInt():
		n, err := strconv.ParseInt(word, 0, 64)
		return err == nil && v.Int() == n
	case v.CanUint():
		n, err := strconv.ParseUint(word, 0, 64)
		return err == nil && v.Uint() == n
	case v.CanFloat():
		n, err := strconv.ParseFloat(word, v.Type().Bits())
		return err == nil && v.Float() == n
	case kind == reflect.Slice, kind == reflect.Map, kind == reflect.Array:
		n, err := strconv.ParseInt(word, 0, 64)
		return err == nil && int64(v.Len()) == n
	case kind == reflect.Bool:
		return v.Bool() == (word == "true")
	case kind == reflect.Pointer: // nil, because extract follows all others
		return word == "nil"
	}
	return v.String() == word
}

// other is the way to another field that a rule names, from the struct with the rule's field.
type other []struct {
	field  *model.Field
	opaque bool
}

func otherOf(at *declaration, rule model.Constraint, name string) other {
	way, _ := fieldByGoPath(at.owner, siblingPath(at.field, rule, name))
	found := make(other, len(way))
	for i, f := range way {
		found[i].field, found[i].opaque = f, isOpaque(f.Type)
	}
	return found
}

// in returns the field without pointers and interfaces, and whether it had any. It is invalid behind a nil pointer.
func (o other) in(owner reflect.Value) (v reflect.Value, nullable bool) {
	v = owner
	for _, step := range o {
		if v.Kind() != reflect.Struct {
			return reflect.Value{}, false
		}
		v, nullable = step.field.Value(v), step.field.Type.Nullable
		switch {
		case step.opaque:
			v, nullable = extract(v)
		case nullable && !v.IsNil():
			v = v.Elem()
		}
	}
	return v, nullable
}

// isOpaque reports whether the type of a value is only known at run time.
func isOpaque(t *model.Type) bool {
	return t.Kind == model.Any || reflect.PointerTo(t.Base()).Implements(reflect.TypeFor[validator.Valuer]())
}

// extract returns a value without pointers and interfaces, and the result of a validator.Valuer. It reports whether
// the value is nullable.
func extract(v reflect.Value) (value reflect.Value, nullable bool) {
	for v.IsValid() {
		isPointer := v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface
		if nullable = nullable || isPointer; isPointer && v.IsNil() {
			break
		}
		if own, ok := reflect.TypeAssert[validator.Valuer](v); ok {
			v = reflect.ValueOf(own.ValidatorValue())
			continue
		}
		if !isPointer {
			break
		}
		v = v.Elem()
	}
	return v, nullable
}

// ownRule compiles a rule from Config.Rules.
func ownRule(rule validation.Rule, param string, at *declaration) contextual {
	embedded := at.field.Index[:max(0, len(at.field.Index)-1)]
	return func(in scope, v reflect.Value) bool {
		level := &fieldLevel{scope: in, field: v, tag: rule.Name, param: param, parent: v}
		if in.owner.IsValid() {
			level.parent = in.owner.FieldByIndex(embedded)
		} else { // there is no record, as for an example in a tag
			level.top = v
		}
		return rule.Check(level)
	}
}

// fieldLevel is what a rule from Config.Rules receives. Names are Go names, as in validator.
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
		case model.ToField:
			name = s.Field.GoPath[strings.LastIndexByte(s.Field.GoPath, '.')+1:]
		case model.ToElement:
			name += "[" + strconv.Itoa(s.Index) + "]"
		case model.ToEntry: // cut, because a client may repeat a long key for many values
			name += "[" + model.Shorten(s.Name, longestKey) + "]"
		}
	}
	return name
}

// longestKey is the length, in bytes, to which names cut the key of a map.
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

//nolint:revive // validator.FieldLevel has four results
func (f *fieldLevel) GetStructFieldOK2() (value reflect.Value, kind reflect.Kind, nullable, found bool) {
	return f.GetStructFieldOKAdvanced2(f.parent, f.param)
}

// GetStructFieldOKAdvanced2 follows a path of Go names, such as "Lines[1].Count", from a value.
//
//nolint:revive // validator.FieldLevel has four results
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

// elementAt returns the element of a list or map for a key in brackets, and whether the key is valid. The element
// is invalid if the map has no such entry.
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
