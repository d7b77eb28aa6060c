package html

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/naming"
)

// form is a form that runs an operation.
type form struct {
	ID, Title, Text string
	Action, Submit  string
	Danger, Open    bool
	Was             string // hashes of the values, "" for none
	Errors          []formError
	Inputs          []*input
}

// formError is an error in a form. Without an input it is about the form as a whole.
type formError struct{ ID, Label, Message string }

// action returns the URL of a form. HTML forms can only POST, so the method is in the query.
func action(path, method, tag, next string) string {
	query := url.Values{}
	if method != http.MethodPost {
		query.Set("_method", method)
	}
	if tag != "" {
		query.Set("_if_match", tag)
	}
	if next != "" {
		query.Set("_next", next)
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// newForm returns the form of an operation, without its inputs.
func (s *site) newForm(op *format.Operation, path, tag, next string) *form {
	made := &form{ID: "run-" + op.ID, Title: op.Summary, Text: op.Description, Action: action(path, op.Method, tag, next)}
	if made.Title == "" {
		made.Title = naming.Label(op.ID)
	}
	made.Submit = made.Title
	switch {
	case op.Custom:
	case op.Method == http.MethodDelete:
		made.Title, made.Submit, made.Danger, made.Text = s.standard(op, "Delete"), "Delete", true, "This cannot be undone."
	case op.Method == http.MethodPost:
		made.Title, made.Submit, made.Text = s.standard(op, "New"), "Create", ""
	default:
		made.Title, made.Submit, made.Text = s.standard(op, "Edit"), "Save", ""
	}
	return made
}

// standard returns the title of a standard operation: a verb and the name of a record.
func (s *site) standard(op *format.Operation, verb string) string {
	r := s.known().owners[op.ID]
	if r == nil {
		return verb
	}
	return verb + " " + naming.Phrase(r.Name)
}

// fill adds the inputs of an operation's body to its form, and reports whether the form is complete.
func (made *form) fill(in *inputs, t *format.Type, current []byte) bool {
	if t == nil {
		return true
	}
	in.id, in.met = made.ID, map[*format.Type]bool{}
	if t.Kind != format.Object || len(t.Fields) == 0 {
		made.Inputs = []*input{{Kind: "area", ID: made.ID + "-body", Name: wholeField, Label: "Body", Hint: "JSON.", Value: in.typed.Get(wholeField)}}
		return true
	}
	made.Inputs = in.of(t, current, "", 0)
	if in.was != nil {
		made.Was = in.was.Encode()
	}
	if len(in.left) > 0 {
		made.Text = join(made.Text, "Too long to edit here: "+strings.Join(in.left, ", ")+".")
	}
	return len(in.left) == 0
}

// ofRecord returns the forms for the operations on a record, and links to those that only read.
func (s *site) ofRecord(may permitted, current []byte) (forms []*form, links []link) {
	var deletes []*form
	canPatch := slices.ContainsFunc(may.ids, func(id string) bool { return s.isUpdate(id, http.MethodPatch) })
	for _, id := range may.ids {
		op := s.known().operations[id]
		if op == nil || s.isSession(op) || canPatch && s.isUpdate(id, http.MethodPut) {
			continue
		}
		at, known := expand(op.Path, may.values)
		switch {
		case !known, op.Method == http.MethodGet && at == may.path:
			continue
		case op.Method == http.MethodGet:
			links = append(links, link{Title: titleOfOperation(op), Path: at})
			continue
		}
		switch made := s.formOn(op, at, may, current); {
		case made == nil:
		case made.Danger:
			deletes = append(deletes, made)
		default:
			forms = append(forms, made)
		}
	}
	return append(forms, deletes...), links
}

// formOn returns the form of an operation on a record, nil for none.
func (s *site) formOn(op *format.Operation, path string, may permitted, current []byte) *form {
	made := s.newForm(op, path, may.tag, "")
	in := &inputs{site: s, locked: may.locked}
	if op.Method == http.MethodPatch {
		in.was = url.Values{}
	}
	owner := s.known().owners[op.ID]
	if op.Expects == nil || owner == nil || op.Expects.Name != owner.Name || op.Custom { // the body is not the record
		current = nil
	}
	switch isWhole := made.fill(in, op.Expects, current); {
	case !isWhole && op.Method == http.MethodPut: // it would empty what it lacks
		return nil
	case op.Expects != nil && len(made.Inputs) == 0: // the caller may set nothing
		return nil
	}
	return made
}

// isUpdate reports whether an operation changes a record with a method.
func (s *site) isUpdate(id, method string) bool {
	op := s.known().operations[id]
	return op != nil && op.Method == method && !op.Custom && op.Expects != nil
}

// ofCollection returns the forms for the operations of a collection without a record, and links to those that only read.
func (s *site) ofCollection(list format.Page, path string) (forms []*form, links []link) {
	ids := list.Allowed()
	var values map[string]string
	for _, id := range ids { // the collection itself, perhaps below other records
		if op := s.known().operations[id]; op != nil && op.Collection && values == nil {
			values, _ = variables(op.Path, path)
		}
	}
	for _, id := range ids {
		op := s.known().operations[id]
		if op == nil || s.isSession(op) {
			continue
		}
		at, known := expand(op.Path, values)
		switch {
		case !known, op.Method == http.MethodGet && at == path:
			continue
		case !op.Custom && op.Method == http.MethodPost && at != path: // the form of another collection
			continue
		case op.Method == http.MethodGet:
			links = append(links, link{Title: titleOfOperation(op), Path: at})
			continue
		}
		made := s.newForm(op, at, "", "")
		made.fill(&inputs{site: s, locked: list.Locked()}, op.Expects, nil)
		forms = append(forms, made)
	}
	return forms, links
}

func titleOfOperation(op *format.Operation) string {
	if op.Summary != "" {
		return op.Summary
	}
	return naming.Label(op.ID)
}
