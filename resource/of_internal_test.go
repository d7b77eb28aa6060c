package resource

import (
	"reflect"
	"slices"
	"testing"

	"github.com/trove-api/trove/operation"
)

// TestOperationsInheritEveryFieldOfTheSameName compares the fields that a resource and an operation both have with those
// that operations inherit.
func TestOperationsInheritEveryFieldOfTheSameName(t *testing.T) {
	t.Parallel()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Of[struct{}]]()) {
		_, ofOperations := reflect.TypeFor[operation.Metadata]().FieldByName(f.Name)
		if ofOperations && f.Name != "Description" && !slices.Contains(inherited, f.Name) {
			t.Errorf("operations do not inherit %s", f.Name)
		}
	}
}
