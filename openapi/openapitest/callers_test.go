package openapitest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// pirate is the principal.
type pirate struct {
	id      int64
	captain bool
}

// loot is a record with an owner. The example is the identifier of ann.
type loot struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Shown  bool   `json:"shown" api:"filter" example:"true"`
	Owner  int64  `json:"owner" api:"filter" example:"1"`
	Secret string `json:"secret"`
	Locked bool   `json:"locked"`
}

var (
	isCaptain = access.If("captain", func(p *pirate) bool { return p.captain })
	isOwner   = access.Equal("owner", func(p *pirate) int64 { return p.id })
)

func pirateOf(_ context.Context, token string) (*pirate, access.Scopes, error) {
	switch token {
	case "ann":
		return &pirate{id: 1}, access.Scopes{"loot:write"}, nil
	case "bob":
		return &pirate{id: 2}, nil, nil
	case "root":
		return &pirate{id: 3, captain: true}, access.Unlimited, nil
	}
	return nil, nil, access.ErrCredentials
}

func newLoot(t *testing.T, change func(*resource.Of[loot])) *resource.API {
	t.Helper()
	declared := resource.Of[loot]{Access: access.Rules{
		Read: access.Any(access.Where("shown", true), isOwner, isCaptain), Create: access.All(access.Scope("loot:write"), access.Any(isOwner, isCaptain)),
		Update: access.Any(isOwner, isCaptain), Delete: isCaptain,
		Fields: map[string]access.Field{
			"secret": {Read: access.Any(isOwner, isCaptain)},
			"locked": {Read: isCaptain, Write: isCaptain},
		},
	}}
	if change != nil {
		change(&declared)
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", pirateOf)}}, declared)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func bearerOf(name string) openapitest.Option {
	return openapitest.As(name, http.Header{"Authorization": {"Bearer " + name}})
}

// pirates returns all callers of the tests.
func pirates() []openapitest.Option {
	return []openapitest.Option{bearerOf("ann"), bearerOf("bob"), bearerOf("root"), openapitest.As("anonymous", nil)}
}

func TestAnAPIWithAccessRulesConformsForEachCaller(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, nil), append(pirates(), openapitest.Requests(400))...)
}

func TestAnAPIWithAccessRulesConformsForAnonymousCallers(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, nil), openapitest.Requests(400),
		openapitest.NeverSucceeds("createLoot", "getLoot", "updateLoot", "patchLoot", "deleteLoot"))
}

func TestReplacingWithAccessRulesConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, func(l *resource.Of[loot]) { l.ExtraProperties = map[string]any{"standard_put": true} }), append(pirates(), openapitest.Requests(400))...)
}

func TestFaultsInAccessAreReported(t *testing.T) {
	t.Parallel()
	forbids := func(context.Context, *operation.Request, *loot) error {
		return operation.Error{Status: http.StatusTeapot, Title: "no"}
	}
	for name, test := range map[string]struct {
		change  func(*resource.Of[loot])
		fault   fault
		options []openapitest.Option
		want    string // "" for nothing
	}{
		"a challenge is missing": {
			fault: func(_ *http.Request, _ string, w *httptest.ResponseRecorder) { w.Header().Del("WWW-Authenticate") },
			want:  "(createLoot) returns no header that the document requires: WWW-Authenticate",
		},
		"an anonymous caller is served": {
			fault: func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodDelete && w.Code == http.StatusUnauthorized {
					w.Code = http.StatusNoContent
					w.Body.Reset()
				}
			},
			want: "(deleteLoot) serves an anonymous caller, although the document requires credentials",
		},
		"a 403 that is not documented": {
			change: func(l *resource.Of[loot]) {
				l.Operations = []operation.Operation{operation.Get{Access: access.Public}, operation.Post{Access: access.Public}}
				l.Access = access.Rules{}
			},
			fault: func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet {
					w.Code = http.StatusForbidden
					w.Header().Set("Content-Type", "application/problem+json")
					w.Body.Reset()
					w.Body.WriteString(`{"type":"about:blank","title":"Forbidden","status":403}`)
				}
			},
			want: "(getLoot) rejects a request that the document calls valid",
		},
		"a rejection by a hook": {
			change: func(l *resource.Of[loot]) { l.Prepare = forbids },
			want:   "rejects a request that the document calls valid",
		},
		"a rejection by a hook that is allowed": {
			change: func(l *resource.Of[loot]) { l.Prepare = forbids },
			options: []openapitest.Option{
				openapitest.Allow("createLoot", http.StatusTeapot), openapitest.Allow("updateLoot", http.StatusTeapot), openapitest.Allow("patchLoot", http.StatusTeapot),
				openapitest.NeverSucceeds("createLoot", "getLoot", "updateLoot", "patchLoot", "deleteLoot"),
			},
		},
		"an allowed operation that does not exist": {
			options: []openapitest.Option{openapitest.Allow("creatLoot", http.StatusTeapot)},
			want:    "Allow names the operation \"creatLoot\", which is not in the document",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notes := &recorder{TB: t}
			options := append(pirates(), openapitest.Requests(60))
			if test.fault != nil {
				options = append(options, openapitest.Through(faulty(test.fault)))
			}
			openapitest.Conform(notes, newLoot(t, test.change), append(options, test.options...)...)
			got := strings.Join(notes.complaints, "\n")
			if !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("want a complaint %q, got\n%s", test.want, got)
			}
		})
	}
}

// TestAnOperationThatNeverSucceedsShowsMoreThanMissingCredentials has an anonymous caller first, and a hook that rejects every other one.
func TestAnOperationThatNeverSucceedsShowsMoreThanMissingCredentials(t *testing.T) {
	t.Parallel()
	api := newLoot(t, func(l *resource.Of[loot]) {
		l.Prepare = func(context.Context, *operation.Request, *loot) error {
			return operation.Error{Status: http.StatusTeapot, Title: "no"}
		}
	})
	notes := &recorder{TB: t}
	openapitest.Conform(notes, api, openapitest.As("anonymous", nil), bearerOf("ann"), openapitest.Requests(20))
	for _, complaint := range notes.complaints {
		if strings.Contains(complaint, "(createLoot) never succeeded") && !strings.Contains(complaint, "response: 418") {
			t.Errorf("the request of the caller with credentials is not shown:\n%s", complaint)
		}
	}
}
