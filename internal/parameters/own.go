package parameters

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// reserved are header fields that cannot be parameters, because HTTP or OpenAPI gives them a meaning.
var reserved = []string{"accept", "authorization", "content-encoding", "content-length", "content-type", "cookie", "host"}

// addOwn adds the parameters that an operation declares. They are read as the fields of an object and checked like
// a body, so that tags mean the same in both.
func (s *Set) addOwn(own *Struct) error {
	var errs []error
	for _, f := range own.View.Struct.Fields {
		if err := checkOwn(f); err != nil {
			errs = append(errs, fmt.Errorf("%s.%s: %w", own.View.Struct.Go, f.GoPath, err))
			continue
		}
		of, isList := f.Type, f.Type.Kind == model.List
		if isList {
			of = f.Type.Elem
		}
		s.add(&Parameter{
			Kind: Own, Name: f.Name, Header: f.Header, Many: isList && !f.Header, Field: f, scalar: codec.CompileScalar(of, nil), read: readOwn,
		})
	}
	return errors.Join(errs...)
}

// checkOwn returns an error if a field cannot be a parameter, because of its type or its api tag.
func checkOwn(f *model.Field) error {
	t := f.Type
	if t.Kind == model.List {
		t = t.Elem
	}
	// RFC 9110, section 5.6.2, allows a few more characters in names, which some intermediaries reject.
	isOdd := func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	switch {
	case !t.Ordered():
		return fmt.Errorf("is a parameter of the type %s; allowed: a bool, number, string, time.Time, a type that marshals itself as text, "+
			"or a slice of these", f.Type.Go)
	case t != f.Type && t.Nullable:
		return fmt.Errorf("is a parameter of the type %s; a parameter has no null in it", f.Type.Go)
	case f.ReadOnly, f.WriteOnly, f.Unique, f.Indexed, f.Identifier, f.Sort, f.Search, f.Group, f.Aggregate, f.Filters != nil, f.Reference != nil:
		return errors.New(`is a parameter; its api tag can have the word "header" alone`)
	case f.Header && slices.Contains(reserved, strings.ToLower(f.Name)):
		return fmt.Errorf("is the header parameter %s, which HTTP has a use for already", f.Name)
	case f.Header && strings.ContainsFunc(f.Name, isOdd):
		return fmt.Errorf("is the header parameter %s; a name has letters, digits and hyphens", f.Name)
	}
	return nil
}

// readOwn keeps the text of a parameter until all are known: rules may compare parameters, and the values of a list
// come one by one.
func readOwn(r *reading, p *Parameter, text string) error {
	if r.own == nil {
		r.own = make([][]string, len(r.set.List))
	}
	r.own[p.index] = append(r.own[p.index], text)
	return nil
}

// readHeaders reads the header fields that are parameters. The values of a list are in one field, separated by
// commas, or in several (RFC 9110, section 5.3). Of two values for anything else, either could be the intended one.
func (r *reading) readHeaders(header http.Header) {
	for _, p := range r.set.List {
		if !p.Header {
			continue
		}
		isList, given := p.Field.Type.Kind == model.List, header.Values(p.Name)
		if len(given) > 1 && !isList {
			r.reject(p, onceOnly)
			continue
		}
		for _, line := range given {
			if !isList {
				_ = readOwn(r, p, line)
				continue
			}
			for value := range strings.SplitSeq(line, ",") {
				_ = readOwn(r, p, strings.TrimSpace(value))
			}
		}
	}
}

// finishOwn creates the struct of declared parameters and checks it like a body.
func (r *reading) finishOwn(ctx context.Context) error {
	own := r.set.Own
	body, ok := r.asJSON()
	if !ok {
		return nil
	}
	record := own.Codec.New()
	decoded, err := own.Decoder.Decode(body, record)
	if err != nil {
		return err
	}
	found, err := own.Checker.Check(ctx, record, decoded)
	for _, v := range found.Violations {
		name, _, _ := strings.Cut(v.Field, "[")
		message := strings.TrimSuffix(v.Message, " or null") // a parameter cannot be null
		if i := slices.IndexFunc(r.set.List, func(p *Parameter) bool { return p.Kind == Own && p.Name == name }); i >= 0 {
			r.report(r.set.List[i], message, false)
		} else { // a rule over the struct is about all of them
			r.invalids = append(r.invalids, invalid{Invalid: Invalid{Name: name, Message: message}})
		}
	}
	r.values.Own = record
	return err
}

// asJSON returns the declared parameters as a JSON object, and reports whether it could.
func (r *reading) asJSON() (body []byte, ok bool) {
	body, ok = []byte{'{'}, true
	for i, texts := range r.own {
		if texts == nil {
			continue
		}
		p := r.set.List[i]
		if len(body) > 1 {
			body = append(body, ',')
		}
		body, _ = codec.AppendLiteral(body, model.String, p.Name)
		body = append(body, ':')
		var err error
		if body, err = appendTexts(body, p.Field.Type, texts); err != nil {
			r.reject(p, err.Error())
			ok = false
		}
	}
	return append(body, '}'), ok
}

// appendTexts appends the texts of one parameter as a JSON value of its type.
func appendTexts(b []byte, t *model.Type, texts []string) ([]byte, error) {
	if t.Kind != model.List {
		return codec.AppendLiteral(b, t.Kind, texts[0])
	}
	b = append(b, '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = codec.AppendLiteral(b, t.Elem.Kind, text); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}
