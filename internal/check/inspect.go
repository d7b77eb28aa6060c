package check

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// inspect finds the mistakes in the rules of structs' fields, all of them, and if there are any, those in the messages
// for rules, which are else found later. Validator would panic at most of them, at the first request that meets one.
func (c *Compiler) inspect(structs []*model.Struct) error {
	rules := c.inspectEach(structs, func(in *inspection) { in.rules(in.field.Rules, in.field.Type) })
	if rules == nil {
		return nil
	}
	return errors.Join(append(rules, c.inspectEach(structs, (*inspection).messages)...)...)
}

func (c *Compiler) inspectEach(structs []*model.Struct, inspect func(in *inspection)) (errs []error) {
	for _, s := range structs {
		for _, f := range s.Fields {
			in := inspection{compiler: c, owner: s, field: f}
			inspect(&in)
			errs = append(errs, in.errs...)
		}
	}
	return errs
}

// inspection gathers the mistakes in the rules of one field.
type inspection struct {
	compiler *Compiler
	owner    *model.Struct
	field    *model.Field
	errs     []error
}

// fail notes a mistake, with the type and the field it is in: by Go's names, since its reader is about to open
// the file.
func (in *inspection) fail(format string, args ...any) {
	owner := cmp.Or(in.owner.Go.Name(), "struct{…}")
	in.errs = append(in.errs, fmt.Errorf(owner+"."+in.field.GoPath+": "+format, args...))
}

// rules inspects the rules of a value, and of its keys and elements.
// A tag for elements stands behind dive, however deep they are; that for keys between keys and
// endkeys.
func (in *inspection) rules(r model.Rules, t *model.Type) {
	for _, c := range r.All {
		in.constraint(c, t)
	}
	if r.Elem == nil {
		return
	}
	if t.Elem == nil {
		in.fail("validate tag has dive, which is for lists and maps; the field is %s", t.Go)
		return
	}
	if r.Keys != nil && t.Kind != model.Map {
		in.fail("validate tag has keys, which is for maps; the field is %s", t.Go)
	} else if r.Keys != nil {
		in.rules(*r.Keys, keyType(t))
	}
	in.rules(*r.Elem, t.Elem)
}

// constraint inspects one rule: that there is such a one, that it fits the type, and that its
// parameter can be read.
// The cases are in the order in which a mistake is best explained: an unknown name first, for
// nothing else can be said of it.
func (in *inspection) constraint(c model.Constraint, t *model.Type) {
	for _, alternative := range c.Or {
		in.constraint(alternative, t)
	}
	if c.Or != nil {
		return
	}
	rule, known := in.compiler.rules[c.Name]
	switch {
	case !known:
		in.fail("validate tag has the unknown rule %q%s", c.Name, naming.DidYouMean(c.Name, in.compiler.names()))
	case rule.refused != "":
		in.fail("validate tag has the rule %q, which is not supported: %s", c.Name, rule.refused)
	case !rule.fits.has(t.Kind):
		in.fail("validate tag has the rule %q, which does not fit the type %s; allowed: %s", c.Name, t.Go, rule.fits)
	case rule.param && c.Param == "":
		in.fail("validate tag has the rule %q without a parameter; write %s=…", c.Name, c.Name)
	case rule.fields:
		in.otherFields(c)
	case c.Name == "unique":
		in.unique(c, t)
	default:
		in.try(rule.own, c, t)
	}
}

// names lists the words that can be used where a rule is.
// Rules that are refused are left out: nobody should be led from one mistake to the next.
func (c *Compiler) names() []string {
	rules := slices.DeleteFunc(slices.Sorted(maps.Keys(c.rules)), func(name string) bool { return c.rules[name].refused != "" })
	return append(rules, "omitempty", "omitnil", "omitzero", "dive")
}

// otherFields inspects a parameter that names other fields.
// A name that is wrong would compare with nothing at all, and let everything pass.
func (in *inspection) otherFields(c model.Constraint) {
	words, names, arePairs := Words(c.Param), fieldNames(c), namesPairs(c.Name)
	if arePairs && len(words)%2 != 0 {
		in.fail("validate tag has the rule %q with %q; it names fields and values in turn, such as %s=Kind box", c.Name, c.Param, c.Name)
		return
	}
	for i, name := range names {
		way, _ := fieldByGoPath(in.owner, beside(in.field, c, name))
		if way == nil {
			in.unknownField(c, name, in.owner)
			continue
		}
		switch t := way[len(way)-1].Type; {
		case c.Name == "postcode_iso3166_alpha2_field" && t.Go.Kind() != reflect.String,
			c.Name == "required_if" && slices.Contains(names[:i], name):
			in.cannotJudge()
		case arePairs && !isValueOf(words[2*i+1], t.Base()):
			in.fail("validate tag has the rule %q with the value %q for the field %q, which is %s", c.Name, words[2*i+1], name, t.Go)
		}
	}
}

// unknownField notes a parameter that names a field which a struct does not have.
// By Go's name, as validator's parameter has it; its author writes a tag, not JSON.
func (in *inspection) unknownField(c model.Constraint, name string, s *model.Struct) {
	var options []string
	if s != nil {
		for _, f := range s.Fields {
			options = append(options, f.GoPath)
		}
	}
	in.fail("validate tag has the rule %q with the unknown field %q; allowed: %s%s",
		c.Name, name, strings.Join(options, ", "), naming.DidYouMean(name, options))
}

// cannotJudge notes a rule that could never be judged as the tag has it.
func (in *inspection) cannotJudge() {
	in.fail("validate tag has a rule that cannot judge the type %s as it is written; change its parameter, or drop it", in.field.Type.Go)
}

// namesPairs reports whether the parameter of a rule names fields and values in turn.
func namesPairs(rule string) bool {
	switch rule {
	case "required_if", "required_unless", "excluded_if", "excluded_unless":
		return true
	}
	return false
}

// fieldNames returns the Go names in the parameter of a rule that names fields: all
// words, or every other one where they alternate with values.
func fieldNames(c model.Constraint) []string {
	words := Words(c.Param)
	if !namesPairs(c.Name) {
		return words
	}
	var names []string
	for pair := range slices.Chunk(words, 2) {
		names = append(names, pair[0])
	}
	return names
}

// beside returns the path of a field that a rule of f names: it is in the same Go
// struct, which may be an embedded one, unless the rule begins at the record.
func beside(f *model.Field, c model.Constraint, name string) string {
	if strings.HasSuffix(c.Name, "csfield") {
		return name
	}
	return f.GoPath[:strings.LastIndexByte(f.GoPath, '.')+1] + name
}

// fieldByGoPath finds a field by Go's names, through nested structs: the fields on the way, and the JSON
// name, which errors use. Only declarations know Go's names.
func fieldByGoPath(s *model.Struct, path string) (way []*model.Field, name string) {
	for _, f := range s.Fields {
		if f.GoPath == path {
			return []*model.Field{f}, f.Name
		}
		rest, ok := strings.CutPrefix(path, f.GoPath+".")
		if ok && f.Type.Kind == model.Object {
			if way, name = fieldByGoPath(f.Type.Struct, rest); way != nil {
				return append([]*model.Field{f}, way...), f.Name + "." + name
			}
		}
	}
	return nil, ""
}

// otherFields returns the JSON names of the fields that a rule names.
func (c *Compiler) otherFields(owner *model.Struct, f *model.Field, rule model.Constraint) []string {
	if !c.rules[rule.Name].fields {
		return nil
	}
	var names []string
	for _, path := range fieldNames(rule) {
		if way, name := fieldByGoPath(owner, beside(f, rule, path)); way != nil {
			names = append(names, name)
		}
	}
	return names
}

// unique inspects the rule of that name: it compares elements, or one field of them,
// and validator panics at a request where it cannot.
// It stands apart from other rules because it depends on the type of elements, not of the value.
func (in *inspection) unique(c model.Constraint, t *model.Type) {
	compared := t.Elem
	if c.Param != "" {
		isNamed := func(f *model.Field) bool { return f.GoPath == c.Param }
		if compared.Struct == nil || !slices.ContainsFunc(compared.Struct.Fields, isNamed) {
			in.unknownField(c, c.Param, compared.Struct)
			return
		}
		compared = compared.Struct.Fields[slices.IndexFunc(compared.Struct.Fields, isNamed)].Type
	}
	if !isComparable(compared) {
		in.fail("validate tag has the rule %q, which cannot compare values of %s; allowed: those of scalars, or unique=Field with a field that is one",
			c.Name, compared.Go)
	}
}

// isComparable reports whether validator can compare values of a type with one another: it
// puts them into a map.
// Found when the API is made, since at a request validator would panic in a map of unhashable keys.
func isComparable(t *model.Type) bool {
	switch {
	case t.Kind == model.Text:
		return t.Base().Comparable()
	case t.Struct != nil:
		return t.Base().Comparable() && !slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool {
			return f.Type.Nullable || !isComparable(f.Type) // pointers would compare by address
		})
	}
	return (scalars | only(model.Time)).has(t.Kind)
}

// isValueOf reports whether a word can be read as a value to compare a field with; lists and maps are
// compared by their length.
func isValueOf(word string, t reflect.Type) bool {
	var err error
	switch kind := t.Kind(); {
	case kind == reflect.Bool:
		_, err = strconv.ParseBool(word)
	case kind <= reflect.Int64, kind == reflect.Slice, kind == reflect.Array, kind == reflect.Map:
		_, err = strconv.ParseInt(word, 0, 64)
	case kind <= reflect.Uintptr:
		_, err = strconv.ParseUint(word, 0, 64)
	case kind <= reflect.Float64:
		_, err = strconv.ParseFloat(word, 64)
	}
	return err == nil
}
