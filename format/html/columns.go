package html

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/naming"
)

// maxColumns is how many fields a table shows if the client has not selected any. More are wider than most windows.
const maxColumns = 7

// column is a field of the records.
type column struct {
	Label, Hint string
	IsNumber    bool
	Sort        string // the path of the page sorted by the field, "" if it cannot be sorted
	Sorted      string // "ascending", "descending" or ""
}

// shape is how the values of a field fit in a table. Smaller ones are further to the left.
type shape int

const (
	isTitle shape = iota
	isShort
	isIdentifier // the title leads to the record already
	isLongText
	isList
	isNested
	isCollection // the path of other records
)

// shapeOf returns the shape of a field. It does not depend on values, so that all pages of a collection have the same
// columns.
func shapeOf(f *format.TypeField, t *format.Type) shape {
	switch kind := f.Type.Kind; {
	case f.Name == t.Title:
		return isTitle
	case f.Reference != nil && f.Reference.Inverse:
		return isCollection
	case f.Name == t.ID && t.Title == "":
		return isTitle
	case f.Name == t.ID:
		return isIdentifier
	case kind == format.List:
		return isList
	case kind == format.Object || kind == format.Map || kind == format.Any:
		return isNested
	case kind == format.Text && f.Type.Choices == nil && f.Reference == nil && (f.Type.MaxLength > 200 || f.Type.Format == "byte" || isLong(f.Name)):
		return isLongText
	}
	return isShort
}

// choose returns the fields that a table shows: those that the client has selected, else the first ones after sorting them
// by shape, with the one that sorts the page.
func choose(has []*format.TypeField, t *format.Type, list format.Page, sorts string) []*format.TypeField {
	if list.Selected() != nil {
		return has
	}
	byShape := func(a, b *format.TypeField) int { return int(shapeOf(a, t) - shapeOf(b, t)) }
	has = slices.Clone(has)
	slices.SortStableFunc(has, byShape)
	if len(has) <= maxColumns {
		return has
	}
	if at := slices.IndexFunc(has, func(f *format.TypeField) bool { return f.Name == sorts }); at >= maxColumns {
		has[maxColumns-1] = has[at]
	}
	return has[:maxColumns]
}

// sortedBy returns the field that a page is sorted by first, "" for none.
func sortedBy(list format.Page, self string) string {
	for _, p := range list.Parameters() {
		if p.Role == "sort" {
			first, _, _ := strings.Cut(queryOf(self).Get(p.Name), ",")
			return strings.TrimPrefix(first, "-")
		}
	}
	return ""
}

// more returns links to the same page with all fields, and with the titles of references.
func more(has, shown []*format.TypeField, list format.Page, self string, rows []written) (links []link) {
	path, _, _ := strings.Cut(self, "?")
	with := func(p format.Parameter, names []string) string {
		query := queryOf(self)
		query.Set(p.Name, strings.Join(names, ","))
		return path + "?" + query.Encode()
	}
	for _, p := range list.Parameters() {
		switch {
		case self == "":
		case p.Role == "fields" && len(shown) < len(has):
			links = append(links, link{"Show all fields", with(p, namesOf(has))})
		case p.Role == "expand" && !queryOf(self).Has(p.Name):
			if names := untitled(shown, rows); names != nil {
				links = append(links, link{"Show titles of references", with(p, names)})
			}
		}
	}
	return links
}

// titles returns the link to the page of a record with the titles of its references, or nothing if they are known.
func (s *site) titles(r *format.Resource, path string, text []byte, t *format.Type) []link {
	fields := make([]*format.TypeField, len(t.Fields))
	for i := range t.Fields {
		fields[i] = &t.Fields[i]
	}
	one := written{}
	one.fields, one.embedded = split(text)
	names := untitled(fields, []written{one})
	for i := range r.Operations {
		op := &r.Operations[i]
		if names == nil || op.Path != r.Path || op.Method != http.MethodGet {
			continue
		}
		for _, p := range op.Parameters {
			if p.Role == "expand" {
				return []link{{"Show titles of references", path + "?" + url.Values{p.Name: {strings.Join(names, ",")}}.Encode()}}
			}
		}
	}
	return nil
}

func namesOf(fields []*format.TypeField) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// untitled returns the references whose titles are not known but can be.
func untitled(shown []*format.TypeField, rows []written) (names []string) {
	for _, f := range shown {
		if f.Reference == nil || f.Embedded == nil || f.Embedded.Title == "" || f.Always {
			continue
		}
		if slices.ContainsFunc(rows, func(r written) bool {
			text := string(r.fields[f.Name])
			return text != "" && text != "null" && text != "[]" && r.embedded[f.Name] == nil
		}) {
			names = append(names, f.Name)
		}
	}
	return names
}

// leading returns the index of the column that links to the record: its title, else its identifier, else the first.
func leading(shown []*format.TypeField, t *format.Type) int {
	for _, name := range []string{t.Title, t.ID} {
		if i := slices.IndexFunc(shown, func(f *format.TypeField) bool { return name != "" && f.Name == name }); i >= 0 {
			return i
		}
	}
	return 0
}

// column makes the head of a column.
func (s *site) column(f *format.TypeField, list format.Page, self string) column {
	made := column{Label: naming.Label(f.Name), Hint: f.Description, IsNumber: f.Type.Kind == format.Integer || f.Type.Kind == format.Number}
	parameters := list.Parameters()
	sort := slices.IndexFunc(parameters, func(p format.Parameter) bool { return p.Role == "sort" })
	canSort := slices.ContainsFunc(parameters, func(p format.Parameter) bool { return p.Role == "order" && p.Field == f.Name })
	if sort < 0 || !canSort || self == "" {
		return made
	}
	query := withoutPage(queryOf(self), parameters)
	name, next := parameters[sort].Name, f.Name
	switch query.Get(name) {
	case f.Name:
		made.Sorted, next = "ascending", "-"+f.Name
	case "-" + f.Name:
		made.Sorted = "descending"
	}
	query.Set(name, next)
	path, _, _ := strings.Cut(self, "?")
	made.Sort = path + "?" + query.Encode()
	return made
}

// withoutPage removes the parameters that choose a page, because another order or filter has other pages.
func withoutPage(query url.Values, parameters []format.Parameter) url.Values {
	for _, p := range parameters {
		if p.Role == "page" || p.Role == "cursor" || p.Role == "offset" {
			delete(query, p.Name)
		}
	}
	return query
}
