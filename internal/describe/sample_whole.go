package describe

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
)

// mend leaves out of an example of a whole body what may be left out and would be refused
// beside the other members, and reports whether the service takes what is left. Each member
// follows its own rules already.
func (d *Definition) mend(example map[string]any, records *codec.Codec, checker *check.Checker) bool {
	// Each round leaves at least one member out, so that it ends. Rules over several members only show
	// in whole bodies, and which member is too many no keyword tells.
	for {
		refused, known := d.refused(example, records, checker)
		if len(refused) == 0 || !known {
			return true
		}
		for _, m := range d.members {
			if m.required && slices.Contains(refused, m.field.Name) {
				return false
			}
		}
		before := len(example)
		maps.DeleteFunc(example, func(name string, _ any) bool { return slices.Contains(refused, name) })
		if len(example) == before {
			return false
		}
	}
}

// refused returns the members for which the service refuses a body as it stands; "" for one
// about no member. Those that the service sets are not known yet, nor those of a record to
// which a merge patch is applied. A rule of the user's that fails to judge tells nothing.
// It asks the very codec and checker that will serve the operation. To understand rules a second
// time, here, would mean two opinions about them.
func (d *Definition) refused(example map[string]any, records *codec.Codec, checker *check.Checker) (names []string, known bool) {
	defer func() {
		if recover() != nil {
			names, known = nil, false
		}
	}()
	text, _ := json.Marshal(example) // it is made of JSON
	record := records.New()
	decoded, err := records.Decoder(checker.Views().Create()).Decode(text, record)
	if err != nil {
		return nil, false
	}
	violations, err := checker.Check(context.Background(), record, decoded)
	if err != nil {
		return nil, false
	}
	for _, v := range violations.Violations {
		name, _, _ := strings.Cut(v.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		_, sent := example[name]
		isSet := slices.ContainsFunc(d.members, func(m memberSample) bool { return m.field.Name == name && m.field.ReadOnly })
		if sent || !d.role.patches && !isSet {
			names = append(names, name)
		}
	}
	return names, true
}
