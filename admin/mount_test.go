package admin_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func TestErrorsInTheConfigComeAllAtOnce(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...)
	err := admin.Mount(api, admin.Config{
		Path: "admin", Color: "red", Logo: []byte("GIF89a"), SignIn: "entrVisit", SignOut: "getPiece", Origins: []string{"example.com"},
		Resources: []admin.Resource{
			{Name: "Pice"}, {Name: "Piece", Columns: []string{"alfa", "brvo", "alfa"}}, {Name: "Piece"}, {Name: "Keeper", Columns: []string{"pieces"}},
		},
		Texts: map[string]string{"list.serch": "Suchen"},
	})
	want := []string{
		`config: Path: "admin" is not a path; allowed: / and letters, digits, -, _, . and ~, such as "/admin"`,
		`config: Color: "red" is not a color; write it as "#7c3aed"`,
		`config: Logo: the image is of an unknown type; allowed: SVG, PNG, JPEG, WebP`,
		`config: SignIn: operation "entrVisit" does not exist; did you mean "enterVisit"?`,
		`config: SignOut: operation getPiece cannot be called by a form without a record; allowed: a Post, Put, Patch or Delete without a record`,
		`config: Origins: "example.com" is not an origin; write scheme and host, such as "https://oauth2.example.com"`,
		`config: Resources: resource "Pice" does not exist; did you mean "Piece"?`,
		`config: Resources: Piece: Columns: unknown field "brvo"; did you mean "bravo"?`,
		`config: Resources: Piece: Columns: duplicate field "alfa"`,
		`config: Resources: resource "Piece" is listed twice`,
		`config: Resources: Keeper: Columns: unknown field "pieces"; allowed: id, codename, admin`,
		`config: Texts: unknown key "list.serch"; did you mean "list.search"?`,
	}
	if got := lines(err); strings.Join(got, "\n") != "admin: "+strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := len(api.Router().Routes()); got != len(newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...).Router().Routes()) {
		t.Errorf("%d routes after an error", got)
	}
}

// lines returns the lines of an error.
func lines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func TestARouteThatExistsIsAnError(t *testing.T) {
	t.Parallel()
	if err := admin.Mount(nil, admin.Config{}); err == nil || err.Error() != "admin: the API is nil" {
		t.Errorf("a nil API: %v", err)
	}
	api := newAPI(t, resource.Config{}, resource.Of[Visit]{})
	api.Router().Get("/desk/model", func(http.ResponseWriter, *http.Request) {})
	if err := admin.Mount(api, admin.Config{Path: "/desk"}); err == nil || !strings.Contains(err.Error(), "/desk/model has a route already") {
		t.Errorf("a route below the path: %v", err)
	}
	for _, path := range []string{"/api/visits", "/api", "/api/visits/7", "/api/visits.json"} {
		err := admin.Mount(api, admin.Config{Path: path})
		if err == nil || !regexp.MustCompile(`^admin: config: Path: operation \w+ at /api/visits(/{id})? would take requests of `+path+`; use another path$`).MatchString(err.Error()) {
			t.Errorf("the path %s of an operation: %v", path, err)
		}
	}
	if err := admin.Mount(api, admin.Config{}); err != nil {
		t.Fatal(err)
	}
	if err := admin.Mount(api, admin.Config{}); err == nil || !strings.Contains(err.Error(), "/admin has a route already; has the admin been mounted before?") {
		t.Errorf("a second time: %v", err)
	}
	if err := admin.Mount(api, admin.Config{Path: "/other"}); err != nil {
		t.Errorf("at another path: %v", err)
	}
}

func TestAnotherPathMovesEverything(t *testing.T) {
	t.Parallel()
	s := serve(t, newAPI(t, resource.Config{Prefix: "/"}, resource.Of[Visit]{}), admin.Config{Path: "/back/office", Logo: []byte("<svg/>")})
	if body := s.get("", "/back/office"); !strings.Contains(body, `src="/back/office/files/`) || strings.Contains(body, `"/admin`) {
		t.Errorf("the page: %s", body)
	}
	if body := s.get("", "/back/office/model"); !regexp.MustCompile(`"logo":"/back/office/files/[^/"]+/logo"`).MatchString(body) || !strings.Contains(body, `"home":"/"`) {
		t.Errorf("the model: %s", body)
	}
	if status, _, _ := s.exchange("", http.MethodGet, "/admin", ""); status != http.StatusNotFound {
		t.Errorf("/admin: %d", status)
	}
}

func TestThePageHasTheTitleOfTheDocument(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  admin.Config
		mounted bool
		want    string
	}{
		"nothing is set":              {admin.Config{}, false, "Admin"},
		"the document is mounted":     {admin.Config{}, true, "Bücher & <Co>"},
		"the config takes precedence": {admin.Config{Title: "Back office"}, true, "Back office"},
	} {
		api := newAPI(t, resource.Config{}, resource.Of[Visit]{})
		s := serve(t, api, test.config)
		if test.mounted {
			if err := openapi.Mount(api, openapi.Config{Title: "Bücher & <Co>", Version: "1"}); err != nil {
				t.Fatal(err)
			}
		}
		m := s.model("")
		page := s.get("", "/admin")
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(test.want)
		if m.Title != test.want || !strings.Contains(page, "<title>"+escaped+"</title>") {
			t.Errorf("%s: %q\n%s", name, m.Title, page)
		}
		if wantDocs := map[bool]string{true: "/api/docs"}[test.mounted]; m.Docs != wantDocs {
			t.Errorf("%s: docs %q", name, m.Docs)
		}
	}
}
