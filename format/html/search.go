package html

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/naming"
)

// search is the form that filters a collection.
type search struct {
	Action  string
	Text    *input // for the search in texts, nil for none
	Filters []*input
	Hidden  []option // parameters that stay as they are
	Active  int      // filters with a value
	Clear   string   // the path without filters
}

// search makes the form that filters a collection, nil if it has no parameters for it.
func (s *site) search(list format.Page, t *format.Type, path string, query url.Values) *search {
	made := &search{Action: path, Clear: path}
	parameters := list.Parameters()
	query = withoutPage(query, parameters)
	for i, p := range parameters {
		values := query[p.Name]
		in := &input{Kind: "text", ID: "filter-" + p.Name, Name: p.Name, Label: labelOfFilter(p)}
		if len(values) > 0 && slices.Contains([]string{"search", "filter", "own"}, p.Role) {
			in.Value, values = values[0], values[1:]
		}
		switch p.Role {
		case "search":
			in.Label, made.Text = "Search", in
		case "filter", "own":
			if in.Value == "" && isRare(p, parameters[:i]) {
				continue
			}
			in.choose(p, t)
			if made.Filters = append(made.Filters, in); in.Value != "" {
				made.Active++
			}
		}
		for _, value := range values {
			made.Hidden = append(made.Hidden, option{Value: value, Label: p.Name})
		}
	}
	if made.Text == nil && made.Filters == nil {
		return nil
	}
	return made
}

// isRare reports whether a filter is only shown while it is used: another one of the field says nearly the same.
func isRare(p format.Parameter, before []format.Parameter) bool {
	switch _, how := cutOperator(p.Name); how {
	case "gt", "lt", "between", "ne":
		return true
	}
	return slices.ContainsFunc(before, func(other format.Parameter) bool { return other.Name == p.Name })
}

// cutOperator cuts the operator of a filter off its name: year[gte] is year and gte, exists[year] is year and exists.
func cutOperator(name string) (field, how string) {
	before, rest, ok := strings.Cut(name, "[")
	inner, _, closed := strings.Cut(rest, "]")
	switch {
	case !ok || !closed:
		return name, ""
	case before == "exists":
		return inner, "exists"
	}
	return before, inner
}

// labelOfFilter returns the name of a filter for people.
func labelOfFilter(p format.Parameter) string {
	words := map[string]string{
		"gte": "from", "lte": "to", "gt": "above", "lt": "below", "between": "between", "ne": "is not", "exists": "has a value",
	}
	field, how := cutOperator(p.Name)
	label := naming.Label(strings.ReplaceAll(field, ".", " "))
	if word, known := words[how]; known {
		return label + " " + word
	}
	if how != "" {
		return label + " " + how
	}
	return label
}

// choose sets the kind of a filter's input by the type of its field.
func (in *input) choose(p format.Parameter, t *format.Type) {
	of := typeAt(t, p.Field)
	_, how := cutOperator(p.Name)
	switch {
	case how == "exists", of != nil && of.Kind == format.Boolean:
		in.Kind, in.Options = "select", optionsOf([]string{"true", "false"}, in.Value)
		in.Options[0].Label, in.Options[1].Label = "Yes", "No"
	case of != nil && of.Choices != nil:
		in.Kind, in.Options = "select", optionsOf(of.Choices, in.Value)
	case of != nil && of.Format == "date-time":
		in.Kind, in.Value = "datetime", withoutZone(in.Value)
		return
	default:
		return
	}
	in.Options = append([]option{{Label: "Any", Chosen: in.Value == ""}}, in.Options...)
}

// typeAt returns the type of a field of an object, nil if the path leads through a reference or a list.
func typeAt(t *format.Type, path string) *format.Type {
	for name := range strings.SplitSeq(path, ".") {
		i := -1
		if t != nil {
			i = slices.IndexFunc(t.Fields, func(f format.TypeField) bool { return f.Name == name })
		}
		if i < 0 {
			return nil
		}
		t = t.Fields[i].Type
	}
	return t
}

// queries returns the function that reads the query of a form, which has all its inputs: it removes the empty ones, and
// adds the zone to times.
func queries(t *format.Type) func(query string) (string, error) {
	return func(query string) (string, error) {
		var kept []string
		for part := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(part, "=")
			if value == "" {
				continue
			}
			plain, err := url.QueryUnescape(name)
			field, _ := cutOperator(plain)
			if of := typeAt(t, field); err == nil && of != nil && of.Format == "date-time" {
				if text, err := url.QueryUnescape(value); err == nil {
					part = name + "=" + url.QueryEscape(withZone(text))
				}
			}
			kept = append(kept, part)
		}
		return strings.Join(kept, "&"), nil
	}
}
