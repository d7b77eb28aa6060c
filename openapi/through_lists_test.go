package openapi_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Galley has several rowers.
type Galley struct {
	ID   int64   `json:"id"`
	Crew []int64 `json:"crew" validate:"max=4" api:"ref=Rower,filter,through=name|rank|side|nick|since|coach"`
}

func TestFiltersThroughAListSayThatOneRecordMatchesAll(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Galley]{}, resource.Of[Rower]{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Galleys", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	said := false
	for _, parameter := range doc.Paths.Value("/api/galleys").Get.Parameters {
		name := parameter.Value.Name
		if name == "crew.rank" {
			said = strings.Contains(parameter.Value.Description, "One record in `crew` that the caller can see must match all such filters.")
		}
		if name == "sort" || strings.HasPrefix(name, "order[") {
			t.Errorf("there is the parameter %s, but no order goes through a list", name)
		}
	}
	if !said {
		t.Error("the document does not say that one record fulfils what is asked through a list")
	}
}
