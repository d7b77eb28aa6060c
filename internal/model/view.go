package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// View is what one message has of a struct. It is only read once it is made.
type View struct {
	Struct  *Struct
	Name    string      // follows the name of the struct where both have one; "" for what is answered
	Title   string      // stands for the name of the struct; "" for a view that the user has not named
	Fields  []ViewField // in the order of the struct
	Request bool        // clients send it
	Named   bool        // in requests: of what is stored, or is named by the path
	Merges  bool        // in requests: it is merged into what is there, as RFC 7396 says, and what is left out stays
	Removes bool        // in requests: null removes an entry of a map, as in any part of a merge patch

	// New is the view by which a body that merges with a struct, or replaces it, makes one
	// where there is none yet; nil for other views.
	New *View
	// Sparse is the view of what clients choose of the answers of one that the user has named;
	// nil for others.
	Sparse *View
}

// Member is a member that a view has.
type ViewField struct {
	Field    *Field
	Readable bool // answers show it
	Writable bool // clients set it; what a body has of another member is passed over
	Required bool // it is always there: a body without it is refused
	// Needed says that a record cannot do without it, so that null is no value of it in a
	// body that may leave it out, either.
	Needed bool
	// Beside says that it is no member of the struct: encoders are handed its JSON.
	Computed bool
	// Inner is the view of the struct that the member's type is or holds, through lists and
	// maps too; nil where there is none.
	Inner *View
}

// Member returns the member of a field, nil where the view does not have it.
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

// Names lists the JSON names of the members that a test lets pass, nil for none.
func (v *View) Names(has func(*ViewField) bool) []string {
	var names []string
	for i := range v.Fields {
		if m := &v.Fields[i]; has(m) {
			names = append(names, m.Field.Name)
		}
	}
	return names
}

// Shows lists the JSON names of the members that answers show.
func (v *View) Shows() []string { return v.Names(func(m *ViewField) bool { return m.Readable }) }

// Only returns the view with the members of those JSON names, as far as it has them, and
// with all that is in these.
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

// Without returns the view under another name in which no body must have the fields of those
// JSON names: something else than the body says what they are.
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

// IsWhole reports whether answers show all of a struct, and of those within it.
func (v *View) IsWhole() bool { return v.isWhole(map[*View]bool{}) }

func (v *View) isWhole(met map[*View]bool) bool {
	if v == nil || met[v] {
		return true
	}
	met[v] = true
	if len(v.Fields) != len(v.Struct.Fields)+len(v.Struct.Inverses) {
		return false
	}
	return !slices.ContainsFunc(v.Fields, func(m ViewField) bool { return !m.Readable || !m.Inner.isWhole(met) })
}

// StructIn returns the struct that a type is or holds, nil for none.
func (t *Type) StructIn() *Struct {
	for ; t != nil; t = t.Elem {
		if t.Struct != nil {
			return t.Struct
		}
	}
	return nil
}

// Compose makes the view of the user's that has those members of an answer, by their JSON
// names, and is called by the title. Its error joins every mistake in the names.
func (v *View) Compose(title string, names []string) (*View, error) {
	var errs []error
	if len(names) == 0 {
		errs = append(errs, errors.New("has no Members"))
	}
	shown := v.Shows()
	for i, name := range names {
		f := v.Struct.Field(name)
		switch {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("has the member %q twice", name))
		case slices.Contains(shown, name):
		case f != nil && f.Hidden:
			errs = append(errs, fmt.Errorf("has the member %q, which is hidden, so that no message has it", name))
		case f != nil && f.WriteOnly:
			errs = append(errs, fmt.Errorf("has the member %q, which is writeonly, so that no answer shows it", name))
		case strings.Contains(name, "."):
			errs = append(errs, fmt.Errorf("has the member %q, which is within another one; allowed: members of the record itself, %s", name,
				strings.Join(shown, ", ")))
		default:
			errs = append(errs, fmt.Errorf("has the member %q, which %s does not have; allowed: %s%s", name, v.Struct.Go,
				strings.Join(shown, ", "), naming.DidYouMean(name, shown)))
		}
	}
	made := v.Only(names)
	made.Title = title
	made.Sparse = made.sparse()
	return made, errors.Join(errs...)
}

// sparse returns the view of what clients choose of an answer: it requires the identifier alone.
func (v *View) sparse() *View {
	chosen := *v
	chosen.Name, chosen.Fields = kinds[sparse].Name, slices.Clone(v.Fields)
	for i := range chosen.Fields {
		chosen.Fields[i].Required = chosen.Fields[i].Field.Identifier
	}
	return &chosen
}

// Beside returns the view of an answer that has members beside those of the struct.
func (v *View) With(members []ViewField) *View {
	made := *v
	made.Title, made.Fields = "", append(slices.Clone(v.Fields), members...)
	made.Sparse = made.sparse()
	return &made
}
