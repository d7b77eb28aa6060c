package html

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/naming"
)

// failure is an error as a page shows it.
type failure struct {
	Status   int
	Detail   string
	Incident string
	Fields   []named
	Back     *link
}

// writeError writes the page of an error. An error in a form shows it again, with what the person has typed.
func (s *site) writeError(b []byte, e *format.ErrorResponse) ([]byte, error) {
	made := s.newContent(e.Title)
	made.Failure = &failure{Status: e.Status, Detail: e.Detail, Incident: strings.TrimPrefix(e.Instance, "urn:uuid:")}
	op := s.known().operations[e.Operation]
	if op == nil {
		op = s.session(e)
	}
	if e.Operation != "" || op != nil {
		made.Caller = s.callerOf(e)
	}
	isSignIn := op != nil && s.api.SignIn != nil && op.ID == s.api.SignIn.ID
	if op != nil && e.Form != nil && !isSignIn {
		made.again(s, op, e)
	}
	if e.Tag != "" && len(made.Forms) > 0 {
		made.Failure.Detail = "The record has changed since you opened it. Compare the values, then save again."
	}
	if isSignIn && made.Caller.SignIn != nil {
		made.Caller.SignIn.fill(&inputs{site: s, typed: typedIn(e), errors: errorsOf(e)}, op.Expects, nil)
		made.Caller.SignIn.Action = action(op.Path, http.MethodPost, "", e.Next)
	}
	made.Failure.Back = s.backFrom(e)
	for _, f := range e.Fields {
		if len(made.Forms) > 0 && (f.Name == "field" || f.Name == "pointer") {
			continue // it is at the input
		}
		made.Failure.Fields = append(made.Failure.Fields, named{Name: naming.Label(f.Name), Value: show(f.JSON, nil, ofRecord())})
	}
	if len(made.Forms) == 0 {
		for _, v := range e.Violations {
			made.Failure.Fields = append(made.Failure.Fields, named{Name: v.Field, Value: value{Kind: "text", Text: v.Message}})
		}
	}
	made.withJSON(e.JSON, "")
	return s.write(b, made)
}

// session returns the operation that begins the session, if the request is for it. It may be hidden.
func (s *site) session(e *format.ErrorResponse) *format.Operation {
	if in := s.api.SignIn; in != nil && in.Path == e.Path && in.Method == e.Method {
		return in
	}
	return nil
}

// callerOf returns how the caller of a request with an error can sign in or out. They come back to what they wanted to
// see.
func (s *site) callerOf(e *format.ErrorResponse) caller {
	next := s.readable(e.Path)
	if e.Method == http.MethodGet && e.Query != "" && next == e.Path {
		next += "?" + e.Query
	}
	of := &content{}
	of.session(s, e.SignedIn, next)
	isDenied := e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
	if in := of.Caller.SignIn; in != nil && (isDenied || s.session(e) != nil) {
		of.Caller.Shown = true
	}
	return of.Caller
}

// backFrom returns the link from the page of an error, nil if it would lead to the same page.
func (s *site) backFrom(e *format.ErrorResponse) *link {
	path := e.Path
	if i := strings.LastIndexByte(path, '/'); e.Status == http.StatusNotFound && i > 0 {
		path = path[:i]
	}
	back := s.back(path)
	if e.Method == http.MethodGet && e.Query == "" && back.Path == strings.TrimSuffix(e.Path, ".html") {
		return nil
	}
	return back
}

// back returns the link to the page that a form was on, as far as the path shows.
func (s *site) back(path string) *link {
	path = s.readable(path)
	switch op := s.known().at(path); {
	case op == nil:
		return &link{"Home", path}
	case op.Item && !op.Custom:
		return &link{"Back to the " + naming.Phrase(s.known().owners[op.ID].Name), path}
	case op.Collection:
		return &link{"Back to the " + naming.Phrase(s.known().owners[op.ID].Plural), path}
	}
	return &link{"Back", path}
}

// readable returns the path itself, or the nearest one above it, that has a page.
func (s *site) readable(path string) string {
	path = strings.TrimSuffix(path, ".html")
	for len(path) > len(s.api.Prefix) {
		if s.known().at(path) != nil {
			return path
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return s.home()
}

// again adds the form of the request, with what the person has typed and what is wrong with it.
func (of *content) again(s *site, op *format.Operation, e *format.ErrorResponse) {
	tag := e.Match
	if e.Tag != "" {
		tag = e.Tag
	}
	if op.Membership != "" {
		if made := s.addForm(op, e.Path, e.Match, e.Next, &inputs{site: s, typed: typedIn(e)}); made != nil && e.Status != http.StatusPreconditionFailed {
			of.Forms = []*form{made}
		}
		return
	}
	made := s.newForm(op, e.Path, tag, e.Next)
	made.Open = true
	in := &inputs{site: s, typed: typedIn(e), errors: errorsOf(e), now: e.Tag != ""}
	in.before, _ = url.ParseQuery(in.typed.Get(wasField))
	if in.now && op.Method == http.MethodPatch {
		in.was = url.Values{}
	}
	t := e.Body
	if op.Expects != nil {
		t = op.Expects
	}
	made.fill(in, t, e.Current)
	if in.was == nil {
		made.Was = in.typed.Get(wasField)
	}
	made.Errors = listErrors(made.Inputs, nil)
	shown := len(made.Errors)
	for _, v := range e.Violations {
		if v.Field == "" {
			made.Errors = append(made.Errors, formError{Message: v.Message})
		} else if shown == 0 {
			made.Errors = append(made.Errors, formError{Label: v.Field, Message: v.Message})
		}
	}
	of.Forms = []*form{made}
}

// typedIn returns what the person has sent.
func typedIn(e *format.ErrorResponse) url.Values {
	typed, _ := url.ParseQuery(string(e.Form)) // what is malformed is left out
	if typed == nil {
		typed = url.Values{}
	}
	return typed
}

// errorsOf returns the messages for the inputs of a form, by path.
func errorsOf(e *format.ErrorResponse) map[string]string {
	messages := map[string]string{}
	add := func(path, message string) {
		path, _, _ = strings.Cut(path, "[") // the input has all elements
		if messages[path] == "" {
			messages[path] = message
		}
	}
	for _, v := range e.Violations {
		add(v.Field, v.Message)
	}
	for _, f := range e.Fields {
		switch text := textOf(f.JSON); {
		case f.JSON[0] != '"':
		case f.Name == "field":
			add(text, e.Detail)
		case f.Name == "pointer":
			var path []string
			for part := range strings.SplitSeq(strings.TrimPrefix(text, "/"), "/") {
				path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
			}
			add(strings.Join(path, "."), e.Detail)
		}
	}
	return messages
}

// listErrors lists the errors of inputs, so that people see at the top how many there are.
func listErrors(list []*input, errors []formError) []formError {
	for _, in := range list {
		if in.Error != "" {
			errors = append(errors, formError{in.ID, in.Label, in.Error})
		}
		errors = listErrors(in.Inputs, errors)
	}
	return errors
}
