package admin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestErrorsInTheConfigComeAllAtOnce(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...)
	err := admin.Mount(api, admin.Config{
		Path: "admin", Color: "red", Logo: []byte("GIF89a"), SignIn: "entrVisit", SignOut: "getPiece", Origins: []string{"example.com"}, Scopes: []string{"email"},
		Resources: []admin.Resource{
			{Name: "Pice"}, {Name: "Piece", Columns: []string{"alfa", "brvo", "alfa"}}, {Name: "Piece"}, {Name: "Keeper", Columns: []string{"pieces"}},
		},
		Texts: map[string]string{"list.serch": "Suchen", "field.grian": "Korn", "field.cloth": "Tuch", "lang": "de_DE"},
	})
	want := []string{
		`config: Path: "admin" is not a path; allowed: / and letters, digits, -, _, . and ~, such as "/admin"`,
		`config: Color: "red" is not a color; write it as "#7c3aed"`,
		`config: Logo: the image is of an unknown type; allowed: SVG, PNG, JPEG, WebP`,
		`config: SignIn: operation "entrVisit" does not exist; did you mean "enterVisit"?`,
		`config: SignOut: operation getPiece cannot be called by a form without a record; allowed: a Post, Put, Patch or Delete without a record`,
		`config: Origins: "example.com" is not an origin; write scheme and host, such as "https://oauth2.example.com"`,
		`config: Scopes, Origins: they are for an identity provider; set ClientID, or remove them`,
		`config: Resources: resource "Pice" does not exist; did you mean "Piece"?`,
		`config: Resources: Piece: Columns: unknown field "brvo"; did you mean "bravo"?`,
		`config: Resources: Piece: Columns: duplicate field "alfa"`,
		`config: Resources: resource "Piece" is listed twice`,
		`config: Resources: Keeper: Columns: unknown field "pieces"; allowed: id, codename, admin`,
		`config: Texts: lang: "de_DE" is not a language; write it as "de" or "de-AT"`,
		`config: Texts: unknown key "field.grian"; did you mean "field.grain"?`,
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

type permissions struct{ Operations, Unmet, Locked []string }

// permissions returns the permissions of a caller for records.
func (s *site) permissions(caller string, paths ...string) (made map[string]permissions) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.get(caller, "/admin/permissions?"+url.Values{"path": paths}.Encode())), &made); err != nil { //nolint:musttag // the names are alike
		s.t.Fatal(err)
	}
	return made
}

func contains(list []string, one string) bool { return slices.Contains(list, one) }

func TestAQueryWithoutPathsOrWithTooManyIsAnError(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for name, query := range map[string]string{
		"no path":      "",
		"another name": "paths=/api/pieces/1",
		"malformed":    "path=%zz",
		"semicolons":   "path=a;path=b",
		"101 paths":    "path=" + strings.Join(slices.Repeat([]string{"/api/pieces/1"}, 101), "&path="),
	} {
		status, body, header := s.exchange("root", http.MethodGet, "/admin/permissions?"+query, "")
		if status != http.StatusBadRequest || header.Get("Content-Type") != "application/problem+json" || !strings.Contains(body, "The parameter path") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	paths := slices.Repeat([]string{"/api/pieces/1"}, 100)
	if got := s.permissions("root", paths...); len(got) != 1 {
		t.Errorf("100 paths: %v", got)
	}
}

// FuzzPermissions holds that a query returns only records that the caller can get, under the paths that were given.
func FuzzPermissions(f *testing.F) {
	for _, seed := range []string{
		"path=/api/pieces/1", "path=/api/pieces/2&path=/api/keepers/1", "path=%2Fapi%2Fpieces%2F1", "path=/api/pieces/1.json", "path=/api/pieces/1/",
		"path=/api//pieces/1", "path=/api/pieces/../pieces/1", "path=http://example.com/api/pieces/1", "path=/api/pieces/1?expand=quartz", "path=", "",
		"path=/api/pieces/%00", "path=/api/keepers", "path=/admin/model", "a=b", "path=/api/pieces/1%2Fpeek",
	} {
		f.Add(seed)
	}
	base := newMuseum(f).base
	f.Fuzz(func(t *testing.T, query string) {
		s := &site{t, base}
		if strings.ContainsAny(query, "# \r\n") || len(query) > 4000 {
			return
		}
		if _, err := url.Parse("http://127.0.0.1/?" + query); err != nil {
			return
		}
		for _, who := range callers {
			status, body, _ := s.exchange(who, http.MethodGet, "/admin/permissions?"+query, "")
			if status == http.StatusBadRequest {
				continue
			}
			var made map[string]permissions
			if err := json.Unmarshal([]byte(body), &made); status != http.StatusOK || err != nil { //nolint:musttag // the names are alike
				t.Fatalf("%q as %q: %d %s", query, who, status, body)
			}
			given, _ := url.ParseQuery(query)
			for path, allowed := range made {
				if !slices.Contains(given["path"], path) || len(allowed.Operations) == 0 {
					t.Fatalf("%q as %q has %q: %v", query, who, path, allowed)
				}
				if status, _, _ := s.exchange(who, http.MethodGet, path, ""); status != http.StatusOK {
					t.Fatalf("%q as %q has %q, whose GET returns %d", query, who, path, status)
				}
			}
		}
	})
}

func TestPathsMayEscapeMoreThanNeeded(t *testing.T) {
	t.Parallel()
	api, err := warehouse()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s := &site{t, server.URL}
	for path, isRecord := range map[string]bool{
		"/boxes/a+b%20c": true, "/boxes/a%2Bb%20c": true, "/boxes/%61+b%20c": true, "/boxes/x;y": true, "/boxes/x%3By": true, "/racks/north;1": true,
		"/boxes/a%2Fb": true, "/boxes/a/b": false, "/racks/north%3B1": false, "/boxes/a+b%2520c": false, "/boxes/%": false, "/boxes//B01": false,
	} {
		got := s.get("secret", "/back-office/permissions?"+url.Values{"path": {path}}.Encode())
		if (got != "{}") != isRecord {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestAModelSaysWhichUpdatesAreMergePatches(t *testing.T) {
	t.Parallel()
	replaces := map[string]any{"standard_put": true}
	for _, test := range []struct {
		rule string
		op   operation.Operation
		want bool
	}{
		{"a Patch", operation.Patch{}, true},
		{"a Put that updates", operation.Put{}, true},
		{"a Put that replaces", operation.Put{ExtraProperties: replaces}, false},
	} {
		api := newAPI(t, resource.Config{}, resource.Of[Receipt]{Operations: []operation.Operation{operation.Get{}, test.op}})
		if got := serve(t, api, admin.Config{}).model("").resource("Receipt").Update.Merges; got != test.want {
			t.Errorf("%s: %v", test.rule, got)
		}
	}
}
