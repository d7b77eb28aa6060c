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

	fields []namedField // those in the name of the rule
}

// NewWhen returns the condition of a rule on the records of a struct.
func NewWhen(rule *authz.Rule, declared access.Rule, record *model.Struct) *When {
	return &When{Rule: rule, Declared: declared, fields: fieldsNamed(declared.Describe(), record, false)}
}

// Conditional returns the operation with the condition on the records that a request changes, itself or its Element; nil for
// none. Records of a body count if the path names no record with a condition.
func (o *Operation) Conditional() *Operation {
	switch of := o.Element; {
	case of != nil && of.When != nil && (o.When == nil || !o.Item):
		return of
	case o.When != nil:
		return o
	}
	return nil
}

// namedField is a field in the name of a rule.
type namedField struct {
	of     *model.Struct // of the records that have it
	path   string        // "status", "address.city", "item.location"
	behind bool          // these records are not those that the rule is about
}

// fieldsNamed returns the fields in the name of a rule on the records of a struct. A name of the user's own has none.
func fieldsNamed(d access.Description, of *model.Struct, behind bool) (found []namedField) {
	if d.Named || of == nil {
		return nil
	}
	switch f, r := of.Field(d.Field), of.ReferredBy(d.Field); {
	case d.Kind == "related" && r != nil:
		of, behind = r.From, true
		found = []namedField{{of, r.Field.Name, true}}
	case d.Field != "":
		found = []namedField{{of, d.Field, behind}}
		if d.Kind == "through" && f != nil && f.Reference != nil {
			of, behind = f.Reference.Target, true
		}
	}
	for _, part := range d.Parts {
		found = append(found, fieldsNamed(part.Describe(), of, behind)...)
	}
	return found
}

// isHidden reports whether the field is hidden from everyone, or one before it in the path.
func (n namedField) isHidden() bool {
	for s, path := n.of, n.path; s != nil && path != ""; {
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

// NamesHidden reports whether the name of a rule reveals a field that is hidden from everyone: of a record, or of others that
// the rule looks at.
func NamesHidden(d access.Description, record *model.Struct) bool {
	return slices.ContainsFunc(fieldsNamed(d, record, false), namedField.isHidden)
}

// Unmet returns the text for clients if the operation's condition does not hold. The place is that of the record in the body,
// "" for the record of the path. The text names the condition only if the caller may see the fields that the name has; nil is
// a caller who sees all but those that are hidden from everyone.
func (o *Operation) Unmet(place string, c *authz.Caller) string {
	record := naming.Phrase(o.Resource.ShortName)
	if place != "" {
		record += " at " + place
	}
	isSecret := func(n namedField) bool {
		r := o.API.ByStruct[n.of]
		return n.isHidden() || c != nil && r != nil && (!o.API.Shows(c, r, n.path) || n.behind && r.Read.Decide(c) == authz.Denied)
	}
	if slices.ContainsFunc(o.When.fields, isSecret) {
		return problem.WrongState.Detail(record)
	}
	if o.When.Declared.Describe().Named && strings.HasSuffix(o.When.Rule.Name, ".") {
		return o.When.Rule.Name
	}
	return problem.Unmet.Detail(record, o.When.Rule.Name)
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
	if v = reflect.Indirect(v); !v.IsValid() {
		return "null"
	}
	return fmt.Sprint(v.Interface())
}
