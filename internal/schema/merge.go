package schema

import "reflect"

// Merge adds the keywords of another schema, so that values must follow both. Of two bounds
// the tighter one stays; other keywords that both have with different values are kept apart
// by allOf. The other schema's parts are shared from then on.
func (s *Schema) Merge(from *Schema) {
	// By reflection, since a keyword that is forgotten here would be lost without a word. It runs while
	// documents are made, not for requests.
	target, source := reflect.ValueOf(s).Elem(), reflect.ValueOf(from).Elem()
	rest := &Schema{}
	for i := range source.NumField() {
		have, add := target.Field(i), source.Field(i)
		if add.IsZero() {
			continue
		}
		switch name := source.Type().Field(i).Name; {
		case reflect.DeepEqual(have.Interface(), add.Interface()):
		case have.IsZero() || name == "Format" && IsWidth(s.Format) || isTighter(name, have, add):
			have.Set(add)
		// Neither can be dropped and both cannot stand in one schema, so allOf has the other.
		case !isTighter(name, add, have):
			reflect.ValueOf(rest).Elem().Field(i).Set(add)
		}
	}
	if !rest.IsEmpty() {
		s.AllOf = append(s.AllOf, rest)
	}
}

// isTighter reports whether a bound is tighter than another. A keyword that is no bound
// never is.
// ExclusiveMin and ExclusiveMax are not among them: hardly any value has two of one,
// and allOf says the same where they do.
func isTighter(name string, have, add reflect.Value) bool {
	switch name {
	case "MinLength", "MinItems", "MinProperties":
		return add.Uint() > have.Uint()
	case "MaxLength", "MaxItems", "MaxProperties":
		return add.Elem().Uint() < have.Elem().Uint()
	case "Min":
		return Decimal(add.String()).Compare(Decimal(have.String())) > 0
	case "Max":
		return Decimal(add.String()).Compare(Decimal(have.String())) < 0
	}
	return false
}

// IsWidth reports whether a format is only about the size of a number.
// A rule that gives a format, such as email, says more than the width of the Go type that it is
// about, so the width gives way.
func IsWidth(format string) bool {
	switch format {
	case "int32", "int64", "uint64", "float", "double":
		return true
	}
	return false
}
