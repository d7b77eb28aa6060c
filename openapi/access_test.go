package openapi_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// leaves are rules of every kind without parts.
func leaves() map[string]access.Rule {
	return map[string]access.Rule{
		"Public": access.Public, "Authenticated": access.Authenticated, "If": isAdmin, "Equal": isOwner, "Where": isPublished, "Scope": mayWrite,
		"Check": access.Check("checked", func(_ context.Context, j *Jewel) (bool, error) { return j.IsPublished, nil }),
		"Filter": access.Filter("filtered", func(_ context.Context, k *Keeper) ([]store.Condition, error) {
			return []store.Condition{{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{k.ID}}}, nil
		}),
	}
}

// vault is an API of jewels whose rules are all the same one, as far as each can have it.
func vault(t *testing.T, rule access.Rule, isCheck bool) *resource.API {
	t.Helper()
	member := access.Field{Read: rule, Write: rule}
	rules := access.Rules{Read: rule, Create: rule, Update: rule, Delete: rule, Fields: map[string]access.Field{"name": member}}
	if isCheck { // not allowed as a read rule
		rules.Read, rules.Fields = access.Public, map[string]access.Field{"name": {Write: rule}}
	}
	return newAPI(t, configuration{
		config: resource.Config{Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (*Keeper, access.Scopes, error) {
			keeper := map[string]*Keeper{"ann": {ID: 1}, "bob": {ID: 2}, "root": {ID: 3, Admin: true}}[token]
			if keeper == nil {
				return nil, nil, access.ErrCredentials
			}
			return keeper, map[string]access.Scopes{"ann": {"jewel:write"}}[token], nil
		})}},
		declarations: []resource.Declaration{resource.Of[Jewel]{
			Store:  memory.New(Jewel{Name: "opal", IsPublished: true, Owner: 1}, Jewel{Name: "ruby", Owner: 1}, Jewel{Name: "jade", Owner: 2}),
			Access: rules,
		}},
	})
}

// traceOf returns the document without the texts of rules, and what requests of several callers get.
func traceOf(t *testing.T, api *resource.API) string {
	t.Helper()
	doc := documented(t, api, openapi.Config{})
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	trace := regexp.MustCompile(`(Access|Read access|Write access): [^"]*"`).ReplaceAllString(string(text), `"`)
	for _, who := range []string{"", "Bearer none", "Bearer ann", "Bearer bob", "Bearer root"} {
		for _, request := range []struct{ method, path, body string }{
			{http.MethodGet, "/jewels", ""},
			{http.MethodGet, "/jewels/1", ""},
			{http.MethodGet, "/jewels/3", ""},
			{http.MethodPatch, "/jewels/2", `{"name":"garnet"}`},
			{http.MethodPatch, "/jewels/3", `{"isPublished":true}`},
			{http.MethodPost, "/jewels", `{"name":"onyx","isPublished":false,"owner":2}`},
			{http.MethodDelete, "/jewels/1", ""},
		} {
			header := []string{"Content-Type", "application/json"}
			if who != "" {
				header = append(header, "Authorization", who)
			}
			if request.method == http.MethodPatch {
				header[1] = "application/merge-patch+json"
			}
			got := send(t, api, request.method, "/api"+request.path, request.body, header...)
			trace += fmt.Sprintf("\n%s %s as %q: %d %s %s %s", request.method, request.path, who, got.Code, got.Header()["Www-Authenticate"], got.Header()["Cache-Control"], got.Body)
		}
	}
	return trace
}

func TestTheNameOfARuleChangesOnlyItsText(t *testing.T) {
	t.Parallel()
	within := map[string]func(access.Rule) access.Rule{
		"alone":   func(rule access.Rule) access.Rule { return rule },
		"in Any":  func(rule access.Rule) access.Rule { return access.Any(rule, isAdmin) },
		"in All":  func(rule access.Rule) access.Rule { return access.All(rule, access.Not(access.All(isAdmin, isOwner))) },
		"in Not":  access.Not,
		"in both": func(rule access.Rule) access.Rule { return access.Any(access.All(rule), access.Not(access.Any(rule))) },
	}
	for kind, leaf := range leaves() {
		for place, within := range within {
			if kind == "Filter" && (place == "in Not" || place == "in both") { // which New rejects
				continue
			}
			t.Run(kind+" "+place, func(t *testing.T) {
				t.Parallel()
				want := traceOf(t, vault(t, within(leaf), kind == "Check"))
				for name, rule := range map[string]access.Rule{
					"inside": within(access.Named("x", leaf)), "outside": access.Named("x", within(leaf)),
					"twice": access.Named("y", access.Named("x", within(access.Named("x", leaf)))),
				} {
					got := strings.Split(traceOf(t, vault(t, rule, kind == "Check")), "\n")
					for i, line := range strings.Split(want, "\n") {
						if i >= len(got) || got[i] != line {
							t.Fatalf("named %s:\ngot  %s\nwant %s", name, got[min(i, len(got)-1)], line)
						}
					}
				}
			})
		}
	}
}

// Parcel has a hidden field that its rules look at.
type Parcel struct {
	ID      int64 `json:"id"`
	Deleted bool  `json:"deleted" api:"hidden"`
	Open    bool  `json:"open"`
}

func TestHiddenFieldsAreNotNamedInTheTextOfARule(t *testing.T) {
	t.Parallel()
	rule := access.All(access.Where("deleted", false), access.Any(access.Where("open", true), isAdmin))
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Parcel]{Access: access.Rules{
		Read: rule, Create: access.Public, Update: access.Named("open to all", rule), Delete: access.Not(rule),
		Fields: map[string]access.Field{"open": {Read: access.Any(access.Where("deleted", true), isAdmin)}},
	}}}})
	doc := documented(t, api, openapi.Config{})
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`Access: a condition on the record and (open or admin)"`, `Access: open to all"`, `Access: not (a condition on the record and (open or admin))"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document lacks %q", want)
		}
	}
	if strings.Contains(string(text), "deleted") {
		t.Error("the document names the hidden field")
	}
}

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
				t.Errorf("%s as %q returns %d, want %d", path, who, w.Code, want)
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
		t.Errorf("a file of Swagger UI returns %d", w.Code)
	}
	w := get(t, api, "/api/docs.json", "Authorization", "Bearer root")
	if w := get(t, api, "/api/docs.json", "Authorization", "Bearer root", "If-None-Match", w.Header().Get("ETag")); w.Code != http.StatusNotModified {
		t.Errorf("a caller who has the document gets %d", w.Code)
	}
	if w := get(t, api, "/api/docs.json", "If-None-Match", w.Header().Get("ETag")); w.Code != http.StatusUnauthorized {
		t.Errorf("an anonymous caller who knows the tag gets %d", w.Code)
	}
}

func TestADocumentationWithoutARuleIsPublic(t *testing.T) {
	t.Parallel()
	api := guardedDocs(t, nil)
	if w := get(t, api, "/api/docs.json"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("the document returns %d, with %v", w.Code, w.Header())
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

func TestTheDocumentShowsReadOnAReadingHandler(t *testing.T) {
	t.Parallel()
	type keeper struct{ ID int64 }
	type report struct {
		ID int64 `json:"id"`
	}
	type stats struct {
		Reports int `json:"reports"`
	}
	token := access.Bearer("token", func(context.Context, string) (*keeper, access.Scopes, error) { return nil, nil, access.ErrCredentials })
	count := func(context.Context, *report, struct{}) (stats, error) { return stats{}, nil }
	api := declared(t, resource.Config{Authentication: []access.Scheme{token}}, resource.Of[report]{
		ShortName:  "Report",
		Access:     access.Rules{Read: access.All(access.Authenticated, access.Scope("stats")), Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "stats", URITemplate: "/reports/stats", Handler: operation.Handle(count)}},
	})
	doc := documented(t, api, openapi.Config{Title: "Reports", Version: "1"})
	op := doc.Paths.Value("/api/reports/stats").Get
	if op.Security == nil || len(*op.Security) != 1 || (*op.Security)[0]["token"] == nil {
		t.Errorf("security is %v, want the scheme and no anonymous access", op.Security)
	}
	for _, status := range []int{401, 403} {
		if op.Responses.Status(status) == nil {
			t.Errorf("there is no response %d", status)
		}
	}
	if !strings.Contains(op.Description, "Access: any authenticated caller and scope stats") {
		t.Errorf("the description names no rule: %q", op.Description)
	}
}
