package admin_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Clerk is a principal with roles, which rules may hide.
type Clerk struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" api:"title"`
	Roles []string `json:"roles"`
	Rank  string   `json:"rank"`
}

var never = access.If("never", func(*Clerk) bool { return false })

// officeOf returns an API whose callers are the clerks with their names as tokens, and whose notes everyone reads.
func officeOf(t *testing.T, clerks map[string]*Clerk, scopes access.Scopes, fields map[string]access.Field) *resource.API {
	t.Helper()
	scheme := access.Bearer("token", func(_ context.Context, token string) (*Clerk, access.Scopes, error) {
		if c := clerks[token]; c != nil {
			return c, scopes, nil
		}
		return nil, nil, access.ErrCredentials
	})
	return newAPI(t, resource.Config{Authentication: []access.Scheme{scheme}},
		resource.Of[Clerk]{Store: memory.New[Clerk](), Access: access.Rules{Read: access.Authenticated, Create: never, Update: never, Delete: never, Fields: fields}},
		resource.Of[Maker]{Store: memory.New[Maker](), Access: access.Only(access.Public), Operations: append(operation.Standard(),
			operation.Post{Name: "wave", URITemplate: "/wave", Anonymous: true, Access: access.Public, Handler: operation.Handle(func(context.Context, *Maker, struct{}) (struct{}, error) { return struct{}{}, nil })})})
}

func TestTheModelSaysWhoTheCallerIs(t *testing.T) {
	t.Parallel()
	ann := map[string]*Clerk{"ann": {ID: 1, Name: "Ann", Roles: []string{"manager", ""}, Rank: "hidden"}}
	hidden := map[string]access.Field{"name": {Read: never}, "roles": {Read: never}}
	for _, c := range []struct {
		scopes access.Scopes
		fields map[string]access.Field
		want   string
	}{
		{access.Unlimited, nil, `{"by":"","name":"Ann","roles":["manager"],"scopes":null}`},
		{access.Scopes{"note:read"}, nil, `{"by":"","name":"Ann","roles":["manager"],"scopes":["note:read"]}`},
		{access.Unlimited, hidden, `{"by":"","name":"","roles":[],"scopes":null}`},
	} {
		s := serve(t, officeOf(t, ann, c.scopes, c.fields), admin.Config{})
		for caller, want := range map[string]string{"ann": c.want, "": "null"} {
			var got struct {
				Who json.RawMessage `json:"who"`
			}
			if err := json.Unmarshal([]byte(s.get(caller, "/admin/model")), &got); err != nil || string(got.Who) != want {
				t.Errorf("the model of %q has %s, want %s (%v)", caller, got.Who, want, err)
			}
		}
	}
}

// A page compares the tags of its responses, so it notices the end of a session, another caller and other roles.
func TestResponsesToThePageHaveATagOfTheCaller(t *testing.T) {
	t.Parallel()
	clerks := map[string]*Clerk{"ann": {ID: 1, Name: "Ann"}, "twin": {ID: 1, Name: "Ann", Roles: []string{"manager"}}, "bob": {ID: 2, Name: "Ann"}}
	s := serve(t, officeOf(t, clerks, access.Unlimited, nil), admin.Config{})
	tag := func(caller, method, path, body string, header ...string) string {
		_, _, fields := s.exchange(caller, method, path, body, header...)
		return fields.Get("Admin-Caller")
	}
	seen, people := []string{}, map[string]string{}
	for _, caller := range []string{"ann", "twin", "bob", ""} {
		first := tag(caller, http.MethodGet, "/admin/model", "", "Admin-Caller", "key")
		if len(first) != 33 || slices.Contains(seen, first) {
			t.Errorf("the tag of %q is %q, after %q", caller, first, seen)
		}
		seen = append(seen, first)
		people[caller], _, _ = strings.Cut(first, ".")
		for path, method := range map[string]string{
			"/admin/permissions?path=/api/makers/1": "GET", "/api/makers": "GET", "/api/makers?page=x": "GET", "/api/makers/9": "GET", "/api/clerks/1": "GET", "/admin/permissions": "GET",
		} {
			if got := tag(caller, method, path, "", "Admin-Caller", "key"); got != first {
				t.Errorf("%s %s of %q has the tag %q, want %q", method, path, caller, got, first)
			}
		}
		if got := tag(caller, http.MethodPost, "/api/makers", `{"by":"","name":"x"}`, "Admin-Caller", "key"); got != first {
			t.Errorf("a post of %q has the tag %q, want %q", caller, got, first)
		}
		if got := tag(caller, http.MethodPost, "/api/wave", "{}", "Admin-Caller", "key"); got != "" {
			t.Errorf("an operation that ignores credentials has the tag %q", got)
		}
		if got := tag(caller, http.MethodGet, "/api/makers", "", "Admin-Caller", "other"); got == first {
			t.Errorf("the tag of %q does not depend on the key", caller)
		}
		if got := tag(caller, http.MethodGet, "/api/makers", ""); got != "" {
			t.Errorf("a client without a key gets the tag %q", got)
		}
	}
	if people["ann"] != people["twin"] || people["ann"] == people["bob"] || people["ann"] == people[""] {
		t.Errorf("the people are %q", people)
	}
}

// A browser would ask for a password in a window of its own.
func TestThePageGetsNoChallengeForBasic(t *testing.T) {
	t.Parallel()
	scheme := access.Basic("password", func(context.Context, string, string) (*Clerk, access.Scopes, error) {
		return nil, nil, access.ErrCredentials
	})
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{scheme}}, resource.Of[Maker]{Store: memory.New[Maker](), Access: access.Only(access.Authenticated)})
	s := serve(t, api, admin.Config{})
	for header, want := range map[string]string{"Admin-Caller": "", "Other": `Basic realm="password", charset="UTF-8"`} {
		if status, _, fields := s.exchange("", http.MethodGet, "/api/makers", "", header, "key"); status != http.StatusUnauthorized || fields.Get("WWW-Authenticate") != want {
			t.Errorf("a request with %s gets %d and the challenge %q, want %q", header, status, fields.Get("WWW-Authenticate"), want)
		}
	}
}

func TestAPlainRequestAllocatesNothingForTheAdmin(t *testing.T) { //nolint:paralleltest // other tests allocate, too
	ann := map[string]*Clerk{"ann": {ID: 1, Name: "Ann"}}
	cost := func(isMounted bool, caller, path string) float64 {
		api := officeOf(t, ann, access.Unlimited, nil)
		if isMounted {
			if err := admin.Mount(api, admin.Config{}); err != nil {
				t.Fatal(err)
			}
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if caller != "" {
			r.Header.Set("Authorization", "Bearer "+caller)
		}
		return testing.AllocsPerRun(200, func() { api.ServeHTTP(httptest.NewRecorder(), r) })
	}
	for _, path := range []string{"/api/makers", "/api/clerks", "/api/makers/1"} {
		for _, caller := range []string{"", "ann"} {
			if with, without := cost(true, caller, path), cost(false, caller, path); with > without {
				t.Errorf("GET %s as %q allocates %v times with an admin, %v without", path, caller, with, without)
			}
		}
	}
}

var none = access.If("none", func(any) bool { return false })

// Staff is a principal whose text says less than what identifies it.
type Staff int

func (Staff) String() string { return "staff" }

// worldOf serves notes to a caller with a token, who may see no clerk and no rank.
func worldOf[P any](t *testing.T, principal P, scopes access.Scopes, read access.Rule) *site {
	t.Helper()
	scheme := access.Bearer("token", func(context.Context, string) (P, access.Scopes, error) { return principal, scopes, nil })
	hidden := map[string]access.Field{"rank": {Read: none}}
	return serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{scheme}},
		resource.Of[Clerk]{Store: memory.New[Clerk](), Access: access.Rules{Read: read, Create: access.Public, Update: none, Delete: none, Fields: hidden}},
		resource.Of[Maker]{Store: memory.New[Maker](), Access: access.Only(access.Public)}), admin.Config{})
}

// Callers choose the key, so they could compare a tag with the tags of guesses: it must depend on nothing that they may not see.
func TestATagShowsNothingThatItsCallerMayNotSee(t *testing.T) {
	t.Parallel()
	tag := func(s *site, header ...string) string {
		_, _, fields := s.exchange("ann", http.MethodGet, "/api/makers", "", append(header, "Admin-Caller", "key")...)
		return fields.Get("Admin-Caller")
	}
	all := access.Authenticated
	clerk := func(id int64, rank string, roles ...string) *Clerk { return &Clerk{id, "Ann", roles, rank} }
	first := tag(worldOf(t, clerk(1, "low"), nil, all))
	for name, world := range map[string]struct {
		tag    string
		person bool // whether it is that of the same person
		same   bool
	}{
		"a hidden field":                 {tag(worldOf(t, clerk(1, "high"), nil, all)), true, true},
		"a cookie that is no credential": {tag(worldOf(t, clerk(1, "low"), nil, all), "Cookie", "theme=dark"), true, true},
		"another person":                 {tag(worldOf(t, clerk(2, "low"), nil, all)), false, false},
		"other roles":                    {tag(worldOf(t, clerk(1, "low", "chief"), nil, all)), true, false},
		"scopes":                         {tag(worldOf(t, clerk(1, "low"), access.Scopes{"maker:read"}, all)), true, false},
		"other scopes":                   {tag(worldOf(t, clerk(1, "low"), access.Scopes{"maker:write"}, all)), true, false},
	} {
		isPerson := strings.Split(world.tag, ".")[0] == strings.Split(first, ".")[0]
		if len(world.tag) != 33 || isPerson != world.person || (world.tag == first) != world.same {
			t.Errorf("%s: the tag is %q after %q", name, world.tag, first)
		}
	}
	hidden := tag(worldOf(t, clerk(1, "low"), nil, none))
	if got := tag(worldOf(t, clerk(7, "low"), nil, none)); got != hidden {
		t.Errorf("the tag %q shows the hidden identifier of a record, and is not %q", got, hidden)
	}
	if got := tag(worldOf(t, clerk(1, "low"), nil, none), "Cookie", "theme=dark"); got != hidden {
		t.Errorf("the tag %q depends on a cookie that is no credential, and is not %q", got, hidden)
	}
	if a, b := tag(worldOf(t, Staff(1), nil, none)), tag(worldOf(t, Staff(7), nil, none)); a != b {
		t.Errorf("the tags %q and %q show the number of a principal whose text does not", a, b)
	}
	_, whoOf, _ := strings.Cut(first, ".")
	if _, other, _ := strings.Cut(tag(worldOf(t, clerk(2, "low"), nil, all)), "."); other == whoOf {
		t.Errorf("the tags of two people show that they have the same name and roles: %q", other)
	}
}

// Caches that store a response for several callers keep the tag of one page from another one.
func TestATagIsNotForOtherPages(t *testing.T) {
	t.Parallel()
	clerks := map[string]*Clerk{"ann": {ID: 1, Name: "Ann"}}
	s := serve(t, officeOf(t, clerks, access.Unlimited, nil), admin.Config{})
	varies := func(s *site, method, path, body string, header ...string) bool {
		_, _, fields := s.exchange("ann", method, path, body, header...)
		return strings.Contains(strings.Join(fields.Values("Vary"), ", "), "Admin-Caller")
	}
	for path, want := range map[string]bool{
		"/api/makers": true,                                                 // public
		"/api/clerks": false, "/admin/model": false, "/api/makers/9": false, // private, or never stored
	} {
		if got := varies(s, http.MethodGet, path, "", "Admin-Caller", "key"); got != want {
			t.Errorf("%s varies by the key: %v", path, got)
		}
		if varies(s, http.MethodGet, path, "") {
			t.Errorf("%s varies by the key without one", path)
		}
	}
	if varies(s, http.MethodPost, "/api/makers", `{"by":"","name":"x"}`, "Admin-Caller", "key") {
		t.Error("a Post varies by the key, but caches do not store it")
	}
	server := httptest.NewServer(officeOf(t, clerks, access.Unlimited, nil))
	t.Cleanup(server.Close)
	if varies(&site{t, server.URL}, http.MethodGet, "/api/makers", "", "Admin-Caller", "key") {
		t.Error("an API without an admin varies by the key")
	}
}
