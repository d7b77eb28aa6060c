package check

import (
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// kinds is a set of kinds of values.
// A rule may stand at many of the dozen kinds, so the set is a word of bits.
type kinds uint

func only(list ...model.Kind) kinds {
	var set kinds
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func (k kinds) has(kind model.Kind) bool { return k&(1<<kind) != 0 }

// String lists the kinds as types of Go's.
func (k kinds) String() string {
	names := [...]struct {
		kind model.Kind
		name string
	}{
		{model.String, "a string"},
		{model.Int, "a signed integer"},
		{model.Uint, "an unsigned integer"},
		{model.Float, "a float"},
		{model.Bool, "a bool"},
		{model.Bytes, "a []byte"},
		{model.Time, "a time.Time"},
		{model.List, "a slice"},
		{model.Array, "an array"},
		{model.Map, "a map"},
	}
	var allowed []string
	for _, each := range names {
		if k.has(each.kind) {
			allowed = append(allowed, each.name)
		}
	}
	return strings.Join(allowed, ", ")
}

// It is for rules that look at no value of a certain kind, such as required.
const everyKind = ^kinds(0)
