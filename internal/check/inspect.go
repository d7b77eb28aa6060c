package check

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
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

// where names a field in errors.
// In Go's names, since who reads it is about to open the file.
func where(s *model.Struct, f *model.Field) string {
	name := s.Go.Name()
	if name == "" {
		name = "struct{…}"
	}
	return name + "." + f.GoPath
}

// inspection gathers the mistakes in the rules of one field.
type inspection struct {
	compiler *Compiler
	owner    *model.Struct
	field    *model.Field
	errs     []error
}

// fail notes a mistake, with the type and the field it is in.
func (in *inspection) fail(format string, args ...any) {
	in.errs = append(in.errs, fmt.Errorf(where(in.owner, in.field)+": "+format, args...))
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
		in.rules(*r.Keys, &model.Type{Go: reflect.TypeFor[string](), Kind: model.String})
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
		in.try(c, t)
	}
}

// names lists the words that can be used where a rule is.
// Rules that are refused are left out: nobody should be led from one mistake to the next.
func (c *Compiler) names() []string {
	rules := slices.DeleteFunc(slices.Sorted(maps.Keys(c.rules)), func(name string) bool { return c.rules[name].refused != "" })
	return append(rules, "omitempty", "omitnil", "omitzero", "dive")
}

// otherFields inspects a parameter that names other fields.
// A name that is wrong makes validator compare with nothing at all, and let everything pass.
func (in *inspection) otherFields(c model.Constraint) {
	for _, name := range fieldNames(c) {
		if _, ok := fieldByGoPath(in.owner, beside(in.field, c, name)); !ok {
			var options []string
			for _, f := range in.owner.Fields {
				options = append(options, f.GoPath)
			}
			in.fail("validate tag has the rule %q with the unknown field %q; allowed: %s%s",
				c.Name, name, strings.Join(options, ", "), naming.DidYouMean(name, options))
		}
	}
	in.pairs(c)
}

// fieldNames returns the Go names in the parameter of a rule that names fields: all
// words, or every other one where they alternate with values.
func fieldNames(c model.Constraint) []string {
	words := Words(c.Param)
	switch c.Name {
	case "required_if", "required_unless", "excluded_if", "excluded_unless":
		var names []string
		for i := 0; i < len(words); i += 2 {
			names = append(names, words[i])
		}
		return names
	}
	return words
}

// beside returns the path of a field that a rule of f names: it is in the same Go
// struct, which may be an embedded one, unless the rule begins at the record.
func beside(f *model.Field, c model.Constraint, name string) string {
	if strings.HasSuffix(c.Name, "csfield") {
		return name
	}
	return f.GoPath[:strings.LastIndexByte(f.GoPath, '.')+1] + name
}

// fieldByGoPath finds a field by Go's names, through nested structs.
// JSON names are what clients are told; only declarations know Go's.
func fieldByGoPath(s *model.Struct, path string) (string, bool) {
	for _, f := range s.Fields {
		if f.GoPath == path {
			return f.Name, true
		}
		rest, ok := strings.CutPrefix(path, f.GoPath+".")
		if ok && f.Type.Kind == model.Object {
			name, found := fieldByGoPath(f.Type.Struct, rest)
			return f.Name + "." + name, found
		}
	}
	return "", false
}

// otherFields returns the JSON names of the fields that a rule names.
func (c *Compiler) otherFields(owner *model.Struct, f *model.Field, rule model.Constraint) []string {
	if !c.rules[rule.Name].fields {
		return nil
	}
	var names []string
	for _, path := range fieldNames(rule) {
		if name, ok := fieldByGoPath(owner, beside(f, rule, path)); ok {
			names = append(names, name)
		}
	}
	return names
}

// try runs a rule that validator judges over a value that is not empty, for it panics at
// what it cannot do.
func (in *inspection) try(c model.Constraint, t *model.Type) {
	if in.compiler.judgeOf(c, t) != nil {
		return
	}
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case in.compiler.rules[c.Name].own:
			in.fail("validate tag has the rule %q, whose Check panics when it judges the type %s: %v", c.Name, t.Go, cause)
		case c.Param == "":
			in.fail("validate tag has the rule %q, which cannot judge the type %s; change the rule, or the type", c.Name, t.Go)
		default:
			in.fail("validate tag has the rule %q with the parameter %q, which does not fit the type %s", c.Name, c.Param, t.Go)
		}
	}()
	_ = in.compiler.single.Var(specimen(t).Interface(), render(c)) // whether it holds does not matter
}

// specimen returns a value of a type that is not empty.
// Most rules pass over an empty value before they look at their parameter.
func specimen(t *model.Type) reflect.Value {
	v := reflect.New(t.Base()).Elem()
	switch t.Kind {
	case model.Bool:
		v.SetBool(true)
	case model.Int:
		v.SetInt(1)
	case model.Uint:
		v.SetUint(1)
	case model.Float:
		v.SetFloat(1)
	case model.String:
		v.SetString("a")
	case model.Bytes:
		v.SetBytes([]byte("a"))
	case model.List:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case model.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a").Convert(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	case model.Any:
		v.Set(reflect.ValueOf("a"))
	}
	return v
}
