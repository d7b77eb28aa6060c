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
	b = append(b, `,"links":{"self":`...)
	b = appendQuoted(b, named.address(links.Self))
	for _, other := range []struct{ name, address string }{
		{"first", links.First}, {"prev", links.Prev}, {"next", links.Next}, {"last", links.Last},
	} {
		switch {
		case other.address != "":
			b = append(append(append(b, `,"`...), other.name...), `":`...)
			b = appendQuoted(b, named.address(other.address))
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

// address returns the address of a page with the names of JSON:API.
func (n names) address(of string) string {
	path, query, has := strings.Cut(of, "?")
	if !has {
		return of
	}
	var made strings.Builder
	made.WriteString(path)
	separator := byte('?')
	for pair := range strings.SplitSeq(query, "&") {
		made.WriteByte(separator)
		separator = '&'
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = strings.NewReplacer("[", "%5B", "]", "%5D").Replace(n.name(plain))
		}
		made.WriteString(name)
		made.WriteByte('=')
		made.WriteString(value)
	}
	return made.String()
}

// name returns the name of a parameter, which is its own if it is none of those that JSON:API
// speaks of.
func (n names) name(name string) string {
	at := slices.IndexFunc(n.parameters, func(p format.Parameter) bool { return p.Name == name })
	if at < 0 {
		return url.QueryEscape(name)
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
