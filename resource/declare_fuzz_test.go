package resource_test

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"testing"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// declare declares random resources and mounts the document and the tools of those that New accepts. It reports
// whether New accepts them, and fails on a panic.
func declare(t *testing.T, seed uint64) (accepted bool) {
	t.Helper()
	d := declarer{rand.New(rand.NewPCG(seed, 0)), seed%3 != 0}
	config := d.config()
	config.Logger = slog.New(slog.DiscardHandler)
	declarations := []resource.Declaration{d.declaration("A")}
	if d.chance(40) {
		declarations = append(declarations, d.declaration("B"))
	}
	defer func() {
		if cause := recover(); cause != nil {
			t.Errorf("seed %d: %v panics for %+v\n%s", seed, cause, declarations, debug.Stack())
		}
	}()
	api, err := resource.New(config, declarations...)
	if err != nil {
		_ = err.Error()
		return false
	}
	if _, err := openapi.Document(api, openapi.Config{OpenAPI: []string{"3.0", "3.1"}[seed%2]}); err != nil {
		t.Logf("seed %d: %v", seed, err)
	}
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Logf("seed %d: %v", seed, err)
	}
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Logf("seed %d: %v", seed, err)
	}
	if err := admin.Mount(api, admin.Config{}); err != nil {
		t.Logf("seed %d: %v", seed, err)
		return true
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/admin/model", nil))
	if w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
		t.Errorf("seed %d: the model of the admin: %d %s", seed, w.Code, w.Body)
	}
	return true
}

func TestNoDeclarationPanics(t *testing.T) {
	t.Parallel()
	tries, accepted := 2000, 0
	if testing.Short() {
		tries = 300
	}
	for seed := range uint64(tries) {
		if declare(t, seed) {
			accepted++
		}
	}
	if accepted < tries/100 {
		t.Errorf("New accepts %d of %d declarations: too few to try the document and the tools", accepted, tries)
	}
}

func FuzzDeclarations(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { declare(t, seed) })
}

// doubled holds a type twice: 32 of it around each other have 2^32 fields.
type doubled[T any] struct {
	A *T `json:"a"`
	B *T `json:"b"`
}

type (
	twice4[T any]  = doubled[doubled[doubled[doubled[T]]]]
	twice16[T any] = twice4[twice4[twice4[twice4[T]]]]
	nesting        struct {
		ID  int64                  `json:"id"`
		Top twice16[twice16[loop]] `json:"top"`
	}
	deepInLists struct {
		ID  int64                    `json:"id"`
		Top []twice16[twice16[loop]] `json:"top"`
	}
)

func TestMoreFieldsThanARecordMayHaveAreAnErrorOfNew(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[nesting]{})
	spec.WantLine(t, err, "more than 10000 fields, including nested ones; put objects that contain many others into lists")
}

func TestNewAndDocumentsVisitEachTypeOnce(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[deepInLists]{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openapi.Document(api, openapi.Config{}); err != nil {
		t.Error(err)
	}
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Error(err)
	}
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Error(err)
	}
}
