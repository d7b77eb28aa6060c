package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

// Crate has raw JSON.
type Crate struct {
	ID  int64           `json:"id"`
	Raw json.RawMessage `json:"raw"`
	Any any             `json:"any"`
}

func TestAToolMergesFreeJSONAndKeepsItsNumbers(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Crate]{})
	if err != nil {
		t.Fatal(err)
	}
	a := serve(t, api).agent("")
	a.does("createCrate", `{"raw":{"a":1,"b":9007199254740993},"any":{"a":1,"b":9007199254740993}}`)
	for _, tool := range []string{"patchCrate", "updateCrate"} {
		a.does(tool, `{"id":1,"raw":{"a":null,"c":{"d":null}},"any":{"a":null,"c":{"d":null}}}`)
		if got := text(a.call("getCrate", `{"id":1}`)); !strings.Contains(got, `"raw":{"b":9007199254740993,"c":{}},"any":{"b":9007199254740993,"c":{}}`) {
			t.Errorf("%s: %s", tool, got)
		}
	}
}
