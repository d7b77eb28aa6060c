package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// RecordConstraint is a compiled [store.Constraint] of a record.
type RecordConstraint struct {
	Unique bool     // no two records have equal values in Fields
	Fields []*Field // that are compared, or in the index; without those of the period
	// Descending has those of Fields that an index sorts in descending order.
	Descending []*Field
	From, To   *Field // of the period, which is not shared; nil if there is none
	// Where selects the records that the constraint is about. The values are of the fields' types.
	Where  []store.Condition
	Broken store.ConstraintError // the error of a write that breaks it
	Named  bool                  // its message has the names of the fields
}

// IsIndex reports whether every record satisfies the constraint.
func (r *RecordConstraint) IsIndex() bool { return !r.Unique && r.From == nil }

// NotBefore is the rule of validation that the end of a period follows. The parameter is the field of its beginning.
const NotBefore = "notbeforefield"

// maxLimit is the maximum number of values of Only and Except, which indexes of databases repeat.
const maxLimit = 100

// constrained is implemented by structs with constraints.
type constrained interface{ Constraints() []store.Constraint }

// constrain compiles the constraints of a record, which a method of the struct or of its pointer returns.
func (c *compiler) constrain(s *Struct) {
	where := Declaration{Type: s.Go}
	record := reflect.New(s.Go)
	var declared []store.Constraint
	if own, ok := reflect.TypeAssert[constrained](record); ok {
		if cause := panicOf(func() { declared = own.Constraints() }); cause != nil {
			c.fail(where, "the method Constraints panicked: %v", cause)
		}
	} else if method := record.MethodByName("Constraints"); method.IsValid() {
		c.fail(where, "the method Constraints has the type %s; allowed: func() []store.Constraint", method.Type())
	}
	for i, each := range declared {
		isSame := func(other store.Constraint) bool {
			other.Text = each.Text
			return reflect.DeepEqual(other, each)
		}
		if slices.ContainsFunc(declared[:i], isSame) {
			c.fail(where, "Constraints() has two equal constraints, %s; remove one", nameOf(each))
			continue
		}
		k := constraintCompiler{compiler: c, of: s, name: nameOf(each)}
		if made := k.compile(each); !k.failed {
			s.Constraints = append(s.Constraints, made)
		}
	}
}

// nameOf describes a constraint for messages, as it is written: NoOverlap("from", "to").
func nameOf(c store.Constraint) string {
	function := map[string]string{"unique": "Unique", "no overlap": "NoOverlap", "index": "Index"}[c.Kind]
	quoted := make([]string, len(c.Fields))
	for i, name := range c.Fields {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return function + "(" + strings.Join(quoted, ", ") + ")"
}

// constraintCompiler compiles one constraint.
type constraintCompiler struct {
	*compiler

	of     *Struct
	name   string
	failed bool
}

func (c *constraintCompiler) fail(format string, args ...any) {
	c.failed = true
	c.compiler.fail(Declaration{Type: c.of.Go}, c.name+" "+format, args...)
}

func (c *constraintCompiler) compile(declared store.Constraint) *RecordConstraint {
	made := &RecordConstraint{Unique: declared.Kind == "unique"}
	switch {
	case nameOf(declared)[0] == '(':
		c.fail("is not a constraint; create it with store.Unique, store.NoOverlap or store.Index")
	case len(declared.Fields) == 0:
		c.fail("has no fields; name at least one")
	}
	var fields []*Field
	for _, name := range declared.Fields {
		descending := false
		if declared.Kind == "index" {
			name, descending = strings.CutPrefix(name, "-")
		}
		f := c.field(name)
		switch {
		case f == nil:
			continue
		case slices.Contains(fields, f):
			c.fail("names the field %q twice", name)
		case descending:
			made.Descending = append(made.Descending, f)
		}
		fields = append(fields, f)
	}
	if declared.Kind != "index" {
		made.Where = c.of.Living()
	}
	for _, limit := range declared.Where {
		made.Where = append(made.Where, c.limit(limit)...)
	}
	if c.failed {
		return nil
	}
	made.Fields = fields
	if declared.Kind == "no overlap" {
		made.From, made.To, made.Fields = fields[0], fields[1], fields[2:]
		c.checkPeriod(made.From, made.To)
	}
	for _, f := range made.Fields {
		if !f.Type.Ordered() && (f.Type.Kind != Bytes || made.From != nil) {
			c.fail("has the field %q of type %s, which cannot be compared; allowed: a bool, number, string, time.Time or a type that marshals itself as text",
				f.Name, f.Type.Go)
		}
	}
	if !made.IsIndex() {
		made.Broken, made.Named = brokenOf(made, fields, declared.Text), declared.Text == ""
	}
	c.limitTexts(fields)
	if alone := made.Fields; made.Unique && len(alone) == 1 && alone[0].Unique && made.Where == nil {
		c.fail("repeats the word unique or id of the field; remove one")
	}
	return made
}

// field returns the field of the record with a name, or nil.
func (c *constraintCompiler) field(name string) *Field {
	if f := c.of.Field(name); f != nil {
		return f
	}
	names := c.of.Names(func(*Field) bool { return true })
	c.fail("has the field %q, which is not a field of the record%s", name, naming.Allowed(name, names))
	return nil
}

// limit returns the conditions of an Only or Except.
func (c *constraintCompiler) limit(declared store.Condition) []store.Condition {
	method := "Only"
	if declared.Operator == store.NotEqual {
		method = "Except"
	}
	f := c.field(declared.Fields[0])
	if f == nil {
		return nil
	}
	name := f.Name
	switch {
	case len(declared.Values) == 0:
		c.fail("has no values in %s(%q); add at least one", method, name)
	case len(declared.Values) > maxLimit:
		c.fail("has more than %d values in %s(%q)", maxLimit, method, name)
	case !f.Type.Ordered(), f.Reference != nil:
		// A delete may set a reference to null, and must not make a record break a constraint.
		c.fail("has the field %q of type %s in %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text, and no reference",
			name, f.Type.Go, method)
	}
	var values []any
	for _, value := range declared.Values {
		converted, ok := f.Type.Convert(value)
		switch {
		case value == nil && !f.Type.Nullable:
			c.fail("has nil in %s(%q), which cannot be null", method, name)
		case value != nil && !ok:
			c.fail("has a value of type %T in %s(%q), which is not a value of the field's type %s", value, method, name, f.Type.Base())
		case value != nil:
			values = append(values, converted)
			if found := f.Rules.Unlisted(converted); found != "" {
				c.fail("has in %s(%q) %s", method, name, found)
			}
		}
	}
	isIn := store.Condition{Fields: []string{name}, Operator: declared.Operator, Values: values}
	if len(values) == len(declared.Values) {
		return []store.Condition{isIn}
	}
	exists := store.Condition{Fields: []string{name}, Operator: store.Exists, Values: []any{method == "Except"}}
	switch {
	case values == nil:
		return []store.Condition{exists}
	case method == "Except":
		return []store.Condition{exists, isIn}
	}
	return []store.Condition{{Any: [][]store.Condition{{exists}, {isIn}}}}
}

// checkPeriod checks that two fields can be a period, and adds the rule that they have the right order.
func (c *constraintCompiler) checkPeriod(from, to *Field) {
	kind := from.Type.Kind
	isMoment := kind == Time || kind.IsNumber() || from.Type.isDate() || from.Type.HasOrderKey()
	switch {
	case !isMoment:
		c.fail("has a period that begins at %q of type %s; allowed: two times, dates or numbers of one type", from.Name, from.Type.Go)
	case from.Type.Base() != to.Type.Base():
		c.fail("has a period from %q of type %s to %q of type %s; allowed: two times, dates or numbers of one type",
			from.Name, from.Type.Go, to.Name, to.Type.Go)
	case from.Reference != nil || to.Reference != nil:
		c.fail("has a reference in the period; allowed: two times, dates or numbers of one type")
	default:
		prefix := to.GoPath[:strings.LastIndexByte(to.GoPath, '.')+1]
		begins, isBeside := strings.CutPrefix(from.GoPath, prefix)
		if !isBeside {
			c.fail("has a period of fields of different embedded structs; declare %q and %q in one struct", from.Name, to.Name)
		}
		has := slices.ContainsFunc(to.Rules.All, func(r Constraint) bool { return r.Name == NotBefore && r.Param == begins })
		if !has && !from.Hidden && !to.Hidden { // otherwise the store reports it, without names
			to.Rules.All = append(slices.Clip(to.Rules.All), Constraint{Name: NotBefore, Param: begins})
		}
	}
}

// isDate reports whether values of a type are dates, whose text sorts by date.
func (t *Type) isDate() bool {
	const date = "2024-02-29"
	if t.Kind != Text {
		return false
	}
	v, other := reflect.New(t.Base()).Elem(), reflect.New(t.Base()).Elem()
	if UnmarshalText(v, []byte(date)) != nil || UnmarshalText(other, []byte("a")) == nil {
		return false
	}
	text, err := MarshalText(v)
	return err == nil && string(text) == date
}

// brokenOf returns the error of a broken constraint. No message names a hidden field.
func brokenOf(made *RecordConstraint, fields []*Field, message string) store.ConstraintError {
	shown := func(list []*Field) (names []string) {
		for _, f := range list {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		return names
	}
	broken := store.ConstraintError{Fields: shown(fields), Message: message}
	others := shown(made.Fields)
	switch {
	case message != "":
	case len(broken.Fields) < len(fields):
		broken.Message = "The change conflicts with another record."
	case made.From == nil && len(others) == 1:
		broken.Message = others[0] + " is already in use."
	case made.From == nil:
		broken.Message = "The combination of " + strings.Join(others, " and ") + " is already in use."
	default:
		broken.Message = "The period (" + made.From.Name + ", " + made.To.Name + ") overlaps that of another record"
		if len(others) > 0 {
			broken.Message += " with the same " + strings.Join(others, " and ")
		}
		broken.Message += "."
	}
	return broken
}

// limitTexts limits the length of strings that one index has together. See [Field.MaxIndexed].
func (c *constraintCompiler) limitTexts(fields []*Field) {
	isText := func(f *Field) bool { return f.Type.Kind == String || f.Type.Kind == Text || f.Type.Kind == Bytes }
	count := 0
	for _, f := range fields {
		if isText(f) {
			count++
		}
	}
	for _, f := range fields {
		if !isText(f) {
			continue
		}
		if most := min(maxIndexedText, maxTogether/count); f.together == 0 || most < f.together {
			f.together = most
		}
		if f.Reference == nil {
			c.limitIndexed(Declaration{Type: c.of.Go, Field: f.GoPath}, f)
		}
	}
}
