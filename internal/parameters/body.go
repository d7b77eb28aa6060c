package parameters

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// QueryOf returns the query for parameters that are an object in JSON, as in the body of the method QUERY: each by its name
// in its JSON type, lists as arrays. Its error is a [*codec.SyntaxError], or an [*InvalidError] with the values of the
// wrong type. [Set.Read] finds everything else that is wrong.
func (s *Set) QueryOf(body []byte) (string, error) {
	text := jsontext.NewDecoder(bytes.NewReader(body))
	var query []byte
	var invalids []invalid
	token, err := text.ReadToken()
	if err == nil && token.Kind() != jsontext.KindBeginObject {
		return "", &codec.SyntaxError{Detail: "the body must be an object of parameters"}
	}
	for err == nil && text.PeekKind() != jsontext.KindEndObject {
		var name jsontext.Token
		var value jsontext.Value
		if name, err = text.ReadToken(); err != nil {
			break
		}
		known := name.String()
		if value, err = text.ReadValue(); err != nil {
			break
		}
		texts, wrong := s.textsOf(known, value)
		if wrong != nil {
			invalids = append(invalids, invalid{Invalid: Invalid{Name: known, Message: known + " " + wrong.Error()}})
			continue
		}
		for _, each := range texts {
			if len(query) > 0 {
				query = append(query, '&')
			}
			query = append(append(append(query, url.QueryEscape(known)...), '='), url.QueryEscape(each)...)
		}
	}
	if err == nil {
		_, err = text.ReadToken()
	}
	if err != nil {
		return "", codec.Describe(err, body)
	}
	switch _, end := text.ReadToken(); {
	case !errors.Is(end, io.EOF):
		return "", &codec.SyntaxError{Detail: "the body must be one object of parameters"}
	case invalids != nil:
		e := &InvalidError{set: s, invalids: invalids}
		return "", e.For(func(string) bool { return true })
	}
	return string(query), nil
}

// textsOf returns the values of a parameter in a URL for its value in JSON. Its error continues a sentence.
func (s *Set) textsOf(name string, value jsontext.Value) ([]string, error) {
	p := s.byName[name]
	switch {
	case p == nil: // reported later, or ignored
		return []string{""}, nil
	case p.Kind == Tree:
		text := value.Clone()
		err := text.Compact()
		return []string{string(text)}, err
	case p.Many || p.isJoined():
		return p.textsOfList(value)
	}
	text, err := p.textOf(value)
	return []string{text}, err
}

// isJoined reports whether the values of a list are separated by commas.
func (p *Parameter) isJoined() bool {
	return p.Kind == Sort || p.Kind == Fields || p.Kind == Expand || p.Kind == Group || p.Kind == Function
}

// textsOfList returns the values of a parameter that takes several.
func (p *Parameter) textsOfList(list jsontext.Value) ([]string, error) {
	switch isArray := list.Kind() == jsontext.KindBeginArray; {
	case !isArray && p.isJoined():
		return nil, errors.New("must be an array")
	case !isArray:
		text, err := p.textOf(list)
		return []string{text}, err
	}
	text := jsontext.NewDecoder(bytes.NewReader(list))
	_, err := text.ReadToken()
	var texts []string
	for err == nil && text.PeekKind() != jsontext.KindEndArray {
		var value jsontext.Value
		if value, err = text.ReadValue(); err != nil {
			break
		}
		if len(texts) == MaxValues && p.Many {
			return nil, fmt.Errorf("must have at most %d values", MaxValues)
		}
		var one string
		if one, err = p.textOf(value); err == nil && p.isJoined() && strings.Contains(one, ",") {
			err = errors.New("must be an array of single names")
		}
		texts = append(texts, one)
	}
	switch {
	case err != nil:
		return nil, err
	case len(texts) == 0:
		return nil, errors.New("must not be empty")
	case p.isJoined():
		return []string{strings.Join(texts, ",")}, nil
	}
	return texts, nil
}

// textOf returns a single value as in a URL.
func (p *Parameter) textOf(value jsontext.Value) (string, error) {
	kinds, means := p.kinds()
	if !slices.Contains(kinds, value.Kind()) {
		return "", errors.New("must be " + means)
	}
	if value.Kind() != jsontext.KindString {
		return string(value), nil
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err
}

// kinds returns the JSON types of a single value, and their name for messages.
func (p *Parameter) kinds() ([]jsontext.Kind, string) {
	text := []jsontext.Kind{jsontext.KindString}
	switch p.Kind {
	case Page, ItemsPerPage, Offset:
		return []jsontext.Kind{jsontext.KindNumber}, "a number"
	case Pagination, Partial:
		return []jsontext.Kind{jsontext.KindTrue, jsontext.KindFalse}, "true or false"
	case Own:
		t := p.Field.Type
		if t.Kind == model.List {
			t = t.Elem
		}
		return kindsOf(t)
	case Filter:
		switch {
		case p.Operator == store.Exists:
			return []jsontext.Kind{jsontext.KindTrue, jsontext.KindFalse}, "true or false"
		case p.Between || filter.Searches(p.Operator) || !p.takesLiteral():
			return text, "a string"
		case p.Path.Leaf().Type.ListsKeys():
			return kindsOf(p.Path.Leaf().Type.Elem)
		}
		return kindsOf(p.Path.Leaf().Type)
	}
	return text, "a string"
}

// kindsOf returns the JSON types of the values of a type.
func kindsOf(t *model.Type) ([]jsontext.Kind, string) {
	switch {
	case t.Kind == model.Bool:
		return []jsontext.Kind{jsontext.KindTrue, jsontext.KindFalse}, "true or false"
	case t.Kind.IsNumber(), t.Kind == model.Numeral:
		return []jsontext.Kind{jsontext.KindNumber}, "a number"
	}
	return []jsontext.Kind{jsontext.KindString}, "a string"
}
