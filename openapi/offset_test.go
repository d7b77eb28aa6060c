package openapi_test

import (
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestTheDocumentHasTheOffsetOfCollectionsThatTakeIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pagination operation.Pagination
		most       float64 // -1 for none
	}{
		"by default there is none":        {operation.Pagination{}, -1},
		"the greatest is that of pages":   {operation.Pagination{ClientOffset: new(true), MaxPage: 3, MaxItemsPerPage: 50}, 100},
		"a fixed length is the length":    {operation.Pagination{ClientOffset: new(true), MaxPage: 3, ItemsPerPage: 7, ClientItemsPerPage: new(false)}, 14},
		"pages by cursor alone have none": {operation.Pagination{ClientOffset: new(true), ViaCursor: new(true)}, -1},
	} {
		api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Jewel]{Pagination: test.pagination}}})
		doc, err := openapi.Document(api, openapi.Config{})
		if err != nil {
			t.Fatal(err)
		}
		p := doc.Paths.Value("/api/jewels").Get.Parameters.GetByInAndName("query", "offset")
		switch {
		case p == nil && test.most < 0:
		case p == nil || test.most < 0:
			t.Errorf("%s: %v", name, p)
		case *p.Schema.Value.Min != 0 || *p.Schema.Value.Max != test.most:
			t.Errorf("%s: from %v to %v", name, *p.Schema.Value.Min, *p.Schema.Value.Max)
		}
	}
}
