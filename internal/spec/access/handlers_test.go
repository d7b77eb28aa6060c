package access_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// listedByHandlers declares hoards whose handlers return several of them.
func listedByHandlers(hoards store.Store[spec.Hoard]) resource.Of[spec.Hoard] {
	rules := spec.HoardRules
	rules.Fields = map[string]access.Field{"worth": {Read: access.Any(spec.IsOwner, spec.IsAdmin)}}
	all := func(ctx context.Context) ([]*spec.Hoard, error) {
		page, err := hoards.List(ctx, store.Query{Order: []store.Order{{Field: "id"}}})
		return page.Items, err
	}
	return resource.Of[spec.Hoard]{
		Store: hoards, Access: rules,
		Computed: []operation.Computed{operation.Compute("initial", "The first letter.", func(_ context.Context, h *spec.Hoard) (string, error) {
			return h.Name[:1], nil
		})},
		Operations: append(operation.Standard(),
			operation.Post{Name: "copied", URITemplate: "/hoards/copied", Access: access.Public, Handler: operation.Handle(
				func(ctx context.Context, _ *spec.Hoard, _ struct{}) ([]spec.Hoard, error) {
					list, err := all(ctx)
					copied := make([]spec.Hoard, len(list))
					for i, one := range list {
						copied[i] = *one
					}
					return copied, err
				})},
			operation.Post{Name: "pointed", URITemplate: "/hoards/pointed", Access: access.Public, Handler: operation.Handle(
				func(ctx context.Context, _ *spec.Hoard, _ struct{}) ([]*spec.Hoard, error) { return all(ctx) })},
			operation.Post{Name: "holed", URITemplate: "/hoards/holed", Access: access.Public, Handler: operation.Handle(
				func(context.Context, *spec.Hoard, struct{}) ([]*spec.Hoard, error) { return []*spec.Hoard{nil}, nil })},
			operation.GetCollection{Name: "rich", URITemplate: "/hoards/rich{._format}", Handler: operation.Handle(
				func(ctx context.Context, _ *spec.Hoard, query store.Query) (store.Page[spec.Hoard], error) {
					query.Where = append(query.Where, store.Condition{Fields: []string{"name"}, Operator: store.NotEqual, Values: []any{"poor"}})
					return hoards.List(ctx, query)
				})},
		),
	}
}

func TestRecordsInAListOfAHandlerAreShownAsTheResourceShowsThem(t *testing.T) {
	t.Parallel()
	for name, hoards := range spec.Stores[spec.Hoard](t) {
		t.Run(name, func(t *testing.T) {
			f := spec.NewCrew(t, listedByHandlers(hoards), resource.Of[spec.Captain]{})
			for _, path := range []string{"/api/hoards/copied", "/api/hoards/pointed"} {
				for who, want := range map[string]string{"ann": `"worth":9`, "bob": ``} {
					got := f.As(who, "POST "+path, "").HasStatus(200).Has("Vary", "Accept, Authorization")
					if strings.Contains(got.Body, `"worth":9`) != (want != "") {
						t.Errorf("%s answers %s to %s", path, got.Body, who)
					}
					if strings.Count(got.Body, `"initial":`) != 3 {
						t.Errorf("%s answers %s, without what is computed", path, got.Body)
					}
				}
			}
			f.As("ann", "POST /api/hoards/holed", "").IsProblem(500)
		})
	}
}

func TestAHandlerReturnsAPage(t *testing.T) {
	t.Parallel()
	for name, hoards := range spec.Stores[spec.Hoard](t) {
		t.Run(name, func(t *testing.T) {
			f := spec.NewCrew(t, listedByHandlers(hoards), resource.Of[spec.Captain]{})
			for _, who := range []string{"ann", "bob", "root", ""} {
				for _, query := range []string{"", "?sort=-name", "?itemsPerPage=1&page=2", "?owner=1", "?q=o", "?itemsPerPage=1&cursor=", "?partial=true&itemsPerPage=1", "?worth[gt]=1"} {
					want := f.As(who, "GET /api/hoards"+query, "")
					got := f.As(who, "GET /api/hoards/rich"+query, "")
					if got.Status != want.Status || got.Body != want.Body || got.Header.Get("X-Total-Count") != want.Header.Get("X-Total-Count") ||
						strings.ReplaceAll(got.Header.Get("Link"), "/rich", "") != want.Header.Get("Link") && !strings.Contains(query, "cursor") {
						t.Errorf("%s %q: the answer is %d %s %s, that of the collection %d %s %s",
							who, query, got.Status, got.Body, got.Header.Get("Link"), want.Status, want.Body, want.Header.Get("Link"))
					}
				}
			}
			f.As("ann", "GET /api/hoards/rich?colour=1", "").IsProblem(400)
			if got := f.As("ann", "GET /api/hoards/rich.ndjson", ""); got.Body != f.As("ann", "GET /api/hoards.ndjson", "").Body {
				t.Errorf("the stream is %s", got.Body)
			}
		})
	}
}

func TestAPageIsOfAGetCollection(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Hoard]{Operations: []operation.Operation{
		operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(
			func(context.Context, *spec.Hoard, struct{}) (store.Page[spec.Hoard], error) {
				return store.Page[spec.Hoard]{}, errors.New("never")
			})},
	}})
	if err == nil || !strings.Contains(err.Error(), "only a GetCollection returns a page") {
		t.Errorf("the error is %v", err)
	}
}

func TestOnlyAHandlerThatReturnsAPageGetsAQuery(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[spec.Hoard]{
		Access: access.Rules{Read: access.Public},
		Operations: []operation.Operation{operation.GetCollection{
			Name: "count", URITemplate: "/count", Access: access.Public, Handler: operation.Handle(
				func(context.Context, *spec.Hoard, store.Query) (spec.Hoard, error) { return spec.Hoard{}, nil }),
		}},
	})
	if err == nil || !strings.Contains(err.Error(), "In is store.Query, which only a handler that returns a page gets; return a store.Page[Hoard]") {
		t.Errorf("the error is %v, want one that asks for a page", err)
	}
}

func TestListsOfHandlersAreDocumentedAsRecords(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format), Authentication: []access.Scheme{spec.Bearer()}},
		listedByHandlers(spec.Stores[spec.Hoard](t)["memory"]))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Hoards", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	answer := doc.Paths.Value("/api/hoards/copied").Post.Responses.Value("200").Value
	if of := answer.Content["application/json"].Schema.Value; of.Items == nil || of.Items.Ref != "#/components/schemas/Hoard" {
		t.Errorf("the answer is of %+v", of)
	}
	rich := doc.Paths.Value("/api/hoards/rich").Get
	if rich.Parameters.GetByInAndName("query", "sort") == nil || rich.Responses.Value("200").Value.Headers["X-Total-Count"] == nil {
		t.Error("a page has no parameters or header fields of one")
	}
}

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
