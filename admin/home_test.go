package admin_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type member struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Password string `json:"password" api:"password,createonly"`
}

type ledger struct {
	ID int64 `json:"id"`
}

// TestTheHomePageLeadsToTheAdmin reads the links of the home page, which differ between callers.
func TestTheHomePageLeadsToTheAdmin(t *testing.T) {
	t.Parallel()
	users := access.Rules{Read: access.Authenticated, Create: access.Public, Update: access.Authenticated, Delete: access.Authenticated}
	staff := access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	public := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	keeps := func(context.Context, *operation.Request, *member) error { return nil }
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{access.Bearer("token", bearerOf)}},
		resource.Of[member]{ShortName: "Member", Access: users, BeforeTransaction: keeps}, resource.Of[ledger]{ShortName: "Ledger", Access: staff},
		resource.Of[Visit]{ShortName: "Visit", Access: public})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	s := serve(t, api, admin.Config{Path: "/desk", Resources: []admin.Resource{{Name: "Visit", Hidden: true}}})
	for caller, want := range map[string]string{
		"":     "/api /api /api/docs /desk /desk#/~sign-in /desk#/Member/new /desk#/~sign-in /api/docs /desk /desk#/~sign-in /api/docs#/Member /api/docs#/Visit /api/visits",
		"root": "/api /api /api/docs /desk /api/docs /desk /desk#/Member /api/members /desk#/Ledger /api/ledgers /api/docs#/Visit /api/visits",
	} {
		_, body, header := s.exchange(caller, http.MethodGet, "/api", "", "Accept", "text/html")
		page, _, _ := strings.Cut(body, `aria-labelledby="programs"`)
		page, _, _ = strings.Cut(page, `aria-labelledby="sign-in"`)
		var links []string
		for _, found := range regexp.MustCompile(`<a [^>]*href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if found[1] != "#content" {
				links = append(links, found[1])
			}
		}
		if diff := cmp.Diff(strings.Fields(want), links); diff != "" {
			t.Errorf("the links of %q (-want +got):\n%s", caller, diff)
		}
		if header.Get("Cache-Control") != "private, no-cache" || !strings.Contains(strings.Join(header.Values("Vary"), ","), "Authorization") {
			t.Errorf("the page of %q may be cached: %v", caller, header)
		}
	}
}

// TestThePageLinksTheDocumentationForItsReaders reads the path of the documentation in the model.
func TestThePageLinksTheDocumentationForItsReaders(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[Keeper]{Access: access.Only(access.Public)})
	if err := openapi.Mount(api, openapi.Config{Access: isAdmin}); err != nil {
		t.Fatal(err)
	}
	s := serve(t, api, admin.Config{})
	for caller, want := range map[string]string{"": `"docs":""`, "ann": `"docs":""`, "root": `"docs":"/api/docs"`} {
		if body := s.get(caller, "/admin/model"); !strings.Contains(body, want) || want == `"docs":""` && strings.Contains(body, "/api/docs") {
			t.Errorf("the model of %q has not %s:\n%s", caller, want, body)
		}
	}
}

// TestAllPagesHaveOneHead reads the head of the home page, the documentation and the admin, whichever is mounted first.
func TestAllPagesHaveOneHead(t *testing.T) {
	t.Parallel()
	const accent = ":root { --accent: #7c3aed;"
	logo := []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)
	for name, test := range map[string]struct {
		config       admin.Config
		isAdminFirst bool
		mark         string
	}{
		"the admin is first":         {admin.Config{Logo: logo, Color: "#7c3aed"}, true, `<img src="/admin/files/X/logo" alt="">`},
		"the documentation is first": {admin.Config{Logo: logo, Color: "#7c3aed"}, false, `<img src="/admin/files/X/logo" alt="">`},
		"no logo and no color":       {admin.Config{}, true, `<span class="mark" aria-hidden="true">b</span>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, resource.Config{}, resource.Of[Keeper]{})
			document := func() {
				if err := openapi.Mount(api, openapi.Config{Title: "The bookshop"}); err != nil {
					t.Fatal(err)
				}
			}
			if !test.isAdminFirst {
				document()
			}
			s := serve(t, api, test.config)
			if test.isAdminFirst {
				document()
			}
			for path, own := range map[string]string{"/api": "Home", "/api/docs": "Documentation"} {
				_, body, header := s.exchange("", http.MethodGet, path, "", "Accept", "text/html")
				if !strings.Contains(regexp.MustCompile(`/files/[^/]+/`).ReplaceAllString(body, "/files/X/"), test.mark) || !strings.Contains(header.Get("Content-Security-Policy"), "img-src 'self'") {
					t.Errorf("%s has not the mark %s:\n%s", path, test.mark, body)
				}
				places := regexp.MustCompile(`(?s)<nav class="places".*?</nav>`).FindString(body)
				if got := regexp.MustCompile(`>(Home|Documentation|Admin)<`).FindAllString(places, -1); strings.Join(got, "") != ">Home<>Documentation<>Admin<" ||
					!strings.Contains(places, `aria-current="page">`+own) {
					t.Errorf("%s leads to %s", path, places)
				}
				style := body
				if file := regexp.MustCompile(`href="(/api/docs/look.css[^"]*)"`).FindStringSubmatch(body); file != nil {
					style = s.get("", file[1])
				}
				if strings.Contains(style, accent) != (test.config.Color != "") {
					t.Errorf("%s has another color", path)
				}
			}
			if body := s.get("", "/admin/model"); !strings.Contains(body, `"initial":"b"`) {
				t.Errorf("the model has another letter: %s", body)
			}
		})
	}
}
