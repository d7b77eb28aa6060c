package parameters

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
)

// QueryOf returns the query for parameters that are an object in JSON, as in the body of the method QUERY: each by its name
// in its JSON type, lists as arrays. Its error is a [*codec.SyntaxError], or an [*InvalidError] with the values of the
// wrong type. [Set.Read] finds everything else that is wrong.
func (s *Set) QueryOf(body []byte) (string, error) {
	text := jsontext.NewDecoder(bytes.NewReader(body))
	var query []byte
	var invalids []invalid
	readOne := func(name string) error {
		value, err := text.ReadValue()
		if err != nil {
			return err //nolint:wrapcheck // described by Whole
		}
		texts, wrong := s.textsOf(name, value)
		if wrong != nil {
			invalids = append(invalids, invalid{Invalid: Invalid{Name: name, Message: name + " " + wrong.Error()}})
		}
		for _, each := range texts {
			if len(query) > 0 {
				query = append(query, '&')
			}
			query = append(append(append(query, url.QueryEscape(name)...), '='), url.QueryEscape(each)...)
		}
		return nil
	}
	err := codec.Whole(text, body, jsontext.KindBeginObject, func() error { return codec.EachField(text, readOne) })
	if err == nil && invalids != nil {
		e := &InvalidError{set: s, invalids: invalids}
		err = e.For(func(string) bool { return true })
	}
	return string(query), err
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
	scalar := p.scalar
	if p.Between {
		scalar = texts
	}
	text, err := scalar.Text(value)
	return []string{text}, p.orDate(err)
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
		text, err := p.scalar.Text(list)
		return []string{text}, p.orDate(err)
	}
	from := jsontext.NewDecoder(bytes.NewReader(list))
	var texts []string
	err := codec.EachElement(from, func() error {
		value, err := from.ReadValue()
		if err != nil {
			return err //nolint:wrapcheck // the list has been read
		}
		if len(texts) == MaxValues && p.Many {
			return fmt.Errorf("must have at most %d values", MaxValues)
		}
		text, err := p.scalar.Text(value)
		err = p.orDate(err)
		if texts = append(texts, text); err == nil && p.isJoined() && strings.Contains(text, ",") {
			err = errors.New("must be an array of single names")
		}
		return err
	})
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
