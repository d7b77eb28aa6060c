package openapi_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/redoc"
	"github.com/trove-api/trove/openapi/scalar"
	"github.com/trove-api/trove/resource"
)

// TestOtherPagesInABrowser needs Chromium, Node.js and the packages of clients: .ci/browser runs it.
func TestOtherPagesInABrowser(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TROVE_TEST_BROWSER")
	if folder == "" {
		t.Skip("set TROVE_TEST_BROWSER to a folder for screenshots to open the pages in Chromium")
	}
	for name, config := range map[string]openapi.Config{
		"scalar": {UI: scalar.UI()}, "redoc": {UI: redoc.UI()}, "swagger": {}, "swagger-3.0": {OpenAPI: "3.0"},
	} {
		t.Run(name, func(t *testing.T) {
			config.Title = "Hoard"
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[DragonTreasure]{}}})
			if err := openapi.Mount(api, config); err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(api)
			defer server.Close()
			script := filepath.Join("..", "clients", "browser", "ui.mjs")
			opened := exec.CommandContext(t.Context(), "node", script, server.URL+"/api/docs", "Create a dragon treasure", filepath.Join(folder, name+".png"))
			out, err := opened.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
