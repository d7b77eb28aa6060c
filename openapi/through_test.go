package openapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Rower is a record by whose fields skiffs are filtered.
type Rower struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" validate:"max=40" api:"filter=partial,sort"`
	Rank  int       `json:"rank" validate:"gte=1,lte=9" api:"filter=exact|range,sort"`
	Side  string    `json:"side" validate:"oneof=port starboard" api:"filter"`
	Nick  *string   `json:"nick" api:"filter=exact|exists,sort"`
	Since time.Time `json:"since" api:"filter=range"`
	Coach *int64    `json:"coach" api:"ref=Rower,filter,through=rank"`
}

type Skiff struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" validate:"max=40" api:"sort"`
	Stroke int64  `json:"stroke" api:"ref=Rower,expand,filter,through=name|rank|side|nick|coach"`
	Bow    *int64 `json:"bow" api:"ref=Rower,through=since|name"`
}

// The parameters through a reference are those that the other collection has itself, and the order
// names both.
func TestParametersThroughReferencesAreThoseOfTheOtherCollection(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Skiff]{}, resource.Of[Rower]{}}}), openapi.Config{Title: "Regatta", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]map[string]string{}
	for _, path := range []string{"/api/skiffs", "/api/rowers"} {
		schemas[path] = map[string]string{}
		for _, parameter := range doc.Paths.Value(path).Get.Parameters {
			text, err := json.Marshal(parameter.Value.Schema)
			if err != nil {
				t.Fatal(err)
			}
			schemas[path][parameter.Value.Name] = string(text)
			if strings.Contains(parameter.Value.Name, ".") && !strings.Contains(parameter.Value.Description, "the caller can see") {
				t.Errorf("%s does not say by which records: %s", parameter.Value.Name, parameter.Value.Description)
			}
		}
	}
	var through []string
	for name, schema := range schemas["/api/skiffs"] {
		if !strings.Contains(name, ".") {
			continue
		}
		through = append(through, name)
		if own := schemas["/api/rowers"][strings.NewReplacer("stroke.", "", "bow.", "").Replace(name)]; own != schema {
			t.Errorf("%s is %s, but that of the other collection %s", name, schema, own)
		}
	}
	slices.Sort(through)
	want := []string{
		"bow.name", "bow.since[between]", "bow.since[gt]", "bow.since[gte]", "bow.since[lt]", "bow.since[lte]",
		"exists[stroke.nick]", "order[bow.name]", "order[stroke.name]", "order[stroke.nick]", "order[stroke.rank]",
		"stroke.coach", "stroke.coach[ne]", "stroke.name", "stroke.nick", "stroke.nick[ne]",
		"stroke.rank", "stroke.rank[between]", "stroke.rank[gt]", "stroke.rank[gte]", "stroke.rank[lt]", "stroke.rank[lte]", "stroke.rank[ne]",
		"stroke.side", "stroke.side[ne]",
	}
	if diff := cmp.Diff(want, through); diff != "" {
		t.Errorf("parameters through references (-want +got):\n%s", diff)
	}
	for _, name := range []string{`"stroke.name"`, `"-stroke.nick"`, `"bow.name"`, `"-name"`} {
		if !strings.Contains(schemas["/api/skiffs"]["sort"], name) {
			t.Errorf("sort lacks %s: %s", name, schemas["/api/skiffs"]["sort"])
		}
	}
}
