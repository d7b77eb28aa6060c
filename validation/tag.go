package validation

// Constraint is one rule of a validate tag: max=200 is {Name: "max", Param: "200"}.
type Constraint struct {
	// Name is the rule's name. Alternatives have none.
	Name string
	// Param is what follows the rule's "=", with validator's escapes (0x2C for a comma,
	// 0x7C for a bar) resolved; "" for nothing.
	Param string
	// Or are the alternatives of rules joined by "|", of which one must hold.
	Or []Constraint
}

// Rules is a parsed validate tag. The zero value has no rules.
type Rules struct {
	// All are the rules of the value itself, in order, without those that only steer
	// (omitempty, dive and the like).
	All []Constraint
	// OmitEmpty says that an empty value is not checked: omitempty, omitnil or omitzero.
	OmitEmpty bool
	// Keys are the rules of a map's keys, between keys and endkeys; nil for none.
	Keys *Rules
	// Elem are the rules behind dive, for each element; nil for none.
	Elem *Rules
	// Skip says that the field is not validated at all: "-".
	Skip bool
}

// Find returns the first constraint of that name among r.All, and whether there is one.
func (r *Rules) Find(name string) (Constraint, bool) {
	for _, c := range r.All {
		if c.Name == name {
			return c, true
		}
	}
	return Constraint{}, false
}
