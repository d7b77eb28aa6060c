package invoke_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// lines is a protocol of plain lines, written over the endpoint alone: "list" lists the operations that the caller may call,
// and "call getBook id=1" calls one. A body of JSON follows its parameters.
type lines struct {
	endpoint *invoke.Endpoint
	api      *invoke.API
	listed   []*invoke.Operation
}

func mountLines(api *resource.API) error {
	l := &lines{api: invoke.Of(api)}
	for _, o := range l.api.Operations {
		if !o.Hidden {
			l.listed = append(l.listed, o)
		}
	}
	if err := l.api.Describe(false, l.listed...); err != nil {
		return err
	}
	l.endpoint = l.api.Endpoint("/lines", l.listed...)
	api.Router().Handle("/lines", l)
	return nil
}

// ServeHTTP serves a message, which is one line.
func (l *lines) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.endpoint.Takes(w, r, http.MethodPost) {
		return
	}
	caller := l.endpoint.Authenticate(w, r)
	if caller == nil {
		return
	}
	message, err := l.endpoint.Receive(w, r)
	if err != nil {
		l.endpoint.Reject(w, r, err)
		return
	}
	switch words := strings.SplitN(string(message), " ", 3); {
	case words[0] == "list":
		for _, o := range l.listed {
			if caller.May(o) {
				_, _ = fmt.Fprintln(w, l.line(o))
			}
		}
	case words[0] == "call" && len(words) > 1:
		o, err := l.api.Operation(words[1])
		if err != nil {
			l.endpoint.Reject(w, r, invoke.Invalid(err.Error(), nil))
			return
		}
		response := caller.Call(o, l.call(o, strings.Join(words[2:], "")))
		_, _ = fmt.Fprintf(w, "%d %s\n", response.Status, strings.TrimSpace(response.Body.String()))
	default:
		l.endpoint.Reject(w, r, invoke.Invalid("Send list or call.", nil))
	}
}

// line describes an operation: its id, its parameters, what it takes and what it returns.
func (*lines) line(o *invoke.Operation) string {
	text := o.ID
	for _, p := range append(o.Variables, o.Parameters...) {
		if p.Required || p.Kind == "filter" {
			text += " " + p.Name + ":" + strings.Join(p.Schema.Type, "|")
		}
	}
	if o.Body != nil {
		text += " < " + o.Body.Ref.Name
	}
	switch {
	case o.ReturnsObject():
		text += " > " + o.Response.Ref.Name
	case o.ReturnsList():
		text += " > []" + o.Response.Items.Ref.Name
	}
	return text
}

// call reads "id=1 title=x {…}".
func (*lines) call(o *invoke.Operation, text string) invoke.Call {
	call := invoke.Call{Variables: map[string]string{}}
	text, body, hasBody := strings.Cut(text, "{")
	if hasBody {
		call.Body = []byte("{" + body)
	}
	var query []string
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		isVariable := false
		for _, v := range o.Variables {
			isVariable = isVariable || v.Name == name
		}
		if isVariable {
			call.Variables[name] = value
		} else {
			query = append(query, word)
		}
	}
	call.Query = strings.Join(query, "&")
	return call
}

type reader struct {
	Name  string
	Admin bool
}

type book struct {
	ID     int64  `json:"id"`
	Title  string `json:"title" validate:"notblank" api:"filter"`
	Public bool   `json:"public"`
}

func TestAProtocolOfLines(t *testing.T) {
	t.Parallel()
	admin := access.If("admin", func(r *reader) bool { return r.Admin })
	authenticate := func(_ context.Context, token string) (*reader, access.Scopes, error) {
		switch token {
		case "ann":
			return &reader{Name: "ann"}, nil, nil
		case "root":
			return &reader{Name: "root", Admin: true}, nil, nil
		}
		return nil, nil, access.ErrCredentials
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[book]{
		ShortName: "Book",
		Access:    access.Rules{Read: access.Any(access.Where("public", true), admin), Create: admin, Update: admin, Delete: admin},
		Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Delete{Hidden: true},
		},
	})
	if err == nil {
		err = mountLines(api)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ token, line, want string }{
		{"root", `call createBook {"title":"Dune","public":true}`, `201 {"id":1,"title":"Dune","public":true}`},
		{"root", `call createBook {"title":"Emma","public":false}`, `201 {"id":2,"title":"Emma","public":false}`},
		{"ann", "list", "getBook id:integer > Book\nlistBooks title:array title[ne]:array id:array > []Book"},
		{"root", "list", "getBook id:integer > Book\nlistBooks title:array title[ne]:array id:array > []Book\ncreateBook < BookCreate > Book"},
		{"ann", "call listBooks", `200 [{"id":1,"title":"Dune","public":true}]`},
		{"ann", "call listBooks title=Emma", `200 []`},
		{"", "call getBook id=1", `200 {"id":1,"title":"Dune","public":true}`},
		{"ann", "call getBook id=2", "404"},
		{"ann", "call getBook id=3", "404"},
		{"ann", `call createBook {"title":"x","public":true}`, "403"},
		{"", `call createBook {"title":"x","public":true}`, "401"},
		{"root", `call createBook {"title":" ","public":1}`, `"public":`},
		{"root", "call listBooks colour=red", "400"},
		{"root", "call getBok id=1", `did you mean \"getBook\"?`},
		{"forged", "list", "401"},
		{"ann", "sing", `"status":400`},
	} {
		if got := send(t, api, test.token, test.line); !strings.Contains(got, test.want) {
			t.Errorf("%q as %q returns %q, want %q", test.line, test.token, got, test.want)
		}
	}
	if a, b := send(t, api, "ann", "call getBook id=2"), send(t, api, "ann", "call getBook id=3"); a != b {
		t.Errorf("a hidden record returns %q, a missing one %q", a, b)
	}
}

func send(t *testing.T, api http.Handler, token, line string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/lines", strings.NewReader(line))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusOK {
		return fmt.Sprint(w.Code, " ", string(body))
	}
	return string(body)
}
