package scan_test

import (
	"slices"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// Fields are found by name, in any order, with missing and additional ones.
func TestFieldsAreFoundByName(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e"}
	for _, record := range [][]string{{}, {"a", "b", "c", "d", "e"}, {"b", "d"}, {"a", "e"}, {"e", "d", "c", "b", "a"}, {"x", "a", "y", "e"}, {"c", "x", "a"}} {
		var fields scan.Fields
		for _, name := range record {
			fields.List = append(fields.List, format.Field{Name: name, JSON: []byte(name)})
		}
		for place, name := range names {
			want := ""
			if slices.Contains(record, name) {
				want = name
			}
			if got := string(fields.Find(place, name)); got != want {
				t.Errorf("of %v, the field %s is %q", record, name, got)
			}
		}
	}
}
