package resource_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// answering declares hoards whose handlers answer several of them.
func answering(hoards store.Store[Hoard]) resource.Of[Hoard] {
	rules := hoardRules
	rules.Members = map[string]access.Member{"worth": {Read: access.Any(isOwner, isAdmin)}}
	all := func(ctx context.Context) ([]*Hoard, error) {
		page, err := hoards.List(ctx, store.Query{Order: []store.Order{{Field: "id"}}})
		return page.Items, err
	}
	return resource.Of[Hoard]{
		Store: hoards, Access: rules,
		Computed: []operation.Computed{operation.Compute("initial", "The first letter.", func(_ context.Context, h *Hoard) (string, error) {
			return h.Name[:1], nil
		})},
		Operations: append(operation.Standard(),
			operation.Post{Name: "copied", URITemplate: "/hoards/copied", Access: access.Public, Handler: operation.Handle(
				func(ctx context.Context, _ *Hoard, _ struct{}) ([]Hoard, error) {
					list, err := all(ctx)
					copied := make([]Hoard, len(list))
					for i, one := range list {
						copied[i] = *one
					}
					return copied, err
				})},
			operation.Post{Name: "pointed", URITemplate: "/hoards/pointed", Access: access.Public, Handler: operation.Handle(
				func(ctx context.Context, _ *Hoard, _ struct{}) ([]*Hoard, error) { return all(ctx) })},
			operation.Post{Name: "holed", URITemplate: "/hoards/holed", Access: access.Public, Handler: operation.Handle(
				func(context.Context, *Hoard, struct{}) ([]*Hoard, error) { return []*Hoard{nil}, nil })},
			operation.GetCollection{Name: "rich", URITemplate: "/hoards/rich{._format}", Handler: operation.Handle(
				func(ctx context.Context, _ *Hoard, _ struct{}) (store.Page[Hoard], error) {
					query := resource.QueryFrom(ctx)
					query.Where = append(query.Where, store.Condition{Fields: []string{"name"}, Operator: store.NotEqual, Values: []any{"poor"}})
					return hoards.List(ctx, query)
				})},
		),
	}
}

func TestRecordsInAListOfAHandlerAreShownAsTheResourceShowsThem(t *testing.T) {
	t.Parallel()
	for name, hoards := range stores[Hoard](t) {
		t.Run(name, func(t *testing.T) {
			f := newCrew(t, answering(hoards), resource.Of[Captain]{})
			for _, path := range []string{"/api/hoards/copied", "/api/hoards/pointed"} {
				for who, want := range map[string]string{"ann": `"worth":9`, "bob": ``} {
					got := f.as(who, "POST "+path, "").hasStatus(200).has("Vary", "Accept, Authorization")
					if strings.Contains(got.body, `"worth":9`) != (want != "") {
						t.Errorf("%s answers %s to %s", path, got.body, who)
					}
					if strings.Count(got.body, `"initial":`) != 3 {
						t.Errorf("%s answers %s, without what is computed", path, got.body)
					}
				}
			}
			f.as("ann", "POST /api/hoards/holed", "").isProblem(500)
		})
	}
}

func TestAHandlerAnswersAPage(t *testing.T) {
	t.Parallel()
	for name, hoards := range stores[Hoard](t) {
		t.Run(name, func(t *testing.T) {
			f := newCrew(t, answering(hoards), resource.Of[Captain]{})
			for _, who := range []string{"ann", "bob", "root", ""} {
				for _, query := range []string{"", "?sort=-name", "?itemsPerPage=1&page=2", "?owner=1", "?q=o", "?itemsPerPage=1&cursor=", "?partial=true&itemsPerPage=1", "?worth[gt]=1"} {
					want := f.as(who, "GET /api/hoards"+query, "")
					got := f.as(who, "GET /api/hoards/rich"+query, "")
					if got.status != want.status || got.body != want.body || got.header.Get("X-Total-Count") != want.header.Get("X-Total-Count") ||
						strings.ReplaceAll(got.header.Get("Link"), "/rich", "") != want.header.Get("Link") && !strings.Contains(query, "cursor") {
						t.Errorf("%s %q: the answer is %d %s %s, that of the collection %d %s %s",
							who, query, got.status, got.body, got.header.Get("Link"), want.status, want.body, want.header.Get("Link"))
					}
				}
			}
			f.as("ann", "GET /api/hoards/rich?colour=1", "").isProblem(400)
			if got := f.as("ann", "GET /api/hoards/rich.ndjson", ""); got.body != f.as("ann", "GET /api/hoards.ndjson", "").body {
				t.Errorf("the stream is %s", got.body)
			}
		})
	}
}

func TestAPageIsOfAGetCollection(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Hoard]{Operations: []operation.Operation{
		operation.Post{Name: "x", URITemplate: "/x", Handler: operation.Handle(
			func(context.Context, *Hoard, struct{}) (store.Page[Hoard], error) {
				return store.Page[Hoard]{}, errors.New("never")
			})},
	}})
	if err == nil || !strings.Contains(err.Error(), "a page is what a GetCollection answers") {
		t.Errorf("the error is %v", err)
	}
}

func TestListsOfHandlersAreDocumentedAsRecords(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format), Authentication: []access.Scheme{bearer()}},
		answering(stores[Hoard](t)["memory"]))
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
