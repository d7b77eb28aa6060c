package jsonapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
)

// appendPage appends what follows the records of a collection.
func (w *writer) appendPage(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	b = append(b, ']')
	if w.embeds {
		included, err := page.Included()
		if err != nil {
			return b, err
		}
		if b, err = w.appendIncluded(b, included, page.Selected()); err != nil {
			return b, err
		}
	}
	if links.Self == "" {
		return append(b, '}'), nil
	}
	named := &names{parameters: page.Parameters(), typ: w.types.name(page.Type())}
	b = named.appendPath(append(b, `,"links":{"self":`...), links.Self)
	for _, other := range []struct{ name, address string }{
		{"first", links.First}, {"prev", links.Prev}, {"next", links.Next}, {"last", links.Last},
	} {
		switch {
		case other.address != "":
			b = append(append(append(b, `,"`...), other.name...), `":`...)
			b = named.appendPath(b, other.address)
		case links.First != "" && other.name != "last": // the last page may be unknown
			b = append(append(append(b, `,"`...), other.name...), `":null`...)
		}
	}
	b = append(b, '}')
	for _, meta := range []struct {
		name  string
		total func() (int, bool)
	}{{"totalItems", page.Total}, {"totalItemsMoreThan", page.MoreThan}, {"totalItemsEstimate", page.Estimate}} {
		if total, known := meta.total(); known {
			b = append(append(append(b, `,"meta":{"`...), meta.name...), `":`...)
			b = append(strconv.AppendInt(b, int64(total), 10), '}')
		}
	}
	return append(b, '}'), nil
}

// names translates the names of a collection's parameters to those of JSON:API.
type names struct {
	parameters []format.Parameter
	typ        string // of the records
}

// spelling is a name in a URL: ours, and that of JSON:API.
type spelling struct{ ours, theirs string }

// appendPath appends the URL of a page with the names of JSON:API. It needs no JSON escapes, because it is
// percent-encoded.
func (n *names) appendPath(b []byte, of string) []byte {
	path, query, has := strings.Cut(of, "?")
	b = append(append(b, '"'), path...)
	separator := byte('?')
	for more := has; more; {
		var pair string
		pair, query, more = strings.Cut(query, "&")
		b = append(b, separator)
		separator = '&'
		name, value, hasValue := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = url.QueryEscape(n.name(plain))
		}
		b = append(b, name...)
		if hasValue {
			b = append(append(b, '='), value...)
		}
	}
	return append(b, '"')
}

// name returns the JSON:API name of a parameter; a name that JSON:API does not define stays.
func (n *names) name(name string) string {
	at := slices.IndexFunc(n.parameters, func(p format.Parameter) bool { return p.Name == name })
	if at < 0 {
		return name
	}
	switch n.parameters[at].Role {
	case "filter", "search":
		member, operator, _ := strings.Cut(name, "[")
		if operator != "" {
			operator = "[" + operator
		}
		return "filter[" + member + "]" + operator
	case "fields":
		return "fields[" + n.typ + "]"
	}
	for _, r := range renamed {
		if r.ours == name {
			return r.theirs
		}
	}
	return name
}

// appendIncluded appends the records that a document includes. The list is nil if the client requested none, and may
// be empty. Fields are the selected fields of the type of the response, nil for all. They apply to each record of the
// type, anywhere in the document (section "Sparse Fieldsets" of JSON:API).
func (w *writer) appendIncluded(b []byte, list []format.Item, fields []string) (_ []byte, err error) {
	if list == nil {
		return b, nil
	}
	var sparse *writer
	b = append(b, `,"included":[`...)
	for i, record := range list {
		if i > 0 {
			b = append(b, ',')
		}
		inner := w.included[record.Type()]
		if inner == nil {
			inner = newWriter(w.types, &format.Type{Name: record.Type(), Kind: format.Object})
		}
		if fields != nil && record.Type() == w.typ.Name {
			if sparse == nil {
				sparse = inner.only(fields)
			}
			inner = sparse
		}
		if b, err = inner.appendRecord(b, record); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// only returns a writer of some of the fields, for one response.
func (w *writer) only(fields []string) *writer {
	some := *w
	some.attributes = slices.DeleteFunc(slices.Clone(w.attributes), func(a attribute) bool { return !slices.Contains(fields, w.names[a.place]) })
	some.references = slices.DeleteFunc(slices.Clone(w.references), func(m reference) bool { return !slices.Contains(fields, m.Name) })
	return &some
}
