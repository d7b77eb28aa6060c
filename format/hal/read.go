package hal

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader reads bodies of one type: records in HAL, complete or without what clients may omit.
type reader struct {
	relations

	many       bool                         // the body is a list
	references map[string]*format.TypeField // the references that bodies set, by relation
}

func newReader(r relations, t *format.Type) *reader {
	of := &reader{relations: r, references: map[string]*format.TypeField{}}
	if t.Kind == format.List && t.Elem.Kind == format.Object {
		of.many, t = true, t.Elem
	}
	for i := range t.Fields {
		if m := &t.Fields[i]; m.Reference != nil && m.Writable && !m.Reference.Inverse {
			of.references[r.prefix+m.Name] = m
		}
	}
	return of
}

// read converts a body to plain JSON. It leaves invalid JSON as it is, because the decoder reports it.
func (r *reader) read(body *format.Body) ([]byte, error) {
	if !jsontext.Value(body.Bytes).IsValid(jsontext.AllowDuplicateNames(true)) {
		return body.Bytes, nil
	}
	text := bytes.TrimSpace(body.Bytes)
	b := make([]byte, 0, len(text))
	if !r.many || text[0] != '[' {
		return r.appendRecord(b, text, body.Path, "")
	}
	b = append(b, '[')
	for i, element := range scan.Values(text) {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = r.appendRecord(b, element.Text, "", "/"+element.Name); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendRecord appends an object with its links as fields.
func (r *reader) appendRecord(b, object []byte, address, pointer string) ([]byte, error) {
	if object[0] != '{' {
		return append(b, object...), nil
	}
	b = append(b, '{')
	start, met, members := len(b), map[string]bool{}, scan.Values(object)
	for _, m := range members {
		if m.Name == "_embedded" || m.Name == "_links" { // the decoder reports other duplicates
			if twin, twice := scan.Twin(m.Text); twice || met[m.Name] {
				return nil, &format.Error{Detail: "the object has a field twice", Pointer: pointer + "/" + m.Name + twin}
			}
			met[m.Name] = true
		}
		switch m.Name {
		case "_embedded":
		case "_links":
			var err error
			if b, err = r.appendLinks(b, m.Text, members, address, pointer+"/_links"); err != nil {
				return nil, err
			}
		default:
			b = scan.AppendQuoted(b, m.Name)
			b = append(append(append(b, ':'), m.Text...), ',')
		}
	}
	if len(b) > start {
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// noLink is the error for a value that is not a link.
const noLink = `A link must be an object with the field "href".`

// appendLinks appends the fields that links set, with a comma after each. A field that the body also has takes
// precedence, because the unchanged links of a record would undo what the client has set.
func (r *reader) appendLinks(b, links []byte, members []scan.Named, address, pointer string) ([]byte, error) {
	if links[0] != '{' {
		return nil, &format.Error{Detail: "_links must be an object.", Pointer: pointer}
	}
	for _, link := range scan.Values(links) {
		at := pointer + "/" + scan.Escape(link.Name)
		if link.Name == "self" {
			switch href, ok := hrefOf(link.Text); {
			case !ok:
				return nil, &format.Error{Detail: noLink, Pointer: at}
			case address != "" && undotted(pathOf(href)) != undotted(address):
				return nil, &format.Error{Status: http.StatusConflict, Detail: "The self link must be the path of the record in the URL.", Pointer: at + "/href"}
			}
		}
		reference := r.references[link.Name]
		if reference == nil {
			continue
		}
		before := len(b)
		b = append(scan.AppendQuoted(b, reference.Name), ':')
		var err error
		if b, err = appendTargets(b, reference.Reference, link, at); err != nil {
			return nil, err
		}
		b = append(b, ',')
		if slices.ContainsFunc(members, func(m scan.Named) bool { return m.Name == reference.Name }) {
			if !leads(reference, link) {
				return nil, &format.Error{Detail: "The link must be the path of an existing " + reference.Reference.To + ".", Pointer: at}
			}
			b = b[:before]
		}
	}
	return b, nil
}

// appendTargets appends the value of a reference, from its links.
func appendTargets(b []byte, of *format.Reference, link scan.Named, pointer string) ([]byte, error) {
	switch {
	case string(link.Text) == "null":
		return append(b, "null"...), nil
	case !of.Many:
		return appendTarget(b, of, link.Text, pointer)
	case link.Text[0] != '[':
		return nil, &format.Error{Detail: link.Name + " must be an array of links.", Pointer: pointer}
	}
	b = append(b, '[')
	for i, one := range scan.Values(link.Text) {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendTarget(b, of, one.Text, pointer+"/"+one.Name); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// leads reports whether links that a field overrides are paths of the resource, because nothing else checks them.
func leads(m *format.TypeField, link scan.Named) bool {
	if string(link.Text) == "null" {
		return m.Type.Nullable && !m.Reference.Many
	}
	all := []scan.Named{link}
	if m.Reference.Many {
		all = scan.Values(link.Text)
	}
	return !slices.ContainsFunc(all, func(one scan.Named) bool {
		href, _ := hrefOf(one.Text)
		_, is := m.Reference.IDAt(href)
		return !is
	})
}

// appendTarget appends the value for the record at a link. A path of another resource stays, so that a violation
// reports it, unless JSON has identifiers.
func appendTarget(b []byte, of *format.Reference, link []byte, pointer string) ([]byte, error) {
	href, ok := hrefOf(link)
	if !ok {
		return nil, &format.Error{Detail: noLink, Pointer: pointer}
	}
	if !of.Identifiers {
		return scan.AppendQuoted(b, href), nil
	}
	if id, is := of.IDAt(href); is {
		if b, is = of.AppendValue(b, id); is {
			return b, nil
		}
	}
	return nil, &format.Error{Detail: "The link must be the path of an existing " + of.To + ".", Pointer: pointer + "/href"}
}

// hrefOf returns the URL of a link.
func hrefOf(link []byte) (href string, ok bool) {
	if link[0] != '{' {
		return "", false
	}
	for _, m := range scan.Values(link) {
		switch {
		case m.Name == "href":
			if href, ok = scan.Text(m.Text); !ok {
				return "", false
			}
		case m.Name == "templated" && m.Text[0] != 't' && m.Text[0] != 'f': // as in the schema
			return "", false
		}
	}
	return href, ok
}

// undotted returns a path without percent-encoded dots, which make no other path (RFC 3986, section 6.2.2.2).
func undotted(path string) string { return strings.ReplaceAll(path, "%2E", ".") }

// pathOf returns the path of an absolute URL, which some clients send; anything else as it is.
func pathOf(href string) string {
	if u, err := url.Parse(href); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.RawQuery == "" {
		return u.EscapedPath()
	}
	return href
}
