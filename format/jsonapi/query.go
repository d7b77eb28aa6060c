package jsonapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// renamed are the parameters that only have another name in JSON:API.
var renamed = [...]spelling{{"expand", "include"}, {"page", "page[number]"}, {"itemsPerPage", "page[size]"}, {"cursor", "page[cursor]"}}

// translator translates the query of an operation to Trove's parameters.
type translator struct {
	types      *types
	typ        *format.Type
	references map[string]*format.Reference // by field
}

func newTranslator(n *types, t *format.Type) *translator {
	made := &translator{n, t, map[string]*format.Reference{}}
	for i := range t.Fields {
		if m := &t.Fields[i]; m.Reference != nil && !m.Reference.Inverse {
			made.references[m.Name] = m.Reference
		}
	}
	return made
}

// translate translates a query, pair by pair. It leaves what it cannot decode, and unknown parameters, for Trove to
// report.
func (t *translator) translate(query string) (string, error) {
	var made []string
	for pair := range strings.SplitSeq(query, "&") {
		written, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(written)
		text, failed := url.QueryUnescape(value)
		if err == nil && failed == nil {
			ours, changed, wrong := t.parameter(name, text)
			switch {
			case wrong != "":
				return "", &format.Error{Detail: wrong, Parameter: name}
			case ours == "" && name != "":
				continue // it has no effect
			case ours != name || changed != text:
				pair = url.QueryEscape(ours) + "=" + url.QueryEscape(changed)
			}
		}
		made = append(made, pair)
	}
	return strings.Join(made, "&"), nil
}

// parameter returns Trove's name and value for a parameter, no name if it has no effect, or what is wrong with it.
func (t *translator) parameter(name, value string) (ours, text, wrong string) {
	if name == "include" && value == "" {
		return "", "", "" // include without a value includes nothing, as the response does anyway
	}
	for _, r := range renamed {
		if r.theirs == name {
			return r.ours, value, ""
		}
	}
	family, rest, bracketed := strings.Cut(name, "[")
	switch {
	case family == "page" && bracketed:
		return "", "", "Unknown parameter page[" + rest + "; allowed: page[number], page[size], page[cursor]."
	case family == "fields" && bracketed:
		return t.fields(rest, value)
	case family == "filter" && bracketed:
		return t.filter(rest, value)
	}
	return name, value, ""
}

// fields reads fields[TYPE].
func (t *translator) fields(rest, value string) (ours, text, wrong string) {
	own := t.types.name(t.typ.Name)
	switch {
	case t.typ.Name == "" || rest != own+"]":
		return "", "", "Only fields of the type of the response can be selected: fields[" + own + "]."
	case value == "":
		return "fields", t.typ.ID, ""
	}
	return "fields", value, ""
}

// filter reads filter[name], with or without an operator. A filter of a reference accepts the id of the record.
func (t *translator) filter(rest, value string) (ours, text, wrong string) {
	name, operator, closed := strings.Cut(rest, "]")
	noFilters := []string{"page", "itemsPerPage", "pagination", "partial", "cursor", "sort", "order", "fields", "expand", "filter"}
	switch {
	case !closed || name == "" || operator != "" && (!strings.HasPrefix(operator, "[") || !strings.HasSuffix(operator, "]")):
		return "", "", "A filter must be filter[name] or filter[name][operator]."
	case slices.Contains(noFilters, name):
		return "", "", `Unknown parameter "filter[` + name + `]".`
	}
	if r := t.references[name]; r != nil {
		if _, ok := r.IDAt(value); !ok {
			value = valueOf(r, value)
		}
	}
	return name + operator, value, ""
}

// valueOf returns the value that filters use for a record with an identifier.
func valueOf(r *format.Reference, id string) string {
	made, isValue := r.AppendValue(nil, id)
	if text, isText := scan.Text(made); isValue && isText {
		return text
	}
	return id
}
