package declarations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Keg refers to a resource whose identifier has another type.
type Keg struct {
	ID    string `json:"id" api:"id" validate:"max=9"`
	Owner string `json:"owner" api:"ref=Pennant"`
	Size  int    `json:"size" validate:"email"`
}

func TestMessagesOfMistakesHaveNoArticleBeforeATypeName(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Keg]{}, resource.Of[spec.Pennant]{})
	for _, want := range []string{
		"the type of the key is string, but the identifier of Pennant is int64",
		`validate rule "email" does not apply to the type int; allowed: a string`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New returns %v, want %q", err, want)
		}
	}
}

func TestOneMistakeOfAResourceIsOneLineAndNotOneForEachOperation(t *testing.T) {
	t.Parallel()
	for want, declared := range map[string]resource.Declaration{
		`Pennant: Path has the variable {b}; variables must be references of the record, and spec.Pennant has none`: resource.Of[spec.Pennant]{Path: "/a/{b}/pennants"},
		`Pennant: Input (chan int): chan int: the type chan int cannot be encoded`: resource.Of[spec.Pennant]{
			Input: operation.InputOf(func(*spec.Pennant) chan int { return nil }, func(context.Context, chan int, *spec.Pennant) error { return nil }),
		},
		`Mark: Path has the unknown variable {kog}; did you mean "keg"?`: resource.Of[struct {
			ID  int64 `json:"id"`
			Keg int64 `json:"keg" api:"ref=Mark"`
		}]{ShortName: "Mark", Path: "/kegs/{kog}/marks"},
	} {
		_, err := resource.New(resource.Config{}, declared)
		spec.WantLine(t, err, want)
	}
}

func TestAMistakeIsNotFollowedByThoseThatItCauses(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[struct {
		ID  int64    `json:"id"`
		Box spec.Box `json:"box" api:"sort"`
	}]{ShortName: "Pot"})
	spec.WantLine(t, err, "struct{…}.Box: sort does not support the type spec.Box; allowed: a bool, number, string, time.Time or a type that marshals itself as text")
	_, err = resource.New(resource.Config{}, resource.Of[struct {
		ID  int64 `json:"id"`
		Lid int64 `json:"lid" api:"ref=Lid,expand,filter,through=keg"`
	}]{ShortName: "Cap"}, resource.Of[struct {
		ID spec.Box `json:"id"`
	}]{ShortName: "Lid"})
	spec.WantLine(t, err, "Lid: struct{…}.ID: the identifier cannot have the type spec.Box; allowed: an integer, a string or a type that marshals itself as text", "struct{…}.ID: the identifier cannot have the type spec.Box; allowed: an integer, a string or a type that marshals itself as text")
}
