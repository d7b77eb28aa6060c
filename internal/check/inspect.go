package check

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/mistake"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// inspect returns every mistake in the rules of the structs' fields. For a field with any, it adds the mistakes in its
// message tag, which are otherwise found later. Without it, validator would panic at a request.
func (c *Compiler) inspect(structs []*model.Struct) (errs []error) {
	c.invalid = map[*model.Field]bool{}
	for _, s := range structs {
		for _, f := range s.Fields {
			in := inspection{compiler: c, owner: s, field: f}
			if in.rules(f.Rules, f.Type); in.errs != nil {
				in.messages()
				c.invalid[f] = true
			}
			errs = append(errs, in.errs...)
		}
	}
	return errs
}

// inspection collects the mistakes in the rules of one field.
type inspection struct {
	compiler *Compiler
	owner    *model.Struct
	field    *model.Field
	errs     []error
}

// fail adds a mistake with the Go names of the type and the field, because it is about source code.
func (in *inspection) fail(format string, args ...any) {
	in.errs = append(in.errs, mistake.At{Type: in.owner.Go, Field: in.field.GoPath}.Errorf(format, args...))
}

// rules inspects the rules of a value, its keys and its elements.
func (in *inspection) rules(r model.Rules, t *model.Type) {
	for _, c := range r.All {
		in.constraint(c, r, t)
	}
	if r.Elem == nil {
		return
	}
	if t.Elem == nil {
		in.fail("dive in the validate tag needs a list or a map, found the type %s", t.Go)
		return
	}
	if r.Keys != nil && t.Kind != model.Map {
		in.fail("keys in the validate tag needs a map, found the type %s", t.Go)
	} else if r.Keys != nil {
		in.rules(*r.Keys, keyType(t))
	}
	in.rules(*r.Elem, t.Elem)
}

// constraint inspects one rule among those of a value: it must exist, apply to the type and have a valid parameter.
func (in *inspection) constraint(c model.Constraint, among model.Rules, t *model.Type) {
	for _, alternative := range c.Or {
		in.constraint(alternative, among, t)
	}
	if c.Or != nil {
		return
	}
	rule, known := in.compiler.rules[c.Name]
	switch {
	case !known:
		in.fail("unknown rule %q in the validate tag%s", c.Name, naming.DidYouMean(c.Name, in.compiler.names()))
	case rule.unsupported != "":
		in.fail("validate rule %q is not supported: %s", c.Name, rule.unsupported)
	case !rule.fits.has(t.Kind):
		in.fail("validate rule %q does not apply to the type %s; allowed: %s", c.Name, t.Go, rule.fits)
	case rule.param && c.Param == "":
		in.fail("validate rule %q needs a parameter: write %s=…", c.Name, c.Name)
	case rule.fields:
		in.otherFields(c, LayoutOf(among), t)
	case c.Name == "unique":
		in.unique(c, t)
	default:
		in.try(rule.own, c, t)
	}
}

// names lists the words that a validate tag may have, for suggestions. Unsupported rules are not among them.
func (c *Compiler) names() []string {
	rules := slices.DeleteFunc(slices.Sorted(maps.Keys(c.rules)), func(name string) bool { return c.rules[name].unsupported != "" })
	return append(rules, "omitempty", "omitnil", "omitzero", "dive")
}

// otherFields inspects a parameter that names other fields. A wrong name would compare with nothing, so the rule
// would always hold. Layout is that of the value's rule datetime.
func (in *inspection) otherFields(c model.Constraint, layout string, own *model.Type) {
	words, names, arePairs := Words(c.Param), fieldNames(c), namesPairs(c.Name)
	if arePairs && len(words)%2 != 0 {
		in.fail("validate rule %q needs pairs of a field and a value, such as %s=Kind box; found %q", c.Name, c.Name, c.Param)
		return
	}
	for i, name := range names {
		way, _ := fieldByGoPath(in.owner, siblingPath(in.field, c, name))
		if way == nil {
			in.unknownField(c, name, in.owner)
			continue
		}
		switch f, t := way[len(way)-1], way[len(way)-1].Type; {
		case isOrdering(c.Name) && isText(own) && isText(t) && (layout == "" || LayoutOf(f.Rules) == ""):
			in.fail("validate rule %q orders strings only as dates or times; give %s and %s the rule datetime, such as datetime=2006-01-02, "+
				"or compare them in a validation.Struct", c.Name, in.field.GoPath, f.GoPath)
		case c.Name == "postcode_iso3166_alpha2_field" && t.Go.Kind() != reflect.String,
			c.Name == "required_if" && slices.Contains(names[:i], name):
			in.cannotJudge()
		case arePairs && !isValueOf(words[2*i+1], t.Base()):
			in.fail("validate rule %q compares %q with the field %s, which has the type %s", c.Name, words[2*i+1], name, t.Go)
		}
	}
}

// unknownField adds a mistake for a name that is not a field of the struct.
func (in *inspection) unknownField(c model.Constraint, name string, s *model.Struct) {
	var options []string
	if s != nil {
		for _, f := range s.Fields {
			options = append(options, f.GoPath)
		}
	}
	allowed := ""
	if len(options) > 0 {
		allowed = "; allowed: " + strings.Join(options, ", ")
	}
	in.fail("validate rule %q names the unknown field %q%s%s", c.Name, name, allowed, naming.DidYouMean(name, options))
}

// cannotJudge adds a mistake for a rule that panics with every value.
func (in *inspection) cannotJudge() {
	in.fail("a validate rule cannot check the type %s as written; change its parameter or remove the rule", in.field.Type.Go)
}

// namesPairs reports whether the parameter of a rule has pairs of a field and a value.
func namesPairs(rule string) bool {
	switch rule {
	case "required_if", "required_unless", "excluded_if", "excluded_unless":
		return true
	}
	return false
}

// fieldNames returns the Go names of fields in the parameter of a rule.
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

// siblingPath returns the Go path of a field that a rule of f names. It starts at the Go struct of f, which may be
// embedded, or at the record for "csfield" rules.
func siblingPath(f *model.Field, c model.Constraint, name string) string {
	if strings.HasSuffix(c.Name, "csfield") {
		return name
	}
	return f.GoPath[:strings.LastIndexByte(f.GoPath, '.')+1] + name
}

// fieldByGoPath finds a field by its Go path, through nested structs. It returns the fields on the way, and the
// JSON path.
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
		if way, name := fieldByGoPath(owner, siblingPath(f, rule, path)); way != nil {
			names = append(names, name)
		}
	}
	return names
}

// unique inspects the rule unique, which compares elements or one field of them. Validator would panic at a request
// if they are not comparable.
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
		in.fail("validate rule %q cannot compare values of the type %s; allowed: scalars, or unique=Field with a scalar field",
			c.Name, compared.Go)
	}
}

// isComparable reports whether validator can use values of a type as map keys, as unique does.
func isComparable(t *model.Type) bool {
	switch {
	case t.Kind == model.Text:
		return t.Base().Comparable()
	case t.Struct != nil:
		return t.Base().Comparable() && !slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool {
			return f.Type.Nullable || !isComparable(f.Type) // pointers would compare by memory address
		})
	}
	return (scalars | only(model.Time)).has(t.Kind)
}

// isValueOf reports whether a word is a value of a field's type. Lists and maps are compared by length.
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
