package openapi_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// guardedDocs is an API whose documentation admins may see.
func guardedDocs(t *testing.T, rule access.Rule) http.Handler {
	t.Helper()
	authenticate := func(_ context.Context, token string) (*Keeper, access.Scopes, error) {
		switch token {
		case "ann":
			return &Keeper{ID: 1}, nil, nil
		case "root":
			return &Keeper{ID: 3, Admin: true}, nil, nil
		case "outage":
			return nil, nil, errors.New("no answer")
		case "panic":
			panic("cannot")
		}
		return nil, nil, access.ErrCredentials
	}
	api := newAPI(t, configuration{
		config: resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{access.Bearer("token", authenticate), access.Basic("login", knowsPassword)}}, declarations: ruled()[:1],
	})
	if err := openapi.Mount(api, openapi.Config{Access: rule}); err != nil {
		t.Fatal(err)
	}
	return api
}

func TestTheDocumentationIsGuardedAsOperationsAre(t *testing.T) {
	t.Parallel()
	api := guardedDocs(t, isAdmin)
	for who, want := range map[string]int{"": 401, "ann": 403, "root": 200, "forged": 401, "outage": 503, "panic": 500} {
		for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
			var header []string
			if who != "" {
				header = []string{"Authorization", "Bearer " + who}
			}
			w := get(t, api, path, header...)
			if w.Code != want {
				t.Errorf("%s as %q is answered %d, want %d", path, who, w.Code, want)
			}
			switch {
			case want == 200 && (w.Header().Get("Cache-Control") != "private, no-cache" || !strings.Contains(w.Header().Get("Vary"), "Authorization")):
				t.Errorf("%s may be kept for others: %v", path, w.Header())
			case want == 401 && len(w.Header().Values("WWW-Authenticate")) != 2:
				t.Errorf("%s as %q is challenged by %q", path, who, w.Header().Values("WWW-Authenticate"))
			case want != 200 && w.Header().Get("Content-Type") != "application/problem+json":
				t.Errorf("%s as %q is refused with a %s", path, who, w.Header().Get("Content-Type"))
			}
		}
	}
	if w := get(t, api, "/api/docs/swagger-ui.css"); w.Code != http.StatusOK {
		t.Errorf("a file of Swagger UI is answered %d", w.Code)
	}
	w := get(t, api, "/api/docs.json", "Authorization", "Bearer root")
	if w := get(t, api, "/api/docs.json", "Authorization", "Bearer root", "If-None-Match", w.Header().Get("ETag")); w.Code != http.StatusNotModified {
		t.Errorf("who has the document is answered %d", w.Code)
	}
	if w := get(t, api, "/api/docs.json", "If-None-Match", w.Header().Get("ETag")); w.Code != http.StatusUnauthorized {
		t.Errorf("nobody who knows the tag is answered %d", w.Code)
	}
}

func TestADocumentationWithoutARuleIsPublic(t *testing.T) {
	t.Parallel()
	api := guardedDocs(t, nil)
	if w := get(t, api, "/api/docs.json"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("the document is answered %d, with %v", w.Code, w.Header())
	}
}

func TestMistakesInTheRuleOfTheDocumentation(t *testing.T) {
	t.Parallel()
	for want, rule := range map[string]access.Rule{
		`Access: rule "owner" needs a record`:           access.Any(isAdmin, isOwner),
		`is for principals of type *openapi_test.Robot`: isRobot,
		`If("admin") has a nil function`:                access.If[*Keeper]("admin", nil),
	} {
		api := newAPI(t, configuration{config: resource.Config{Authentication: allSchemes()[:1]}, declarations: ruled()[:1]})
		err := openapi.Mount(api, openapi.Config{Access: rule})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Mount = %v, want %q", err, want)
		}
	}
}

func TestAGuardedDocumentationNeedsRulesOfTheAPI(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Keeper]{}}})
	err := openapi.Mount(api, openapi.Config{Access: access.Authenticated})
	if err == nil || !strings.Contains(err.Error(), "openapi: config: Access is set, but no resource declares an access rule") {
		t.Errorf("Mount returns %v", err)
	}
}
