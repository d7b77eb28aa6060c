package routes_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestARouteShadowedByAnOperationIsReported(t *testing.T) {
	t.Parallel()
	said := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`"mine"`)) }
	const never = "; change the route's path, or remove the operation"
	for name, test := range map[string]struct {
		add    func(chi.Router)
		errors []string // nil for none
		mine   []string // requests that reach the routes
	}{
		"a route at a collection": {
			add:    func(r chi.Router) { r.Get("/api/programmers", said) },
			errors: []string{"Programmer: the operation listProgrammers at GET /api/programmers shadows your route /api/programmers" + never},
		},
		"a route at a record, with a variable of another name": {
			add:    func(r chi.Router) { r.Get("/api/programmers/{name}", said) },
			errors: []string{"the operation getProgrammer at GET /api/programmers/{nickname} shadows your route /api/programmers/{name}" + never},
		},
		"a route for all methods": {
			add:    func(r chi.Router) { r.Handle("/api/programmers", http.HandlerFunc(said)) },
			errors: []string{"GET /api/programmers shadows", "HEAD /api/programmers shadows", "POST /api/programmers shadows"},
			mine:   []string{"PUT /api/programmers"},
		},
		"a handler mounted at a collection": {
			add:    func(r chi.Router) { r.Mount("/api/programmers", http.HandlerFunc(said)) },
			errors: []string{"GET /api/programmers shadows", "shadows your route /api/programmers/*" + never},
		},
		"a router with a root mounted at a record": {
			add:    func(r chi.Router) { r.Route("/api/programmers/{nickname}", func(r chi.Router) { r.Get("/", said) }) },
			errors: []string{"GET /api/programmers/{nickname} shadows"},
		},
		"a router mounted below a record": {
			add: func(r chi.Router) {
				r.Route("/api/programmers/{nickname}", func(r chi.Router) { r.Get("/avatar", said) })
			},
			mine: []string{"GET /api/programmers/grace/avatar"},
		},
		"a route beside a record": {
			add:  func(r chi.Router) { r.Get("/api/programmers/newest", said) },
			mine: []string{"GET /api/programmers/newest"},
		},
		"a method that the path does not have": {
			add:  func(r chi.Router) { r.Delete("/api/programmers", said) },
			mine: []string{"DELETE /api/programmers"},
		},
	} {
		for _, middleware := range [][]func(http.Handler) http.Handler{nil, {func(next http.Handler) http.Handler { return next }}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				api, err := resource.New(resource.Config{Middleware: middleware, Logger: slog.New(slog.NewTextHandler(&log, nil))},
					resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
				if err != nil {
					t.Fatal(err)
				}
				test.add(api.Router())
				told := api.Check()
				if mounted := openapi.Mount(api, openapi.Config{Title: "T", Version: "1"}); (mounted == nil) != (test.errors == nil) {
					t.Errorf("Mount returns %v", mounted)
				}
				c := spec.Client{T: t, Handler: api}
				const grace = `{"nickname":"grace","avatarNumber":0,"tagLine":"","userId":0}`
				for range 2 {
					c.Send("GET /api/programmers", "").Is(200, "["+grace+"]")
					c.Send("GET /api/programmers/grace", "").Is(200, grace)
					c.Send("GET /api/programmers/grace.json", "").Is(200, grace)
					c.Send("POST /api/programmers", `{}`).HasStatus(400)
				}
				for _, request := range test.mine {
					c.Send(request, "").Is(200, `"mine"`)
				}
				if test.errors == nil && (told != nil || log.Len() > 0) {
					t.Errorf("a route that is called is told: %v, %s", told, log.String())
				}
				for _, want := range test.errors {
					if told == nil || !strings.Contains(told.Error(), want) {
						t.Errorf("Check returns %v, which does not have %q", told, want)
					}
					if strings.Count(log.String(), want) < 1 {
						t.Errorf("the log is %s, which does not have %q", log.String(), want)
					}
				}
				if n := strings.Count(log.String(), "a route is never called"); told != nil && n != strings.Count(told.Error(), "\n")+1 {
					t.Errorf("%d lines are logged of:\n%v", n, told)
				}
			})
		}
	}
}
