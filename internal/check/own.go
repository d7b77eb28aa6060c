package check

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// ruleName is the form of validator's own rule names.
var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// reserved are words of tags that are not rules.
var reserved = []string{"omitempty", "omitnil", "omitzero", "dive", "keys", "endkeys", "structonly", "nostructlevel"}

// add adds a rule from Config.Rules. Names of built-in rules are rejected, so that a tag means the same in every
// program.
func (c *Compiler) add(rule validation.Rule) error {
	if over := structRuleOf(rule); over.typ != nil {
		switch {
		case over.typ.Kind() != reflect.Struct:
			return fmt.Errorf("validation.Struct needs a struct, found %s", over.typ)
		case over.check == nil:
			return fmt.Errorf("validation.Struct[%s] has a nil function", over.typ)
		}
		c.structs = append(c.structs, over)
		return nil
	}
	_, known := c.rules[rule.Name]
	switch {
	case !ruleName.MatchString(rule.Name):
		return fmt.Errorf("Name is %q; allowed: lower-case letters, digits and underscores", rule.Name)
	case known:
		return fmt.Errorf("Name is %q, which is already a rule", rule.Name)
	case rule.Check == nil:
		return fmt.Errorf("%s: Check is nil", rule.Name)
	case slices.Contains(reserved, rule.Name):
		return fmt.Errorf("Name is %q, which validator reserves", rule.Name)
	}
	c.rules[rule.Name] = spec{fits: everyKind, own: &rule, message: rule.Message}
	return nil
}

// ownRule compiles a rule from Config.Rules.
func (c *Compiler) ownRule(rule *validation.Rule, param string, at *declaration) predicate {
	embedded := at.field.Index[:max(0, len(at.field.Index)-1)]
	return func(p *pass, v reflect.Value) bool {
		level := &fieldLevel{check: rule.Check, top: p.top, parent: v, field: v, at: &p.at, tag: rule.Name, param: param}
		if p.owner.IsValid() {
			level.parent = p.owner.FieldByIndex(embedded)
		} else { // there is no record, as for an example in a tag
			level.top = v
		}
		_ = c.validator().VarCtx(context.WithValue(context.Background(), levelKey{}, level), "", levelRule)
		return level.holds
	}
}

// fieldLevel is what a rule from Config.Rules receives. Names are Go names, as in validator, whose field level follows
// paths of them.
type fieldLevel struct {
	validator.FieldLevel

	check              validator.Func
	holds              bool
	top, parent, field reflect.Value
	at                 *model.Location
	tag, param         string
}

// levelKey is the key of a fieldLevel in a context.
type levelKey struct{}

// levelRule is the name of a rule of validator that runs the rule in its context, which then has validator's field level.
const levelRule = "trove_own"

func (f *fieldLevel) Top() reflect.Value    { return f.top }
func (f *fieldLevel) Parent() reflect.Value { return f.parent }
func (f *fieldLevel) Field() reflect.Value  { return f.field }
func (f *fieldLevel) FieldName() string     { return f.StructFieldName() }
func (f *fieldLevel) Param() string         { return f.param }
func (f *fieldLevel) GetTag() string        { return f.tag }
func (f *fieldLevel) StructFieldName() string {
	name := ""
	for _, s := range f.at.Segments() {
		switch s.Kind {
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

func (f *fieldLevel) GetStructFieldOK() (reflect.Value, reflect.Kind, bool) {
	value, kind, _, found := f.GetStructFieldOK2()
	return value, kind, found
}

//nolint:revive // validator.FieldLevel has four results
func (f *fieldLevel) GetStructFieldOK2() (value reflect.Value, kind reflect.Kind, nullable, found bool) {
	return f.GetStructFieldOKAdvanced2(f.parent, f.param)
}

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
		}{&fieldLevel{at: &model.Location{}}, &over})
	}
	return over
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

// walk runs the rule for each struct of its type in a value, and adds the violations. Any other error ends the walk,
// because it is not the client's fault.
func (r *structRule) walk(ctx context.Context, p *pass, t *model.Type, v reflect.Value) {
	if p.err != nil || !r.leads[t.StructIn()] || t.Nullable && v.IsNil() {
		return
	}
	if t.Nullable {
		v = v.Elem()
	}
	switch {
	case t.Struct != nil:
		if t.Struct.Go == r.typ {
			err := r.check(ctx, v.Addr().Interface())
			violations, onlyViolations := validation.Violations(err)
			if !onlyViolations {
				p.err = err
				return
			}
			for _, violation := range violations {
				p.AddBelow(&p.at, violation)
			}
		}
		for _, f := range t.Struct.Fields {
			p.at.ToField(f)
			r.walk(ctx, p, f.Type, f.Value(v))
			p.at.Up()
		}
	case t.Kind == model.Map:
		for _, key := range sortedKeys(v) {
			// A rule takes a pointer, and entries of maps have no memory address: it gets a copy, whose changes are lost.
			entry := reflect.New(v.Type().Elem()).Elem()
			entry.Set(v.MapIndex(key))
			p.at.ToEntry(key.String())
			r.walk(ctx, p, t.Elem, entry)
			p.at.Up()
		}
	default:
		for i := range v.Len() {
			p.at.ToElement(i)
			r.walk(ctx, p, t.Elem, v.Index(i))
			p.at.Up()
		}
	}
}
