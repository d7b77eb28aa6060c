package hal_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/resource"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestResponsesMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, request, body string
		status              int
		contentType         string
	}{
		{"item", "GET /api/treasures/1", "", 200, hal.MediaType},
		{"expanded", "GET /api/treasures/2?expand=owner.boss,heir,tags", "", 200, hal.MediaType},
		{"created", "POST /api/treasures", `{"name":"Ring","_links":{"owner":{"href":"/api/users/1"}}}`, 201, hal.MediaType},
		{"page", "GET /api/treasures?itemsPerPage=1&page=2&expand=owner", "", 200, hal.MediaType},
		{"cursor", "GET /api/treasures?itemsPerPage=1&cursor=", "", 200, hal.MediaType},
		{"empty", "GET /api/treasures?name=zzz", "", 200, hal.MediaType},
		{"entrypoint", "GET /api", "", 200, hal.MediaType},
		{"missing", "GET /api/treasures/9", "", 404, "application/problem+json"},
		{"parameter", "GET /api/treasures?colour=red", "", 400, "application/problem+json"},
		{"invalid", "POST /api/treasures", `{"name":"","colour":"red","_links":{"owner":{"href":"/api/users/9"}}}`, 400, "application/problem+json"},
		{"another", "PUT /api/treasures/1", `{"_links":{"self":{"href":"/api/treasures/2"}},"name":"Gold"}`, 409, "application/problem+json"},
	} {
		got := newHoard(t, hal.Format, resource.Config{}).Send(test.request, test.body, "Accept", hal.MediaType).Has("Content-Type", test.contentType)
		path := filepath.Join("testdata", test.name+".json")
		if *update {
			if err := os.WriteFile(path, []byte(got.Body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != test.status || got.Body+"\n" != string(want) {
			t.Errorf("%s differs from %s; look at it and run the test with -update:\n%d %s\nwant\n%d %s", test.request, path, got.Status, got.Body, test.status, want)
		}
	}
}
