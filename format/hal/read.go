package hal

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader reads bodies of one type: records in HAL, as they were answered or without what clients
// need not send.
type reader struct {
	relations

	many       bool                         // a list of them
	references map[string]*format.Reference // that bodies set, by relation
	names      map[string]string            // of their members
}

func newReader(r relations, t *format.Type) *reader {
	of := &reader{relations: r, references: map[string]*format.Reference{}, names: map[string]string{}}
	if t.Kind == format.List && t.Elem.Kind == format.Object {
		of.many, t = true, t.Elem
	}
	for _, m := range t.Members {
		if m.Reference != nil && m.Writable && !m.Reference.Inverse {
			of.references[r.prefix+m.Name], of.names[r.prefix+m.Name] = m.Reference, m.Name
		}
	}
	return of
}

// read makes plain JSON of a body. One that is no JSON is left as it is, for the decoder of JSON
// to tell of.
func (r *reader) read(body *format.Body) ([]byte, error) {
	if !jsontext.Value(body.Bytes).IsValid(jsontext.AllowDuplicateNames(true)) {
		return body.Bytes, nil
	}
	text := bytes.TrimSpace(body.Bytes)
	b := make([]byte, 0, len(text))
	if !r.many || text[0] != '[' {
		return r.appendRecord(b, text, body.Address, "")
	}
	b = append(b, '[')
	for i, element := range valuesOf(text) {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = r.appendRecord(b, element.value, "", "/"+element.name); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendRecord appends an object with its links as members.
func (r *reader) appendRecord(b, object []byte, address, pointer string) ([]byte, error) {
	if object[0] != '{' {
		return append(b, object...), nil
	}
	b = append(b, '{')
	start := len(b)
	for _, m := range valuesOf(object) {
		switch m.name {
		case "_embedded":
		case "_links":
			var err error
			if b, err = r.appendLinks(b, m.value, address, pointer+"/_links"); err != nil {
				return nil, err
			}
		default:
			b = appendQuoted(b, m.name)
			b = append(append(append(b, ':'), m.value...), ',')
		}
	}
	if len(b) > start {
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// noLink is said of what should be a link, and is none.
const noLink = `a link must be an object with the member "href"`

// appendLinks appends the members that links set, each with a comma behind it.
func (r *reader) appendLinks(b, links []byte, address, pointer string) ([]byte, error) {
	if links[0] != '{' {
		return nil, &format.Error{Detail: "_links must be an object", Pointer: pointer}
	}
	for _, link := range valuesOf(links) {
		at := pointer + "/" + escape(link.name)
		if link.name == "self" {
			switch href, ok := hrefOf(link.value); {
			case !ok:
				return nil, &format.Error{Detail: noLink, Pointer: at}
			case address != "" && href != address:
				return nil, &format.Error{Status: http.StatusConflict, Detail: "self must be the address of the record in the path", Pointer: at + "/href"}
			}
		}
		reference := r.references[link.name]
		if reference == nil {
			continue
		}
		b = append(appendQuoted(b, r.names[link.name]), ':')
		var err error
		if b, err = appendTargets(b, reference, link, at); err != nil {
			return nil, err
		}
		b = append(b, ',')
	}
	return b, nil
}

// appendTargets appends the value of a reference, from its links.
func appendTargets(b []byte, of *format.Reference, link value, pointer string) ([]byte, error) {
	switch {
	case string(link.value) == "null":
		return append(b, "null"...), nil
	case !of.Many:
		return appendTarget(b, of, link.value, pointer)
	case link.value[0] != '[':
		return nil, &format.Error{Detail: link.name + " must be an array of links", Pointer: pointer}
	}
	b = append(b, '[')
	for i, one := range valuesOf(link.value) {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendTarget(b, of, one.value, pointer+"/"+one.name); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendTarget appends what stands for the record that a link leads to. An address that is none of
// the resource stays, for a violation that tells so, unless JSON has no addresses.
func appendTarget(b []byte, of *format.Reference, link []byte, pointer string) ([]byte, error) {
	href, ok := hrefOf(link)
	if !ok {
		return nil, &format.Error{Detail: noLink, Pointer: pointer}
	}
	if !of.Identifiers {
		return appendQuoted(b, href), nil
	}
	if id, is := of.IDAt(href); is {
		if b, is = of.AppendValue(b, id); is {
			return b, nil
		}
	}
	return nil, &format.Error{Detail: "the link must be the address of an existing " + of.To, Pointer: pointer + "/href"}
}

// hrefOf returns the address of a link.
func hrefOf(link []byte) (href string, ok bool) {
	if link[0] != '{' {
		return "", false
	}
	for _, m := range valuesOf(link) {
		switch {
		case m.name == "href" && m.value[0] == '"':
			text, err := jsontext.AppendUnquote(nil, m.value)
			href, ok = string(text), err == nil
		case m.name == "href", m.name == "templated" && m.value[0] != 't' && m.value[0] != 'f': // as the schema has them
			return "", false
		}
	}
	return href, ok
}

// value is a member of an object, or an element of an array, whose name is its index.
type value struct {
	name  string
	value []byte
}

// valuesOf lists what an object or an array consists of, which is known to be well-formed.
func valuesOf(text []byte) []value {
	var list []value
	isObject := text[0] == '{'
	for i := scan.Space(text, 1); text[i] != '}' && text[i] != ']'; {
		v := value{name: strconv.Itoa(len(list))}
		if isObject {
			end, _ := scan.String(text, i)
			name, err := jsontext.AppendUnquote(nil, text[i:end])
			if err != nil {
				return list
			}
			v.name = string(name)
			i = scan.Space(text, scan.Space(text, end)+1) // behind the colon
		}
		end := scan.Value(text, i)
		v.value = text[i:end]
		list = append(list, v)
		if i = scan.Space(text, end); text[i] == ',' {
			i = scan.Space(text, i+1)
		}
	}
	return list
}

// escape returns a name as a step of a JSON Pointer (RFC 6901).
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
