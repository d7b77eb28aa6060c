package jsonapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
)

// appendPage appends what stands behind the records of a collection.
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
		if b, err = w.appendIncluded(b, included, included != nil); err != nil {
			return b, err
		}
	}
	named := names{page.Parameters(), w.types.name(page.Type())}
	b = named.appendAddress(append(b, `,"links":{"self":`...), links.Self)
	for _, other := range []struct{ name, address string }{
		{"first", links.First}, {"prev", links.Prev}, {"next", links.Next}, {"last", links.Last},
	} {
		switch {
		case other.address != "":
			b = append(append(append(b, `,"`...), other.name...), `":`...)
			b = named.appendAddress(b, other.address)
		case links.First != "" && other.name != "last": // which may be unknown
			b = append(append(append(b, `,"`...), other.name...), `":null`...)
		}
	}
	b = append(b, '}')
	if total, known := page.Total(); known {
		b = append(strconv.AppendInt(append(b, `,"meta":{"totalItems":`...), int64(total), 10), '}')
	}
	return append(b, '}'), nil
}

// names are what JSON:API calls the parameters of a collection.
type names struct {
	parameters []format.Parameter
	typ        string // of the records
}

// appendAddress appends the address of a page with the names of JSON:API, as JSON: nothing in it needs
// to be escaped there, for it is percent-encoded.
func (n names) appendAddress(b []byte, of string) []byte {
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
			name = n.name(plain)
		}
		b = append(b, url.QueryEscape(name)...)
		if hasValue {
			b = append(append(b, '='), value...)
		}
	}
	return append(b, '"')
}

// name returns the name of a parameter, which is its own if it is none of those that JSON:API
// speaks of.
func (n names) name(name string) string {
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
	for _, r := range renamed() {
		if r.ours == name {
			return r.theirs
		}
	}
	return name
}
