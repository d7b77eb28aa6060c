package resource_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// tally is what handlers without a record return.
type tally struct {
	Hoards int `json:"hoards"`
}

func tallied(context.Context, *Hoard, struct{}) (tally, error) { return tally{3}, nil }

func TestAReadingHandlerWithoutARecordIsGuardedByRead(t *testing.T) {
	t.Parallel()
	listed := func(context.Context, *Hoard, struct{}) ([]Hoard, error) { return []Hoard{{ID: 1, Name: "gold"}}, nil }
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Access: access.Rules{Read: isAdmin, Create: access.Public},
		Operations: []operation.Operation{
			operation.Get{Name: "stats", URITemplate: "/hoards/stats", Handler: operation.Handle(tallied)},
			operation.GetCollection{Name: "top", URITemplate: "/hoards/top", Handler: operation.Handle(listed)},
			operation.Post{Name: "count", URITemplate: "/hoards/count", Handler: operation.Handle(tallied)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := crewed{client: client{t, api}}
	for _, path := range []string{"GET /api/hoards/stats", "GET /api/hoards/top", "HEAD /api/hoards/stats"} {
		f.as("", path, "").hasStatus(401)
		f.as("ann", path, "").hasStatus(403)
		f.as("root", path, "").hasStatus(200).has("Cache-Control", "private, no-cache")
	}
	f.as("", "POST /api/hoards/count", "").hasStatus(200)
}

func TestAnAccessOfItsOwnReplacesReadOnAHandler(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{Operations: append(operation.Standard(),
		operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied), Access: mayWrite},
	)}, resource.Of[Captain]{})
	f.as("", "GET /api/stats", "").isProblem(401)
	f.as("ann-plain", "GET /api/stats", "").isProblem(403)
	f.as("ann", "GET /api/stats", "").hasStatus(200)
}

func TestAReadRuleThatNeedsARecordIsAnErrorOnAHandlerWithoutOne(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]operation.Operation{
		"Get":           operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)},
		"GetCollection": operation.GetCollection{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)},
	} {
		_, err := resource.New(resource.Config{Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
			Access: access.Rules{Read: access.Any(published, isAdmin), Create: access.Public}, Operations: []operation.Operation{o},
		})
		want := `operation 1 (` + name + ` "stats"): Access.Read: the rule "published" needs a record, but there is none; give the operation an Access of its own`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestAReadingHandlerWithoutARuleNamesRead(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Access:     access.Rules{Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)}},
	})
	if err == nil || !strings.Contains(err.Error(), "set Access.Read of the resource") {
		t.Errorf("the error is %v, want one that asks for Access.Read", err)
	}
}

func TestAReadRuleRestrictsThePageThatAHandlerQueries(t *testing.T) {
	t.Parallel()
	hoards := memory.New(Hoard{Name: "gold", Published: true, Owner: 1}, Hoard{Name: "draft", Owner: 1}, Hoard{Name: "silver", Owner: 2})
	paged := func(ctx context.Context, _ *Hoard, _ struct{}) (store.Page[Hoard], error) {
		return hoards.List(ctx, resource.QueryFrom(ctx))
	}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{bearer()}}, resource.Of[Hoard]{
		Store:      hoards,
		Access:     access.Rules{Read: access.Any(published, isOwner), Create: access.Public},
		Operations: []operation.Operation{operation.GetCollection{Name: "top", URITemplate: "/top", Handler: operation.Handle(paged)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := crewed{client: client{t, api}}
	for caller, want := range map[string]string{"": "1", "ann": "2", "bob": "2"} {
		f.as(caller, "GET /api/top", "").hasStatus(200).has("X-Total-Count", want)
	}
}
