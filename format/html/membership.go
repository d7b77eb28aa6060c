package html

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
	"github.com/trove-api/trove/internal/naming"
)

// membership is a list of references that has operations of its own: one adds a reference, another removes one.
type membership struct {
	ID, Title string
	Elements  []element
	More      int   // how many elements are not shown
	Add       *form // nil if the caller may not add
}

// element is a reference in such a list.
type element struct {
	value

	Remove string // the URL that removes it, "" if the caller may not
}

// permitted is what the caller may do with a record.
type permitted struct {
	ids    []string // of operations
	locked []string // fields that they may not set
	tag    string
	path   string            // of the record
	values map[string]string // the variables of the path
}

// permittedOn returns what the caller may do with a record.
func (s *site) permittedOn(item format.Item, r *format.Resource) (may permitted, err error) {
	if may.ids, err = item.Allowed(); err != nil || len(may.ids) == 0 {
		return may, err
	}
	if may.locked, err = item.Locked(); err != nil {
		return may, err
	}
	may.path = item.Path()
	may.values = s.local(r, may.path, item.ID())
	may.tag, err = item.Tag()
	return may, err
}

// memberships returns the lists of a record that the caller may change one by one.
func (s *site) memberships(may permitted, text []byte) (lists []*membership) {
	fields, embedded := split(text)
	for _, id := range may.ids {
		op := s.known().operations[id]
		if op == nil || op.Membership == "" || slices.Contains(may.locked, op.Membership) {
			continue
		}
		of := s.listOf(op)
		if of == nil {
			continue
		}
		at := slices.IndexFunc(lists, func(m *membership) bool { return m.ID == "list-"+of.Name })
		if at < 0 {
			at = len(lists)
			lists = append(lists, &membership{ID: "list-" + of.Name, Title: "Edit " + naming.Phrase(of.Name)})
			lists[at].show(fields[of.Name], of, embedded[of.Name])
		}
		lists[at].allow(s, op, of, may, scan.Values(fields[of.Name]))
	}
	return slices.DeleteFunc(lists, func(m *membership) bool { return m.Add == nil && len(m.Elements) == 0 })
}

// listOf returns the list that an operation changes, nil for none.
func (s *site) listOf(op *format.Operation) *format.TypeField {
	owner := s.known().owners[op.ID]
	if owner == nil || owner.Type == nil {
		return nil
	}
	for i := range owner.Type.Fields {
		if f := &owner.Type.Fields[i]; f.Name == op.Membership && f.Reference != nil && f.Reference.Many && f.Type.Elem != nil {
			return f
		}
	}
	return nil
}

// show adds the elements, as far as the caller sees them.
func (m *membership) show(text []byte, of *format.TypeField, embedded []byte) {
	if len(text) == 0 {
		return
	}
	shown := showField(text, of, embedded, ofRecord())
	m.More = shown.More
	for _, v := range shown.Items {
		m.Elements = append(m.Elements, element{value: v})
	}
}

// allow adds an operation to the list.
func (m *membership) allow(s *site, op *format.Operation, of *format.TypeField, may permitted, elements []scan.Named) {
	at := func(part string) (string, bool) {
		values := map[string]string{of.Name: part}
		maps.Copy(values, may.values)
		return expand(op.Path, values)
	}
	if op.Method == http.MethodPut && m.Add == nil {
		if path, known := at(url.PathEscape("{" + of.Name + "}")); known {
			m.Add = s.addForm(op, path, may.tag, may.path+"#saved", &inputs{site: s})
		}
	}
	if op.Method != http.MethodDelete {
		return
	}
	for i := range m.Elements {
		id := string(of.Reference.AppendID(nil, elements[i].Text))
		if path, known := at(url.PathEscape(id)); known && id != "" {
			m.Elements[i].Remove = action(path, op.Method, may.tag, may.path+"#saved")
		}
	}
}

// addForm returns the form that adds a reference to a list. Its path has the variable in braces, for which the server
// takes the input.
func (s *site) addForm(op *format.Operation, path, tag, next string, in *inputs) *form {
	of := s.listOf(op)
	if of == nil {
		return nil
	}
	made := s.newForm(op, path, tag, next)
	made.Title, made.Submit, made.Danger, made.Text = "Add to "+naming.Phrase(of.Name), "Add", false, ""
	in.id = made.ID
	one := &format.TypeField{Name: of.Name, Type: of.Type.Elem, Reference: of.Reference}
	field := in.input(one, nil, of.Name, maxNested)
	field.Label = naming.Label(of.Reference.To)
	made.Inputs = []*input{field}
	return made
}
