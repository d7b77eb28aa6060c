package relations_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

// A mistake of a tag is told once, and not again by stores and references that it leads into others.
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
		`Ring.Plains: has the word ref, and search or sort;`,
		`Ring.Plains: has through=name, which Plain does not filter by, and no order goes through a list; allowed: none as it is; give its members the word filter`,
		`Rune.Name: api tag has the unknown filter "exakt";`,
	}
	if err == nil || strings.Count(err.Error(), "\n") != len(want)-1 {
		t.Fatalf("New returns %v, want %d mistakes", err, len(want))
	}
	for i, line := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(line, want[i]) {
			t.Errorf("line %d is %s, want %s", i, line, want[i])
		}
	}
}
