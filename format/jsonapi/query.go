package jsonapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// renamed are the parameters that are called otherwise, and nothing else, and how addresses have them.
func renamed() [4]struct{ theirs, ours, spelled string } {
	return [...]struct{ theirs, ours, spelled string }{
		{"include", "expand", "include"},
		{"page[number]", "page", "page%5Bnumber%5D"},
		{"page[size]", "itemsPerPage", "page%5Bsize%5D"},
		{"page[cursor]", "cursor", "page%5Bcursor%5D"},
	}
}

// translator turns the query of an operation that answers a type into one with Trove's parameters.
type translator struct {
	types      *types
	typ        *format.Type
	references map[string]*format.Reference // by member
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

// translate translates a query, pair by pair. What cannot be decoded is left as it is, for Trove to
// tell of, and so are parameters that JSON:API knows nothing of.
func (t *translator) translate(query string) (string, error) {
	var made []byte // nil as long as all is as it was
	same := 0       // how much of the query that is
	for pair := range strings.SplitSeq(query, "&") {
		written, value, hasValue := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(written)
		text, failed := url.QueryUnescape(value)
		ours, changed, wrong := name, text, ""
		if err == nil && failed == nil {
			ours, changed, wrong = t.parameter(name, text)
		}
		isSame := ours == name && changed == text
		switch {
		case wrong != "":
			return "", &format.Error{Detail: wrong, Parameter: name}
		case made == nil && isSame:
			same += len(pair) + len("&")
			continue
		case made == nil:
			made = append(make([]byte, 0, len(query)+len(ours)+len(changed)), query[:max(same-len("&"), 0)]...)
		}
		if ours == "" && name != "" {
			continue // it asks for nothing
		}
		if !isSame {
			written, value, hasValue = url.QueryEscape(ours), url.QueryEscape(changed), true
		}
		if len(made) > 0 {
			made = append(made, '&')
		}
		made = append(made, written...)
		if hasValue {
			made = append(append(made, '='), value...)
		}
	}
	if made == nil {
		return query, nil
	}
	return string(made), nil
}

// parameter returns the name and the value by which Trove knows a parameter, no name for one that
// asks for nothing, or what is wrong with it.
func (t *translator) parameter(name, value string) (ours, text, wrong string) {
	if name == "include" && value == "" {
		return "", "", "" // of nothing, which is what an answer has anyway
	}
	for _, r := range renamed() {
		if r.theirs == name {
			return r.ours, value, ""
		}
	}
	family, rest, bracketed := strings.Cut(name, "[")
	switch {
	case family == "page" && bracketed:
		return "", "", "page has no [" + rest + "; allowed: page[number], page[size], page[cursor]."
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
		return "", "", "fields can be chosen of the type that is asked for alone: fields[" + own + "]."
	case value == "":
		return "fields", t.typ.ID, ""
	}
	return "fields", value, ""
}

// filter reads filter[name], with an operator behind it or not. A filter of a reference takes the id
// of the record.
func (t *translator) filter(rest, value string) (ours, text, wrong string) {
	name, operator, closed := strings.Cut(rest, "]")
	noFilters := []string{"page", "itemsPerPage", "pagination", "partial", "cursor", "sort", "order", "fields", "expand"}
	switch {
	case !closed || name == "" || operator != "" && (!strings.HasPrefix(operator, "[") || !strings.HasSuffix(operator, "]")):
		return "", "", "filter must be filter[name] or filter[name][operator]."
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

// valueOf returns what filters take for a record with an identifier.
func valueOf(r *format.Reference, id string) string {
	made, ok := r.AppendValue(nil, id)
	if !ok || len(made) == 0 || made[0] != '"' {
		return id
	}
	text, err := jsontext.AppendUnquote(nil, made)
	if err != nil {
		return id
	}
	return string(text)
}
