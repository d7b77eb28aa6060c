package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// View is the set of struct fields that one kind of message contains. It is immutable once it is made.
type View struct {
	Struct  *Struct
	Name    string      // suffix of the struct's name if both have one; "" for responses
	Title   string      // replaces the struct's name; "" for a view without a name of its own
	Fields  []ViewField // in the order of the struct
	Request bool        // clients send it
	Named   bool        // of a body: the record exists, or the path names it
	Merges  bool        // of a body: it is merged into the record (RFC 7396), and omitted fields are kept
	Listed  bool        // of an element of a body's list: one with an identifier changes a record, others are created
	Removes bool        // of a body: null removes an entry of a map, as everywhere in a merge patch

	// New is the view of a struct that a merging or replacing body creates because it does not exist yet; nil for other
	// views.
	New *View
	// Sparse is the view from which clients choose fields of a response; nil for other views.
	Sparse *View
}

// ViewField is a field in a view.
type ViewField struct {
	Field    *Field
	Readable bool // responses show it
	Writable bool // clients set it; the value in a body is ignored otherwise
	Required bool // responses always have it; a body without it is invalid
	// Needed means that a record must have a value, so null is invalid even in a body that may omit the field.
	Needed bool
	// Computed means that it is not a field of the struct: encoders get its JSON.
	Computed bool
	// Listed means that it is a list of records, instead of which a body may have its path, which is ignored.
	Listed bool
	// Inner is the view of the struct that the field's type is or contains, also in lists and maps; nil for none.
	Inner *View
}

// Field returns the view's entry for a field, nil if the view does not have it.
func (v *View) Field(f *Field) *ViewField {
	if v == nil {
		return nil
	}
	for i := range v.Fields {
		if v.Fields[i].Field == f {
			return &v.Fields[i]
		}
	}
	return nil
}

// Names lists the JSON names of the fields for which has returns true, nil for none.
func (v *View) Names(has func(*ViewField) bool) []string {
	var names []string
	for i := range v.Fields {
		if m := &v.Fields[i]; has(m) {
			names = append(names, m.Field.Name)
		}
	}
	return names
}

// Shows lists the JSON names of the fields that responses show.
func (v *View) Shows() []string { return v.Names(func(m *ViewField) bool { return m.Readable }) }

// Only returns the view with just the fields of those JSON names, including everything nested in them.
func (v *View) Only(names []string) *View {
	narrow := *v
	narrow.Fields = make([]ViewField, 0, min(len(names), len(v.Fields)))
	for _, m := range v.Fields {
		if slices.Contains(names, m.Field.Name) {
			narrow.Fields = append(narrow.Fields, m)
		}
	}
	return &narrow
}

// Without returns the view under another name, with the fields of those JSON names optional because their values come
// from the path.
func (v *View) Without(names []string, called string) *View {
	spared := *v
	spared.Name, spared.Fields = called, slices.Clone(v.Fields)
	for i := range spared.Fields {
		if m := &spared.Fields[i]; slices.Contains(names, m.Field.Name) {
			m.Required, m.Needed = false, false
		}
	}
	return &spared
}

// IsComplete reports whether responses show all fields of the struct and of nested structs.
func (v *View) IsComplete() bool { return v.isComplete(map[*View]bool{}) }

func (v *View) isComplete(met map[*View]bool) bool {
	if v == nil || met[v] {
		return true
	}
	met[v] = true
	if len(v.Fields) != len(v.Struct.Fields)+len(v.Struct.Inverses) {
		return false
	}
	return !slices.ContainsFunc(v.Fields, func(m ViewField) bool { return !m.Readable || !m.Inner.isComplete(met) })
}

// StructIn returns the struct that a type is or contains, nil for none.
func (t *Type) StructIn() *Struct {
	for ; t != nil; t = t.Elem {
		if t.Struct != nil {
			return t.Struct
		}
	}
	return nil
}

// Compose makes a named view with the given fields of a response, by JSON name. The error joins an error for each
// invalid name.
func (v *View) Compose(title string, names []string) (*View, error) {
	var errs []error
	if len(names) == 0 {
		errs = append(errs, errors.New("Fields: list at least one field"))
	}
	shown := v.Shows()
	for i, name := range names {
		f := v.Struct.Field(name)
		switch {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("duplicate field %q", name))
		case slices.Contains(shown, name):
		case f != nil && f.Hidden:
			errs = append(errs, fmt.Errorf("the field %q is hidden", name))
		case f != nil && f.WriteOnly:
			errs = append(errs, fmt.Errorf("the field %q is writeonly", name))
		case strings.Contains(name, "."):
			errs = append(errs, fmt.Errorf("the nested field %q is not supported; allowed: %s", name, strings.Join(shown, ", ")))
		default:
			errs = append(errs, fmt.Errorf("unknown field %q%s", name, naming.Allowed(name, shown)))
		}
	}
	made := v.Only(names)
	made.Title = title
	made.Sparse = made.sparse()
	return made, errors.Join(errs...)
}

// sparseName is the name of the views from which clients choose fields.
const sparseName = "Sparse"

// sparse returns the view from which clients choose fields. Only the identifier is required.
func (v *View) sparse() *View {
	chosen := *v
	chosen.Name, chosen.Fields = sparseName, slices.Clone(v.Fields)
	for i := range chosen.Fields {
		chosen.Fields[i].Required = chosen.Fields[i].Field.Identifier
	}
	return &chosen
}

// With returns the view of a response with computed fields added.
func (v *View) With(computed []ViewField) *View {
	made := *v
	made.Title, made.Fields = "", append(slices.Clone(v.Fields), computed...)
	made.Sparse = made.sparse()
	return &made
}
