package openapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func TestWhatIsExportedIsWhatIsServed(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[DragonTreasure]{})
	var exported strings.Builder
	if err := openapi.Export(&exported, api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	if served := get(t, api, "/api/docs.json").Body.String(); served != exported.String() || !strings.HasPrefix(served, "{\n") {
		t.Errorf("exported is\n%.300s\nserved is\n%.300s", exported.String(), served)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestExportsThatFail(t *testing.T) {
	t.Parallel()
	if err := openapi.Export(&strings.Builder{}, nil, openapi.Config{}); err == nil {
		t.Error("a nil API is exported")
	}
	if err := openapi.Export(full{}, mounted(t, resource.Of[Category]{}), openapi.Config{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	if err := openapi.Export(&strings.Builder{}, mounted(t, resource.Of[Category]{}), openapi.Config{OpenAPI: "2.0"}); err == nil {
		t.Error("an unknown version is exported")
	}
}
