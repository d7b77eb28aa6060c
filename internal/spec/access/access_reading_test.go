package access_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// tally is what handlers without a record return.
type tally struct {
	Hoards int `json:"hoards"`
}

func tallied(context.Context, *spec.Hoard, struct{}) (tally, error) { return tally{3}, nil }

func TestAReadingHandlerWithoutARecordIsGuardedByRead(t *testing.T) {
	t.Parallel()
	listed := func(context.Context, *spec.Hoard, struct{}) ([]spec.Hoard, error) {
		return []spec.Hoard{{ID: 1, Name: "gold"}}, nil
	}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Access: access.Rules{Read: spec.IsAdmin, Create: access.Public},
		Operations: []operation.Operation{
			operation.Get{Name: "stats", URITemplate: "/hoards/stats", Handler: operation.Handle(tallied)},
			operation.GetCollection{Name: "top", URITemplate: "/hoards/top", Handler: operation.Handle(listed)},
			operation.Post{Name: "count", URITemplate: "/hoards/count", Handler: operation.Handle(tallied)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := spec.Crewed{Client: spec.Client{T: t, Handler: api}}
	for _, path := range []string{"GET /api/hoards/stats", "GET /api/hoards/top", "HEAD /api/hoards/stats"} {
		f.As("", path, "").HasStatus(401)
		f.As("ann", path, "").HasStatus(403)
		f.As("root", path, "").HasStatus(200).Has("Cache-Control", "private, no-cache")
	}
	f.As("", "POST /api/hoards/count", "").HasStatus(200)
}

func TestAnAccessOfItsOwnReplacesReadOnAHandler(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Operations: append(operation.Standard(),
		operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied), Access: spec.MayWrite},
	)}, resource.Of[spec.Captain]{})
	f.As("", "GET /api/stats", "").IsProblem(401)
	f.As("ann-plain", "GET /api/stats", "").IsProblem(403)
	f.As("ann", "GET /api/stats", "").HasStatus(200)
}

func TestAReadRuleThatNeedsARecordIsAnErrorOnAHandlerWithoutOne(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]operation.Operation{
		"Get":           operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)},
		"GetCollection": operation.GetCollection{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)},
	} {
		_, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
			Access: access.Rules{Read: access.Any(spec.Published, spec.IsAdmin), Create: access.Public}, Operations: []operation.Operation{o},
		})
		want := `operation 1 (` + name + ` "stats"): Access.Read: the rule "published" needs a record, but the operation has none; set Access of the operation`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestAReadingHandlerWithoutARuleNamesRead(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Access:     access.Rules{Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "stats", URITemplate: "/stats", Handler: operation.Handle(tallied)}},
	})
	if err == nil || !strings.Contains(err.Error(), "set Access.Read of the resource") {
		t.Errorf("the error is %v, want one that asks for Access.Read", err)
	}
}

func TestAReadRuleRestrictsThePageThatAHandlerQueries(t *testing.T) {
	t.Parallel()
	hoards := memory.New(spec.Hoard{Name: "gold", Published: true, Owner: 1}, spec.Hoard{Name: "draft", Owner: 1}, spec.Hoard{Name: "silver", Owner: 2})
	paged := func(ctx context.Context, _ *spec.Hoard, query store.Query) (store.Page[spec.Hoard], error) {
		return hoards.List(ctx, query)
	}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{spec.Bearer()}}, resource.Of[spec.Hoard]{
		Store:      hoards,
		Access:     access.Rules{Read: access.Any(spec.Published, spec.IsOwner), Create: access.Public},
		Operations: []operation.Operation{operation.GetCollection{Name: "top", URITemplate: "/top", Handler: operation.Handle(paged)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := spec.Crewed{Client: spec.Client{T: t, Handler: api}}
	for caller, want := range map[string]string{"": "1", "ann": "2", "bob": "2"} {
		f.As(caller, "GET /api/top", "").HasStatus(200).Has("X-Total-Count", want)
	}
}
