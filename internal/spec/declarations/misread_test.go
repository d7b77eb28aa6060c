package declarations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type (
	// tome has an identifier of the usual name.
	tome struct {
		ID     int64  `json:"id"`
		Title  string `json:"title"`
		Author string `json:"author" api:"ref=Writer,filter"`
		Parent *int64 `json:"tome" api:"ref=Tome"`
	}
	// writer has an identifier of another name.
	writer struct {
		Pen  string `json:"pen" api:"id" validate:"max=20"`
		Name string `json:"name"`
	}
	// leaf has a composite identifier.
	leaf struct {
		Tree string `json:"tree" api:"id" validate:"max=9"`
		Twig int64  `json:"twig" api:"id"`
		Note string `json:"note"`
	}
	library struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
)

// rename is a handler with a record, for templates.
func rename[T any](template string) operation.Operation {
	return operation.Post{Name: "rename", URITemplate: template, Handler: operation.Handle(
		func(_ context.Context, record *T, _ struct{}) (T, error) { return *record, nil })}
}

func declaring[T any](more ...resource.Declaration) func(...operation.Operation) error {
	return func(o ...operation.Operation) error {
		_, err := resource.New(resource.Config{References: resource.Identifiers}, append(more, resource.Of[T]{Operations: o})...)
		return err
	}
}

func TestAVariableThatReadsLikeTheIdentifierIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	libraries, writers, leaves := declaring[library](), declaring[writer](), declaring[leaf]()
	for template, want := range map[string]string{
		"/libraries/{libraryId}/y":         "/libraries/{id}/y",
		"/libraries/{library_id}/y":        "/libraries/{id}/y",
		"/libraries/{LibraryID}/y":         "/libraries/{id}/y",
		"/libraries/{library}/y":           "/libraries/{id}/y",
		"/libraries/{ID}/y":                "/libraries/{id}/y",
		"/libraries/{Id}/y":                "/libraries/{id}/y",
		"/libraries/{_id}/y":               "/libraries/{id}/y",
		"/y/{library}":                     "/y/{id}",
		"/x/{other}/y/{library}{._format}": "/x/{other}/y/{id}{._format}",
	} {
		err := libraries(rename[library](template))
		spec.WantLine(t, err, `Library: operation 1 (Post "rename"): URITemplate names no record by {`, `did you mean "`+want+`"?`)
	}
	for template, want := range map[string]string{
		"/writers/{id}/y": "/writers/{pen}/y", "/writers/{writer}/y": "/writers/{pen}/y", "/writers/{writer_pen}/y": "/writers/{pen}/y",
		"/writers/{writerId}/y": "/writers/{pen}/y", "/writers/{Pen}/y": "/writers/{pen}/y",
	} {
		spec.WantLine(t, writers(rename[writer](template)), `did you mean "`+want+`"?`)
	}
	for template, want := range map[string]string{
		"/leaves/{leaf}/y": "/leaves/{tree};{twig}/y", "/leaves/{id}": "/leaves/{tree};{twig}", "/trees/{tree}/leaves/{leaf_twig}": "/trees/{tree}/leaves/{twig}",
		"/trees/{tree}/leaves/{TWIG}": "/trees/{tree}/leaves/{twig}",
	} {
		spec.WantLine(t, leaves(rename[leaf](template)), `did you mean "`+want+`"?`)
	}
}

func TestAStandardOperationSuggestsTheIdentifierToo(t *testing.T) {
	t.Parallel()
	libraries, tomes := declaring[library](), declaring[tome](resource.Of[writer]{})
	for _, v := range []string{"libraryId", "library", "library_id", "ID"} {
		for _, o := range []operation.Operation{
			operation.Get{URITemplate: "/l/{" + v + "}"},
			operation.Put{URITemplate: "/l/{" + v + "}"},
			operation.Patch{URITemplate: "/l/{" + v + "}"},
			operation.Delete{URITemplate: "/l/{" + v + "}"},
		} {
			spec.WantLine(t, libraries(o), "URITemplate has the unknown variable {"+v+"}; did you mean {id}?")
		}
	}
	spec.WantLine(t, tomes(operation.Get{URITemplate: "/tomes/{tomeId}"}), "URITemplate has the unknown variable {tomeId}; did you mean {id}?")
}

func TestVariablesThatMeanSomethingElseAreLegal(t *testing.T) {
	t.Parallel()
	page := func(context.Context, *library, struct{}) (store.Page[library], error) {
		return store.Page[library]{}, nil
	}
	for name, err := range map[string]error{
		"the identifier":                             declaring[library]()(rename[library]("/libraries/{id}/y")),
		"an identifier of another name":              declaring[writer]()(rename[writer]("/writers/{pen}/y")),
		"a composite identifier":                     declaring[leaf]()(rename[leaf]("/leaves/{tree};{twig}/y")),
		"a part of a composite identifier":           declaring[leaf]()(rename[leaf]("/trees/{tree}/y")),
		"another word":                               declaring[library]()(rename[library]("/libraries/{year}/{isbn}")),
		"the identifier of another resource":         declaring[writer]()(rename[writer]("/libraries/{id}/writers")),
		"a reference of the record":                  declaring[tome](resource.Of[writer]{})(rename[tome]("/writers/{author}/tomes")),
		"a reference with the name of the resource":  declaring[tome](resource.Of[writer]{})(rename[tome]("/tomes/{tome}/parts")),
		"a page of records, which loads none itself": declaring[library]()(operation.GetCollection{URITemplate: "/libraries/{library}/near", Handler: operation.Handle(page)}),
		"parents of standard operations": declaring[tome](resource.Of[writer]{})(
			operation.GetCollection{URITemplate: "/writers/{author}/tomes"}, operation.Get{URITemplate: "/writers/{author}/tomes/{id}"}),
	} {
		if err != nil {
			t.Errorf("%s: New returns %v", name, err)
		}
	}
}

func TestAHandlerGetsTheRecordOfASuggestedPath(t *testing.T) {
	t.Parallel()
	declared := resource.Of[library]{Store: memory.New(library{Name: "Alexandria"}), Operations: []operation.Operation{operation.Get{}, rename[library]("/libraries/{libraryId}/y")}}
	_, err := resource.New(resource.Config{}, declared)
	_, suggested, _ := strings.Cut(err.Error(), `did you mean "`)
	template, _, _ := strings.Cut(suggested, `"`)
	declared.Operations[1] = rename[library](template)
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("POST /api/libraries/1/y", "").Is(200, `{"id":1,"name":"Alexandria"}`)
	c.Send("POST /api/libraries/2/y", "").HasStatus(404)
}
