package admin_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/resource"
)

// texts returns the English texts of the page.
func texts(t *testing.T) map[string]string {
	t.Helper()
	english := map[string]string{}
	for _, name := range []string{"ui/texts.js", "ui/rules.js"} {
		table, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^  "([a-zA-Z0-9._]+)": (?:"(.*)"|'(.*)'),$`).FindAllStringSubmatch(string(table), -1) {
			english[found[1]] = strings.ReplaceAll(found[2]+found[3], `\"`, `"`)
		}
	}
	if len(english) < 300 {
		t.Fatalf("found %d texts", len(english))
	}
	return english
}

// alike are texts that are the same in both languages.
var alike = []string{"form.item", "dashboard.value"}

func TestGermanHasEachTextWithItsPlaceholders(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("texts in work are translated before a release")
	}
	english, german := texts(t), admin.German()
	if german["lang"] != "de" {
		t.Errorf("the language is %q", german["lang"])
	}
	delete(german, "lang")
	placeholders := func(text string) []string {
		found := regexp.MustCompile(`\{\w+\}`).FindAllString(text, -1)
		slices.Sort(found)
		return found
	}
	for _, key := range slices.Sorted(maps.Keys(english)) {
		switch text := german[key]; {
		case text == "":
			t.Errorf("admin/german lacks the text %q: %q", key, english[key])
		case !slices.Equal(placeholders(text), placeholders(english[key])):
			t.Errorf("%s: %q has other placeholders than %q", key, text, english[key])
		case text == english[key] && !slices.Contains(alike, key) && len(text) > 12:
			t.Errorf("%s: %q is English", key, text)
		}
	}
	for key := range german {
		if english[key] == "" {
			t.Errorf("admin/german has the unknown text %q", key)
		}
	}
}

// TestTheGalleryIsServedInGerman serves the gallery for clients/browser/german.mjs, with TROVE_TEST_ADMIN=german.
func TestTheGalleryIsServedInGerman(t *testing.T) {
	t.Parallel()
	if os.Getenv("TROVE_TEST_ADMIN") != "german" {
		return
	}
	fields := map[string]admin.Field{}
	for name, label := range map[string]string{
		"code": "Kennung", "title": "Titel", "story": "Geschichte", "count": "Anzahl", "huge": "Große Zahl", "ratio": "Verhältnis", "floor": "Stockwerk", "shown": "Ausgestellt",
		"fragile": "Zerbrechlich", "state": "Zustand", "day": "Tag", "found": "Gefunden", "returned": "Zurückgegeben", "email": "E-Mail", "page": "Webseite", "data": "Daten",
		"secret": "Geheimnis", "place": "Ort", "second": "Zweiter Ort", "words": "Wörter", "colors": "Farben", "places": "Orte", "labels": "Schilder", "counts": "Zahlen",
		"extra": "Weiteres", "maker": "Urheber", "helpers": "Helfer", "stamp": "Stempel", "price": "Preis",
	} {
		fields[name] = admin.Field{Label: label}
	}
	fields["state"] = admin.Field{Label: "Zustand", Values: map[string]string{"new": "neu", "worn": "abgenutzt", "broken": "zerbrochen"}}
	texts := admin.German()
	maps.Copy(texts, map[string]string{"field.city": "Stadt", "field.street": "Straße", "field.until": "Bis"})
	api, err := everything(admin.Config{
		Title: "Die Galerie", Texts: texts,
		Resources: []admin.Resource{
			{
				Name: "Piece", Title: "Stücke", Singular: "Stück", Help: "Was in der Galerie steht.", Fields: fields, Groups: []admin.Group{{Title: "Allgemeines", Fields: []string{"code", "title"}}},
				Columns: []string{"title", "count", "ratio", "day", "found", "state"}, Operations: map[string]admin.Action{"publishPiece": {Title: "Veröffentlichen"}, "movePiece": {Title: "Umziehen"}, "laterPiece": {Title: "Später"}},
			},
			{Name: "Maker", Title: "Urheber", Singular: "Urheber", Fields: map[string]admin.Field{"name": {Label: "Name"}}},
		},
		Dashboard: []admin.Panel{
			admin.Number{Resource: "Piece", Filter: "state=broken", Title: "Zerbrochen"},
			admin.Number{Resource: "Piece", Sum: "price", Currency: "EUR"},
			admin.Bars{Resource: "Piece", Group: "state"},
			admin.Line{Resource: "Piece", Group: "found:month"},
			admin.Newest{Resource: "Piece", Sort: "-found"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	serveFor(t, "german", api)
}

func TestPluralsOfOtherLanguagesAreTexts(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{}, resource.Of[Visit]{})
	if err := admin.Mount(api, admin.Config{Texts: map[string]string{"lang": "pl", "count.few": "{count} wpisy", "count.many": "{count} wpisów"}}); err != nil {
		t.Error(err)
	}
	err := admin.Mount(api, admin.Config{Path: "/other", Texts: map[string]string{"form.few": "x"}})
	if err == nil || !strings.Contains(err.Error(), `unknown key "form.few"`) {
		t.Errorf("a text without plurals: %v", err)
	}
}
