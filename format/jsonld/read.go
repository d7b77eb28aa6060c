package jsonld

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
)

// reader reads the bodies of a type.
type reader struct {
	typ     *format.Type
	context string // the address of the type's context
}

// read returns a body without what names its node, which must be the one that the request is
// about. That is blanked out where it stands, so that places in the rest stay as they are. What is no
// object, or not well formed, is for others to refuse.
func (r *reader) read(body *format.Body) ([]byte, error) {
	text := body.Bytes
	from := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := from.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return text, nil //nolint:nilerr // others tell of it
	}
	var cut []span
	seen, kept, end := map[string]bool{}, false, from.InputOffset()
	for from.PeekKind() != jsontext.KindEndObject {
		behind := int(end) // of the member before, or of the brace
		token, err := from.ReadToken()
		if err != nil {
			return text, nil //nolint:nilerr // others tell of it
		}
		name := token.String()
		value, err := from.ReadValue()
		if err != nil {
			return text, nil //nolint:nilerr // others tell of it
		}
		end = from.InputOffset()
		if !isKeyword(name) {
			if !kept { // no comma before the first one that stays
				cut = append(cut, comma(text, behind))
			}
			kept = true
			continue
		}
		if seen[name] {
			return nil, &format.Error{Detail: name + " is there twice.", Pointer: "/" + name}
		}
		seen[name] = true
		if err := r.check(name, value, body); err != nil {
			return nil, err
		}
		cut = append(cut, span{behind, int(end)})
	}
	for _, s := range cut {
		for i := s.from; i < s.to; i++ {
			text[i] = ' '
		}
	}
	return text, nil
}

// span is a part of a body.
type span struct{ from, to int }

// comma returns where a comma is that is the next byte but for space.
func comma(text []byte, from int) span {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			continue
		case ',':
			return span{i, i + 1}
		}
		break
	}
	return span{}
}

func isKeyword(name string) bool { return name == "@context" || name == "@id" || name == "@type" }

// check checks what names the node.
func (r *reader) check(name string, value jsontext.Value, body *format.Body) error {
	var err error
	switch name {
	case "@context":
		if !r.isContext(value) {
			err = errors.New("is not the context of the API: leave it out, or write it as " + r.contextOr("answers have it"))
		}
	case "@type":
		if !r.isType(value) {
			err = errors.New("is another type: leave it out, or write it as " + r.typ.Name)
		}
	case "@id":
		err = r.checkID(value, body)
	}
	if err == nil {
		return nil
	}
	return &format.Error{Detail: name + " " + err.Error() + ".", Pointer: "/" + name}
}

func (r *reader) contextOr(otherwise string) string {
	if r.typ.Name == "" {
		return otherwise
	}
	return r.context
}

// isContext reports whether a value is the context of the type. Another one could give members
// another meaning, and nobody fetches it to see.
func (r *reader) isContext(value jsontext.Value) bool {
	var address string
	if r.typ.Name == "" {
		return true // it stands in answers itself, and clients send it back
	}
	return json.Unmarshal(value, &address) == nil && isAt(address, r.context)
}

// isAt reports whether an address is a path, or the URL of it on any host.
func isAt(address, path string) bool {
	if rest, ok := strings.CutSuffix(address, path); ok {
		_, host, absolute := strings.Cut(rest, "://")
		return rest == "" || absolute && host != "" && !strings.ContainsAny(host, "/?#")
	}
	return false
}

// isType reports whether a value is the class of the type, or a list with it.
func (r *reader) isType(value jsontext.Value) bool {
	var one string
	var list []string
	if r.typ.Name == "" {
		return false // it has none
	}
	if json.Unmarshal(value, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(value, &list) != nil {
		return false
	}
	for _, class := range list {
		if class == r.typ.Name || strings.HasSuffix(class, documentationPath+"#"+r.typ.Name) {
			return true
		}
	}
	return false
}

// checkID checks that a value is the address of the record that the path names.
func (r *reader) checkID(value jsontext.Value, body *format.Body) error {
	var address string
	switch {
	case r.typ.Name == "" || body.Path == "":
		return errors.New("is given by the service: leave it out")
	case json.Unmarshal(value, &address) != nil || !isAt(address, body.Path):
		return errors.New("is the address of another record: leave it out, or write the one of the path")
	}
	return nil
}
