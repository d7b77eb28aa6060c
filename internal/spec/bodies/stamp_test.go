package bodies_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type stamped struct {
	Name   string `json:"name" api:"id"`
	Author string `json:"author" api:"readonly"`
	Owner  string `json:"owner"`
	Note   string `json:"note"`
}

type writer string

func TestNewRecordsAreStampedByWhoCreatesThem(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var principal any
			switch name := r.Header.Get("X-Writer"); {
			case strings.HasPrefix(name, "other:"):
				principal = name
			case name != "":
				principal = writer(name)
			}
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), principal)))
		})
	}}}, resource.Of[stamped]{
		ShortName:  "Note",
		Operations: []operation.Operation{operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Get{}},
		Stamp: operation.Stamp(func(w writer, s *stamped) {
			s.Author, s.Owner = string(w), cmp.Or(s.Owner, string(w))
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ request, body, as, want string }{
		{"POST /api/notes", `{"name":"a"}`, "ann", `"author":"ann","owner":"ann"`},
		{"POST /api/notes", `{"name":"b","owner":"bob"}`, "ann", `"author":"ann","owner":"bob"`},
		{"PATCH /api/notes/a", `{"note":"x"}`, "bob", `"author":"ann","owner":"ann"`},
		{"PATCH /api/notes/a", `{"owner":""}`, "bob", `"author":"ann","owner":""`},
		{"PUT /api/notes/a", `{"note":"y"}`, "bob", `"author":"ann","owner":""`},
		{"PUT /api/notes/c", `{"note":"y"}`, "bob", `"author":"bob","owner":"bob"`},
		{"POST /api/notes", `{"name":"d"}`, "", `"author":"","owner":""`},
		{"POST /api/notes", `{"name":"e"}`, "other:eve", `"author":"","owner":""`},
	} {
		method, path, _ := strings.Cut(step.request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(step.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Writer", step.as)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code >= 300 || !strings.Contains(w.Body.String(), step.want) {
			t.Errorf("%s %s as %q returns %d %s, want %s", step.request, step.body, step.as, w.Code, w.Body, step.want)
		}
	}
}

func TestAPrincipalIsOfItsType(t *testing.T) {
	t.Parallel()
	ctx := operation.WithPrincipal(t.Context(), writer("ann"))
	if w, ok := operation.PrincipalAs[writer](ctx); !ok || w != "ann" {
		t.Errorf("the writer is %q, %v", w, ok)
	}
	if s, ok := operation.PrincipalAs[string](ctx); ok || s != "" {
		t.Errorf("the string is %q, %v", s, ok)
	}
	if w, ok := operation.PrincipalAs[*writer](t.Context()); ok || w != nil {
		t.Errorf("nobody is %v, %v", w, ok)
	}
}
