package views_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// A view that embeds a field of a referenced record without the reference keeps the filters and the sort orders of that
// field, and of no other.
func TestAViewKeepsTheQueriesOfFieldsThatItEmbeds(t *testing.T) {
	t.Parallel()
	type harbor struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"filter=partial,sort"`
		Code string `json:"code" api:"filter,sort"`
	}
	type berth struct {
		ID     int64 `json:"id"`
		Number int   `json:"number" api:"filter,sort"`
		Harbor int64 `json:"harbor" api:"ref=Harbor,filter,sort,through=name|code"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[harbor]{ShortName: "Harbor"},
		resource.Of[berth]{ShortName: "Berth", View: &operation.View{Name: "BerthCard", Fields: []string{"id", "number", "harbor.name"}}})
	for _, body := range []string{`{"name":"Kiel","code":"b"}`, `{"name":"Bari","code":"a"}`} {
		c.Send("POST /api/harbors", body).HasStatus(http.StatusCreated)
	}
	for _, body := range []string{`{"number":1,"harbor":"/api/harbors/1"}`, `{"number":2,"harbor":"/api/harbors/2"}`} {
		c.Send("POST /api/berths", body).HasStatus(http.StatusCreated)
	}
	bari, kiel := `{"id":2,"number":2,"_embedded":{"harbor":{"name":"Bari"}}}`, `{"id":1,"number":1,"_embedded":{"harbor":{"name":"Kiel"}}}`
	for request, want := range map[string]string{
		"sort=harbor.name":                      "[" + bari + "," + kiel + "]",
		"sort=-harbor.name":                     "[" + kiel + "," + bari + "]",
		"harbor.name=ki":                        "[" + kiel + "]",
		"sort=harbor.name&itemsPerPage=1":       "[" + bari + "]",
		"order[harbor.name]=desc&number=2":      "[" + bari + "]",
		"sort=harbor.name&cursor&harbor.name=a": "[" + bari + "]",
	} {
		c.Send("GET /api/berths?"+request, "").Is(http.StatusOK, want)
	}
	for _, request := range []string{"harbor.code=a", "harbor=/api/harbors/1", "sort=harbor.code", "sort=harbor"} {
		c.Send("GET /api/berths?"+request, "").IsProblem(http.StatusBadRequest).Lacks("harbor.code,")
	}
}
