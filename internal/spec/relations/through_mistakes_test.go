package relations_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

// A mistake in a tag is reported once, and not again for the stores and references that depend on it.
func TestMistakesOfReferencesHaveNoFollowers(t *testing.T) {
	t.Parallel()
	type Rune struct {
		ID   int64  `json:"id" api:"id"`
		Name string `json:"name" api:"filter=exakt"`
	}
	type Plain struct {
		ID   int64  `json:"id" api:"id"`
		Name string `json:"name"`
	}
	type Ring struct {
		ID     int64   `json:"id" api:"id"`
		Runes  []int64 `json:"runes" api:"ref=Rune,through=name" validate:"max=9"`
		Plains []int64 `json:"plains" api:"ref=Plain,sort,through=name" validate:"max=9"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[Ring]{}, resource.Of[Rune]{}, resource.Of[Plain]{})
	want := []string{
		"3 errors in resource declarations:",
		`Ring.Plains: a reference cannot have search, nor a list of references sort;`,
		`Ring.Plains: through=name needs a field of Plain with filter; add one to the field`,
		`Rune.Name: unknown filter "exakt" in the api tag; did you mean "exact"?`,
	}
	if err == nil || strings.Count(err.Error(), "\n") != len(want)-1 {
		t.Fatalf("New returns %v, want %d lines", err, len(want))
	}
	for i, line := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(line, want[i]) {
			t.Errorf("line %d is %s, want %s", i, line, want[i])
		}
	}
}
