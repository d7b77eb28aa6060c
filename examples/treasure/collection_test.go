package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names returns the names in an array of treasures.
func names(t *testing.T, body string) []string {
	t.Helper()
	var treasures []DragonTreasure
	if err := json.Unmarshal([]byte(body), &treasures); err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, treasure := range treasures {
		found = append(found, treasure.Name)
	}
	return found
}

func TestTreasuresAreFoundByWhatTheyAre(t *testing.T) {
	t.Parallel()
	s := start(t)
	for query, want := range map[string][]string{
		"name=GOLDEN":                           {"Golden goblet", "Golden ratio"},
		"name=éLAN":                             {"Élan's lantern"},
		"description=not+for":                   {"Dragon's first tooth"},
		"value[gte]=1200&value[lt]=2000":        {"Golden goblet", "Golden ratio"},
		"value[between]=80..100":                {"Giant slinky", "Amber comb"},
		"isPublished=false&value[gt]=200":       {"Unmarked map", "Golden ratio", "Left boot of seven leagues"},
		"coolFactor=10&coolFactor=1":            {"Golden goblet", "Bag of buttons", "Dragon's first tooth"},
		"q=golden+mead":                         {"Golden goblet"},
		"value[lte]=15&sort=-name":              {"Rusty crown", "Bag of buttons"},
		"value[gt]=900&order[value]=desc":       {"Dragon's first tooth", "Golden ratio", "Golden goblet", "Emerald inkwell"},
		"sort=-plunderedAt&itemsPerPage=2":      {"Dragon's first tooth", "Left boot of seven leagues"},
		"page=2":                                {"Left boot of seven leagues", "Dragon's first tooth"},
		"page=3":                                {},
		"order[name]=asc&page=4&itemsPerPage=3": {"Silver mirror", "Unmarked map", "Élan's lantern"},
	} {
		if diff := cmp.Diff(want, names(t, s.send("GET "+treasuresPath+"?"+query, "").is(200).body)); diff != "" {
			t.Errorf("%s finds something else (-want +got):\n%s", query, diff)
		}
	}
	s.send("GET "+treasuresPath+"?value[gte]=much&colFactor=1&page=0", "").is(http.StatusBadRequest)
	s.send("GET "+treasuresPath+"?fields=name", "").is(http.StatusBadRequest)
}

var nextLink = regexp.MustCompile(`<([^>]+)>; rel="next"`)

func TestTreasuresAreReadPageByPage(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, first := range []string{"?sort=-value&itemsPerPage=5", "?sort=-value&itemsPerPage=5&cursor="} {
		var found []string
		for next := treasuresPath + first; next != "" && len(found) <= 12; {
			page := s.send("GET "+next, "").is(200)
			found = append(found, names(t, page.body)...)
			next = ""
			if link := nextLink.FindStringSubmatch(page.header.Get("Link")); link != nil {
				next = link[1]
			}
		}
		if len(found) != 12 || found[0] != "Dragon's first tooth" || found[11] != "Bag of buttons" {
			t.Errorf("from %s on the pages have %v", first, found)
		}
	}
}

func TestTreasuresAreStreamed(t *testing.T) {
	t.Parallel()
	s := start(t)
	stream := s.send("GET "+treasuresPath+".ndjson?isPublished=true", "").is(200)
	lines := strings.Split(strings.TrimSuffix(stream.body, "\n"), "\n")
	if len(lines) != 8 || stream.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("the stream has %d lines of %s, want 8 of application/x-ndjson", len(lines), stream.header.Get("Content-Type"))
	}
	for _, line := range lines {
		var treasure DragonTreasure
		if err := json.Unmarshal([]byte(line), &treasure); err != nil || !treasure.IsPublished {
			t.Errorf("a line is %s", line)
		}
	}
}
