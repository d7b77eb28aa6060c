package compiled

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
)

// When is a condition on the record that an operation changes, before the change.
type When struct {
	Rule     *authz.Rule
	Declared access.Rule

	fields []string // the paths of the fields that the name of the rule has
	hidden bool     // one of them is hidden from everyone
}

// NewWhen returns the condition of a rule on the records of a struct.
func NewWhen(rule *authz.Rule, declared access.Rule, record *model.Struct) *When {
	w := &When{Rule: rule, Declared: declared, fields: fieldsNamed(declared, "")}
	w.hidden = slices.ContainsFunc(w.fields, func(path string) bool { return isHidden(record, path) })
	return w
}

// Condition returns the condition on the records that a request changes, with their resource; nil for none. Records of a body
// count if the path names no record with a condition.
func (o *Operation) Condition() (*When, *Resource) {
	if of := o.Element; of != nil && of.When != nil && (o.When == nil || !o.Item) {
		return of.When, of.Resource
	}
	return o.When, o.Resource
}

// fieldsNamed returns the fields that the name of a rule has, as paths from the record. A name of the user's own has none.
func fieldsNamed(rule access.Rule, above string) (paths []string) {
	d := rule.Describe()
	if d.Named {
		return nil
	}
	if d.Field != "" {
		paths, above = []string{above + d.Field}, above+d.Field+"."
	}
	for _, part := range d.Parts {
		paths = append(paths, fieldsNamed(part, above)...)
	}
	return paths
}

// isHidden reports whether a path of fields has a hidden one.
func isHidden(s *model.Struct, path string) bool {
	for s != nil && path != "" {
		var name string
		name, path, _ = strings.Cut(path, ".")
		f := s.Field(name)
		switch {
		case f == nil:
			return false
		case f.Hidden:
			return true
		case f.Reference != nil:
			s = f.Reference.Target
		default:
			s = f.Type.StructIn()
		}
	}
	return false
}

// Unmet returns the text for clients if the condition does not hold. The place is that of the record in the body, "" for the
// record of the path. The text names the condition only if the caller may see the fields that the name has.
func (w *When) Unmet(of *Resource, place string, sees func(path string) bool) string {
	record := naming.Phrase(of.ShortName)
	if place != "" {
		record += " at " + place
	}
	if w.hidden || slices.ContainsFunc(w.fields, func(path string) bool { return !sees(path) }) {
		return problem.WrongState.Detail(record)
	}
	if w.Declared.Describe().Named && strings.HasSuffix(w.Rule.Name, ".") {
		return w.Rule.Name
	}
	return problem.Unmet.Detail(record, w.Rule.Name)
}

// Sets is the fields that an operation.Set sets.
type Sets struct {
	Fields []*model.Field
	Record any // pointer to a record with their values
}

// SetFields sets the fields of a record, which record points to, to the values of the operation's Sets. Records share no
// memory.
func (o *Operation) SetFields(record any) {
	values, to := reflect.ValueOf(o.Resource.Codec.Clone(o.Sets.Record)).Elem(), reflect.ValueOf(record).Elem()
	for _, f := range o.Sets.Fields {
		f.Value(to).Set(f.Value(values))
	}
}

// Transition describes what the operation changes if its condition and its Set are about one field:
// "status: requested → approved, by staff". It returns "" for any other operation.
func (o *Operation) Transition() string {
	if o.When == nil || o.Sets == nil {
		return ""
	}
	for _, f := range o.Sets.Fields {
		from := valuesBefore(o.When.Declared, f.Name)
		if from == nil {
			continue
		}
		text := f.Name + ": " + strings.Join(from, " or ") + " → " + textOf(f.Value(reflect.ValueOf(o.Sets.Record).Elem()))
		switch {
		case o.Access == nil:
			return text
		case IsOpen(o.Access):
			return text + ", by everyone"
		}
		return text + ", by " + o.Access.Describe().Name
	}
	return ""
}

// valuesBefore returns the values of a field for which a rule can hold, nil if the rule does not list them.
func valuesBefore(rule access.Rule, field string) (values []string) {
	d := rule.Describe()
	switch {
	case d.Kind == "where" && d.Field == field:
		for _, value := range d.Values {
			values = append(values, fmt.Sprint(value))
		}
	case d.Kind == "all":
		for _, part := range d.Parts {
			if values = valuesBefore(part, field); values != nil {
				return values
			}
		}
	}
	return values
}

// textOf writes the value of a field.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "null"
		}
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface())
}
