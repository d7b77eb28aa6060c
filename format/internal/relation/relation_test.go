package relation_test

import (
	"testing"

	"github.com/trove-api/trove/format/internal/relation"
)

func TestARelationBeginsWithASmallWord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "Book": "book", "book": "book", "DragonTreasure": "dragonTreasure", "APIToken": "apiToken", "HTTPServer": "httpServer", "API": "api",
		"URLs": "urls", "URLsList": "urlsList", "A": "a", "ABook": "aBook", "X5Page": "x5Page", "Überfall": "überfall", "ÜBERFall": "überFall",
	} {
		if got := relation.Name(name, []string{name}); got != want {
			t.Errorf("%s is related by %s, want %s", name, got, want)
		}
	}
}

func TestTwoResourcesHaveTwoRelations(t *testing.T) {
	t.Parallel()
	for _, all := range [][]string{{"APIToken", "ApiToken"}, {"Book", "book"}, {"APIToken", "apiToken"}} {
		if a, b := relation.Name(all[0], all), relation.Name(all[1], all); a == b {
			t.Errorf("%v have the relation %s", all, a)
		}
	}
}
