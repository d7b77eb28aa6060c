package html

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/page"
)

// content is a page, for the templates.
type content struct {
	Frame   page.Frame
	Caller  caller
	Crumbs  []link
	Heading string
	Lead    string
	Failure *failure
	Search  *search
	Table   *table
	Record  []named
	Result  *value // the result of a handler
	Links   []link
	Lists   []*membership
	Forms   []*form
	JSON    *source
}

// link is a link of a page.
type link struct{ Title, Path string }

// caller is what a page shows of the caller's session.
type caller struct {
	SignOut string // the URL that ends it, "" if they cannot sign out
	SignIn  *form  // nil if they cannot sign in
	Shown   bool   // the form to sign in is part of the page
}

// source is the JSON next to a page.
type source struct {
	Text  string
	IsCut bool
	Path  string // of the JSON alone, "" for none
}

// newContent returns the beginning of a page.
func (s *site) newContent(title string) *content {
	return &content{
		Frame:   page.Frame{Title: title, API: s.title(), Home: s.home()},
		Heading: title,
	}
}

// session adds what the caller needs to sign in or out. They come back to the path.
func (of *content) session(s *site, isSignedIn bool, path string) {
	in, out := s.api.SignIn, s.api.SignOut
	switch {
	case isSignedIn && out != nil && !strings.Contains(out.Path, "{"):
		of.Caller.SignOut = action(out.Path, http.MethodPost, "", s.home())
	case !isSignedIn && in != nil && !strings.Contains(in.Path, "{"):
		made := s.newForm(in, in.Path, "", path)
		made.ID = "sign-in"
		made.fill(&inputs{site: s}, in.Expects, nil)
		made.Submit = "Sign in"
		for _, field := range made.Inputs { // so that browsers offer what they remember
			field.Complete = "username"
			if field.Kind == "password" {
				field.Complete = "current-password"
			}
		}
		of.Caller.SignIn = made
	}
}

// withJSON adds the JSON of a page.
func (of *content) withJSON(text []byte, path string) {
	pretty, isCut := indent(text)
	of.JSON = &source{pretty, isCut, path}
}

// writeItem writes the page of a record, or of the result of a handler.
func (s *site) writeItem(b []byte, item format.Item, t *format.Type) ([]byte, error) {
	text, err := item.AppendJSON(nil)
	if err != nil {
		return b, err
	}
	r, path := s.known().resources[item.Type()], item.Path()
	made := s.newContent(titleOf(text, t, strings.TrimSpace(naming.Label(item.Type())+" "+item.ID())))
	if made.Heading == "" {
		made.Heading, made.Frame.Title = "Result", "Result"
	}
	if r != nil && r.Collection != "" && !strings.Contains(r.Collection, "{") {
		made.Crumbs = append(made.Crumbs, link{naming.Label(r.Plural), r.Collection})
	} else if r != nil {
		made.Crumbs = append(made.Crumbs, s.above(r, path)...)
	}
	if path != "" {
		made.Crumbs = append(made.Crumbs, link{made.Heading, ""})
	}
	made.session(s, item.SignedIn(), path)
	if t.Kind == format.Object && len(text) > 0 && text[0] == '{' {
		made.Record = record(text, t)
	} else {
		shown := show(text, t, ofRecord())
		made.Result = &shown
	}
	if r != nil && path != "" {
		may, err := s.permittedOn(item, r)
		if err != nil {
			return b, err
		}
		made.Forms, made.Links = s.ofRecord(may, text)
		made.Lists = s.memberships(may, text)
		made.Links = append(made.Links, s.titles(r, path, text, t)...)
	}
	jsonPath := ""
	if r != nil && s.known().hasJSON(path) {
		jsonPath = withSuffix(path, ".json")
	}
	made.withJSON(text, jsonPath)
	return s.write(b, made)
}

// above returns the links to the collection that a record is in, if its path ends in an identifier.
func (s *site) above(r *format.Resource, path string) []link {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return nil
	}
	if op := s.known().at(path[:i]); op != nil && op.Collection && s.known().owners[op.ID] == r {
		return []link{{naming.Label(r.Plural), path[:i]}}
	}
	return nil
}

// record returns the fields of a record, in the order of its type.
func record(text []byte, t *format.Type) []named {
	fields, embedded := split(text)
	var list []named
	for i := range t.Fields {
		f := &t.Fields[i]
		if value, ok := fields[f.Name]; ok {
			list = append(list, named{naming.Label(f.Name), f.Description, showField(value, f, embedded[f.Name], ofRecord())})
		}
	}
	return list
}

// writeIndex writes the list of collections.
func (s *site) writeIndex(b []byte, entries []format.Entry) ([]byte, error) {
	made := s.newContent(s.title())
	made.Frame.IsHome, made.Lead = true, s.api.Description
	for _, entry := range entries {
		title := entry.Type
		if r := s.known().resources[entry.Type]; r != nil {
			title = r.Plural
		}
		made.Links = append(made.Links, link{naming.Label(title), entry.Path})
	}
	return s.write(b, made)
}

// queryOf returns the query of a URL.
func queryOf(address string) url.Values {
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query) // it has been read before
	return values
}
