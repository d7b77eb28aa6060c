package naming_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/naming"
)

func TestPathIsTheSnakeCasePluralAwareOfAcronyms(t *testing.T) {
	t.Parallel()
	plurals := naming.NewPlurals()
	for name, want := range map[string]string{
		"DragonTreasure": "dragon_treasures",
		"HTTPServer":     "http_servers",
		"APIToken":       "api_tokens",
		"Person":         "people",
		"UserID":         "user_ids",
		"MyURLs":         "my_urls",
		"OAuth2Client":   "oauth2_clients",
		"IPv4Address":    "ipv4_addresses",
		"Category":       "categories",
		"News":           "news",
		"Child":          "children",
		"Status":         "statuses",
		"Schema":         "schemas",
		"Lens":           "lenses",
		"Books":          "books",
		"Foo_Bar":        "foo_bars",
		"Équipe":         "équipes",
		"A":              "as",
		"_":              "_s",
	} {
		if got := plurals.Path(name); got != want {
			t.Errorf("Path(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNameIsThePluralInGoCase(t *testing.T) {
	t.Parallel()
	plurals := naming.NewPlurals()
	for name, want := range map[string]string{
		"DragonTreasure": "DragonTreasures",
		"Person":         "People",
		"SalesPerson":    "SalesPeople",
		"UserID":         "UserIDs",
		"News":           "News",
		"Category":       "Categories",
		"API":            "APIs",
	} {
		if got := plurals.Name(name); got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
	}
}

type page[T any] struct{ Items []T }

type pair[A, B any] struct {
	A A
	B B
}

func TestTypeNamePutsTypeArgumentsFirst(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   any
		want string
	}{
		{naming.Plurals{}, "Plurals"},
		{page[naming.Plurals]{}, "PluralsPage"},
		{page[*naming.Plurals]{}, "PluralsPage"},
		{page[[]string]{}, "StringPage"},
		{page[page[int]]{}, "IntPagePage"},
		{pair[int, page[string]]{}, "IntStringPagePair"},
	} {
		if got := naming.TypeName(reflect.TypeOf(test.of)); got != test.want {
			t.Errorf("TypeName(%T) = %q, want %q", test.of, got, test.want)
		}
	}
}

//nolint:paralleltest // counts the allocations of the whole process
func TestALongWordIsNearNoneAndNotCompared(t *testing.T) {
	word := strings.Repeat("readonly", 1<<17)
	if n, _ := alloctest.Count(5, func() {
		if got := naming.DidYouMean(word, []string{"readonly", "writeonly"}); got != "" {
			t.Errorf("a word of a megabyte is near %q", got)
		}
	}); n > 0 {
		t.Errorf("a word of a megabyte is compared, with %v allocations", n)
	}
}

func TestSuggestFindsTheNearestNameOrNone(t *testing.T) {
	t.Parallel()
	options := []string{"readonly", "writeonly", "sort", "id"}
	for word, want := range map[string]string{
		"readOnly": "readonly",
		"raedonly": "readonly",
		"sortt":    "sort",
		"ID":       "id",
		"x":        "",
		"zzzzzzzz": "",
		"":         "",
	} {
		if got := naming.Suggest(word, options); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := naming.DidYouMean("sorted", options); got != `; did you mean "sort"?` {
		t.Errorf("DidYouMean = %q", got)
	}
}
