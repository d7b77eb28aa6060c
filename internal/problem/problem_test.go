package problem_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/validation"
)

func TestAProblemIsWrittenAsRFC9457Says(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		of   *problem.Problem
		want string
	}{
		{"a status alone", problem.New(404, ""), `{"type":"about:blank","title":"Not Found","status":404}`},
		{"a status without a name", problem.New(499, ""), `{"type":"about:blank","title":"Error","status":499}`},
		{
			"all members", &problem.Problem{Type: "/x", Title: "T", Status: 402, Detail: `"d"`},
			`{"type":"/x","title":"T","status":402,"detail":"\"d\""}`,
		},
		{
			"more members, in order",
			problem.New(409, "d", problem.Field{Name: "field", Value: "a\nb"}, problem.Field{Name: "list", Value: []string{"x"}}),
			`{"type":"about:blank","title":"Conflict","status":409,"detail":"d","field":"a\nb","list":["x"]}`,
		},
		{"what is not UTF-8", problem.New(400, "a\xffb"), `{"type":"about:blank","title":"Bad Request","status":400,"detail":"a` + "\uFFFD" + `b"}`},
		{
			"a value that JSON does not have", problem.New(400, "", problem.Field{Name: "f", Value: func() {}}),
			`{"type":"about:blank","title":"Bad Request","status":400,"f":null}`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got := string(test.of.Append(nil)); got != test.want {
				t.Errorf("the problem is %s, want %s", got, test.want)
			}
		})
	}
}

func TestAProblemIsAnErrorWithItsDetail(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*problem.Problem{
		"d": {Detail: "d", Title: "t"}, "t": {Title: "t", Status: 404}, "Not Found": {Status: 404},
	} {
		if p.Error() != want {
			t.Errorf("the error reads %q, want %q", p.Error(), want)
		}
	}
}

func TestSendingLeavesTheBodyOutForHEAD(t *testing.T) {
	t.Parallel()
	p := problem.New(405, "d")
	p.Header = []string{"Allow", "GET"}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		w := httptest.NewRecorder()
		p.Write(w, httptest.NewRequestWithContext(t.Context(), method, "/", nil))
		body := string(p.Append(nil))
		if method == http.MethodHead {
			body = ""
		}
		if w.Code != 405 || w.Body.String() != body || w.Header().Get("Allow") != "GET" ||
			w.Header().Get("Content-Type") != "application/problem+json" || w.Header().Get("Content-Length") != "77" {
			t.Errorf("%s gets %d, %v, %q", method, w.Code, w.Header(), w.Body)
		}
	}
}

var violations = []validation.Violation{
	{Field: "name", Code: "min", Message: "too short", Params: map[string]any{"min": 2}},
	{Field: "name", Code: "alpha", Message: "second"},
	{Field: "tags[1].a/b", Code: "type", Message: "x"},
	{Code: "invalid", Message: "as a whole"},
}

func reportOf(list []validation.Violation) *model.Report {
	found := new(model.Report)
	found.Add(list...)
	return found
}

func TestViolationsInBothShapes(t *testing.T) {
	t.Parallel()
	for shape, want := range map[validation.Shape]string{
		validation.Map: `{"type":"validation_error","title":"There was a validation error",` +
			`"errors":{"name":"too short","tags[1].a/b":"x","":"as a whole"}}`,
		validation.Problem: `{"type":"validation_error","title":"There was a validation error","status":422,"violations":[` +
			`{"pointer":"/name","code":"min","message":"too short","params":{"min":2}},` +
			`{"pointer":"/name","code":"alpha","message":"second"},` +
			`{"pointer":"/tags/1/a~1b","code":"type","message":"x"},` +
			`{"pointer":"","code":"invalid","message":"as a whole"}]}`,
	} {
		if got := string(problem.AppendViolations(nil, shape, reportOf(violations))); got != want {
			t.Errorf("the answer is\n%s, want\n%s", got, want)
		}
	}
}

func TestAnErrorResponseHasABudgetAndSaysWhatItOmits(t *testing.T) {
	t.Parallel()
	of := func(count int, name, message string) *model.Report {
		var list []validation.Violation
		for i := range count {
			list = append(list, validation.Violation{Field: fmt.Sprint(name, i), Code: "invalid", Message: message})
		}
		return reportOf(list)
	}
	for name, test := range map[string]struct {
		found *model.Report
		more  int
	}{
		"few":                     {of(100, "a", "b"), 0},
		"many":                    {of(250, "a", "b"), 150},
		"long ones":               {of(10, "a", strings.Repeat("b", 10_000)), 4},
		"one that is too long":    {of(1, "a", strings.Repeat("b", 1<<20)), 0},
		"a name that is too long": {of(1, strings.Repeat("a.", 1<<20), "b"), 0},
		"such as JSON makes long": {of(100, "a", strings.Repeat("\x01", 1000)), 90},
	} {
		for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
			body := problem.AppendViolations(nil, shape, test.found)
			var answer struct {
				Errors     map[string]string `json:"errors"`
				Violations []any             `json:"violations"`
				More       *int              `json:"more"`
			}
			if err := json.Unmarshal(body, &answer); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			told := len(answer.Errors) + len(answer.Violations)
			more := 0
			if answer.More != nil {
				if more = *answer.More; more == 0 {
					t.Errorf("%s: more is told to be 0", name)
				}
			}
			if len(body) > model.MaxBytes+1<<10 || told+more != len(test.found.Violations)+test.found.More || (more == 0) != (test.more == 0) || more < test.more {
				t.Errorf("%s: %d bytes tell %d and %d more, want %d more", name, len(body), told, more, test.more)
			}
		}
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"":                 "",
		"name":             "/name",
		"address.city":     "/address/city",
		"tags[1]":          "/tags/1",
		"grid[1][22].x":    "/grid/1/22/x",
		"labels[a.b]":      "/labels/a.b",
		"labels[a]b].c":    "/labels/a]b/c",
		"labels[a/b~c]":    "/labels/a~1b~0c",
		"labels[]":         "/labels/",
		"labels[never":     "/labels/never",
		"labels[a].b[0].c": "/labels/a/b/0/c",
	} {
		v := model.Violation{Violation: validation.Violation{Field: path}}
		if got := v.Pointer(); got != want {
			t.Errorf("Pointer(%q) = %q, want %q", path, got, want)
		}
	}
}

func FuzzErrorResponsesAreJSON(f *testing.F) {
	f.Add("tags[1].name", "too short", "min")
	f.Add("a[b]c].d", "\xff\x00\u2028", `"`)
	f.Fuzz(func(t *testing.T, field, message, code string) {
		list := []validation.Violation{{Field: field, Code: code, Message: message, Params: map[string]any{code: message}}}
		for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
			if body := jsontext.Value(problem.AppendViolations(nil, shape, reportOf(list))); !body.IsValid() {
				t.Errorf("not JSON: %s", body)
			}
		}
		if body := jsontext.Value(problem.New(400, message, problem.Field{Name: field, Value: code}).Append(nil)); !body.IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Errorf("not JSON: %s", body)
		}
	})
}
