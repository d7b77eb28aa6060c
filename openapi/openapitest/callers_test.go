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

// pirate is who asks.
type pirate struct {
	id      int64
	captain bool
}

// loot has an owner, whose example is ann.
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
		Members: map[string]access.Member{
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

// pirates are all callers of the tests.
func pirates() []openapitest.Option {
	return []openapitest.Option{bearerOf("ann"), bearerOf("bob"), bearerOf("root"), openapitest.As("nobody", nil)}
}

func TestAnAPIWithRightsConformsForEachCaller(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, nil), append(pirates(), openapitest.Requests(1000))...)
}

func TestAnAPIWithRightsConformsForNobody(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, nil), openapitest.Requests(1000),
		openapitest.NeverSucceeds("createLoot", "getLoot", "updateLoot", "patchLoot", "deleteLoot"))
}

func TestReplacingWithRightsConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newLoot(t, func(l *resource.Of[loot]) { l.ExtraProperties = map[string]any{"standard_put": true} }), append(pirates(), openapitest.Requests(1000))...)
}

func TestFaultsInRightsAreNoticed(t *testing.T) {
	t.Parallel()
	forbids := func(context.Context, *operation.Request, *loot) error {
		return operation.Error{Status: http.StatusTeapot, Title: "no"}
	}
	for name, test := range map[string]struct {
		change  func(*resource.Of[loot])
		answers fault
		options []openapitest.Option
		want    string // "" for nothing
	}{
		"a challenge is missing": {
			answers: func(_ *http.Request, _ string, w *httptest.ResponseRecorder) { w.Header().Del("WWW-Authenticate") },
			want:    "(createLoot) answers without WWW-Authenticate, which the document says must be there as nobody",
		},
		"nobody is served": {
			answers: func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodDelete && w.Code == http.StatusUnauthorized {
					w.Code = http.StatusNoContent
					w.Body.Reset()
				}
			},
			want: "(deleteLoot) answers nobody, where the document asks for credentials as nobody",
		},
		"a refusal of rights that is not documented": {
			change: func(l *resource.Of[loot]) {
				l.Operations = []operation.Operation{operation.Get{Access: access.Public}, operation.Post{Access: access.Public}}
				l.Access = access.Rules{}
			},
			answers: func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet {
					w.Code = http.StatusForbidden
					w.Header().Set("Content-Type", "application/problem+json")
					w.Body.Reset()
					w.Body.WriteString(`{"type":"about:blank","title":"Forbidden","status":403}`)
				}
			},
			want: "(getLoot) refuses what the document calls valid as",
		},
		"a refusal for what is kept": {
			change: func(l *resource.Of[loot]) { l.Prepare = forbids },
			want:   "refuses what the document calls valid",
		},
		"a refusal for what is kept that is allowed": {
			change: func(l *resource.Of[loot]) { l.Prepare = forbids },
			options: []openapitest.Option{
				openapitest.Allow("createLoot", http.StatusTeapot), openapitest.Allow("updateLoot", http.StatusTeapot), openapitest.Allow("patchLoot", http.StatusTeapot),
				openapitest.NeverSucceeds("createLoot", "getLoot", "updateLoot", "patchLoot", "deleteLoot"),
			},
		},
		"an operation that is allowed and not there": {
			options: []openapitest.Option{openapitest.Allow("creatLoot", http.StatusTeapot)},
			want:    "Allow names the operation creatLoot, which is not in the document",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := &recorder{TB: t}
			options := append(pirates(), openapitest.Requests(60))
			if test.answers != nil {
				options = append(options, openapitest.Through(faulty(test.answers)))
			}
			openapitest.Conform(told, newLoot(t, test.change), append(options, test.options...)...)
			got := strings.Join(told.complaints, "\n")
			if !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("want a complaint %q, got\n%s", test.want, got)
			}
		})
	}
}
