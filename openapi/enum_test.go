package openapi_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Rigging is how a hull is rigged.
type Rigging string

type Hull struct {
	ID      int64     `json:"id"`
	Rigging Rigging   `json:"rigging" api:"ref=Rigging,expand,filter"`
	Former  *Rigging  `json:"former" api:"ref=Rigging"`
	Fits    []Rigging `json:"fits" validate:"max=2" api:"ref=Rigging,expand"`
}

var riggings = resource.Enum[Rigging]{Values: []Rigging{"sloop", "full rigged"}, Descriptions: map[Rigging]string{"sloop": "One mast."}}

func TestTheDocumentListsTheValuesOfAnEnumeration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		references resource.References
		want       []string
	}{
		{resource.Paths, []string{
			`"enum":["sloop","full rigged"]`, `"enum":["/api/riggings/sloop","/api/riggings/full%20rigged"]`,
		}},
		{resource.Identifiers, []string{`"enum":["sloop","full rigged",null]`}},
	} {
		api, err := resource.New(resource.Config{References: test.references}, resource.Of[Hull]{}, riggings)
		if err != nil {
			t.Fatal(err)
		}
		document, err := openapi.Document(api, openapi.Config{Title: "Harbour", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := document.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("the document has no %s", want)
			}
		}
		if t.Failed() {
			t.Log(string(text))
		}
	}
}
