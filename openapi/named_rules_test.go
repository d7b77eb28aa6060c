package openapi_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
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
	doc, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
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
