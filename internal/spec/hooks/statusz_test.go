package hooks_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

func TestStatuszSaysWhatIsWrongToThoseWhoMayKnow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret.db")
	anchors(t, file, anchorTable)
	db := anchors(t, "file:"+file+"?mode=ro")
	keys := access.APIKey("key", "X-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil })
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{keys}}, resource.Of[Anchor]{
		Store: sqlstore.Table[Anchor](db), Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
	})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	api.Router().Get("/statusz", api.Statusz(access.If("is an operator", func(key string) bool { return key == "operator" })))
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /readyz", "").IsProblem(503)
	c.Send("GET /statusz", "").IsProblem(401)
	c.Send("GET /statusz", "", "X-Key", "visitor").IsProblem(403)
	var got struct {
		Status    string            `json:"status"`
		Resources map[string]string `json:"resources"`
		Databases []map[string]any  `json:"databases"`
	}
	response := c.Send("GET /statusz", "", "X-Key", "operator").HasStatus(200).Has("Cache-Control", "no-store")
	if err := json.Unmarshal([]byte(response.Body), &got); err != nil || strings.Contains(response.Body, "secret") {
		t.Fatalf("%s: %v", response.Body, err)
	}
	if got.Status != "not ready" || got.Resources["Anchor"] != "cannot write, such as on a full disk" {
		t.Errorf("the status is %+v", got)
	}
	if len(got.Databases) != 1 || got.Databases[0]["database"] != "sqlite" || got.Databases[0]["max"] == 0.0 {
		t.Errorf("the databases are %v", got.Databases)
	}
}

func TestStatuszOfAServiceThatIsReadyHasNoProblems(t *testing.T) {
	t.Parallel()
	db := anchors(t, filepath.Join(t.TempDir(), "anchors.db"), anchorTable)
	api, err := resource.New(resource.Config{}, resource.Of[Anchor]{Store: sqlstore.Table[Anchor](db)})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/statusz", api.Statusz(access.Public))
	spec.Client{T: t, Handler: api}.Send("GET /statusz", "").HasStatus(200).Mentions(`"status":"ready"`).Mentions(`"resources":{}`).Mentions(`"replicas":0`)
}
