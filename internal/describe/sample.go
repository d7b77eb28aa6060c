package describe

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// sampler makes an example of a value, and reports whether it could. Structs that it is
// inside of are in seen, so that recursive types end.
type sampler func(seen []*Definition) (any, bool)

// maxExampleDepth is how many objects an example has within each other. Types that hold each other twice would else
// double its size with each level.
const maxExampleDepth = 8

// example makes an example of the definition's struct that has every member it can.
func (d *Definition) example(seen []*Definition) (any, bool) {
	// A recursive type ends where it meets itself: its member is left out, or where it is required the
	// whole example is.
	if slices.Contains(seen, d) || len(seen) == maxExampleDepth {
		return nil, false
	}
	seen = append(slices.Clip(seen), d)
	object := map[string]any{}
	for _, m := range d.members {
		if m.sample == nil {
			continue
		}
		value, ok := m.sample(seen)
		// An example that the service would refuse is worse than none: people paste it.
		if !ok && m.required {
			return nil, false
		}
		if ok {
			object[m.field.Name] = value
		}
	}
	return object, true
}

// smallExample makes an example with one member alone, the first that clients would change.
// The identifier is no such member: to change it is refused.
func (d *Definition) smallExample() any {
	small, changes := map[string]any{}, false
	for _, m := range d.members {
		isNamed := m.field.Identifier && m.required
		if m.sample == nil || (m.field.Identifier || changes) && !isNamed {
			continue
		}
		if value, ok := m.sample([]*Definition{d}); ok {
			small[m.field.Name], changes = value, changes || !isNamed
		}
	}
	return small
}

// sampleOf returns how examples show a member: as its tags say, else by a value made to
// follow its rules. In requests, members that could be refused all the same are left out.
func sampleOf(f *model.Field, v *value, in *Definition) sampler {
	for _, text := range []jsontext.Value{f.Example, f.Default} {
		if text != nil && fitsAlone(f.Type, in.role) {
			return constant(schema.Go(text))
		}
	}
	if in.role.request && v.risky && v.beside == nil && !in.role.requires(f) {
		return nil
	}
	return func(seen []*Definition) (any, bool) {
		if v.beside != nil {
			made, ok := in.sampleBeside(seen, v.beside)
			if ok = ok && v.takes(made); ok || in.role.request && !in.role.requires(f) {
				return made, ok
			}
		}
		if made, ok := v.make(seen, f.Type, f.Name); ok {
			return made, true
		}
		return nil, v.null
	}
}

// sampleBeside returns a value for a member that is compared with another one. A member that is itself compared with a
// third one is passed over, for two of them could each wait for the other.
func (d *Definition) sampleBeside(seen []*Definition, b *check.Relative) (any, bool) {
	for _, other := range d.members {
		if other.field.GoPath != b.GoPath || other.sample == nil || other.compared {
			continue
		}
		if value, ok := other.sample(seen); ok {
			return b.Of(value)
		}
	}
	return nil, false
}

// constant returns a sampler that always gives the same value.
func constant(value any) sampler {
	return func([]*Definition) (any, bool) { return value, true }
}

// make makes a value of a type that follows the rules.
func (v *value) make(seen []*Definition, t *model.Type, name string) (any, bool) {
	switch {
	case v.definition != nil:
		return v.definition.example(seen)
	case v.sample != nil:
		return v.sample(seen)
	case (t.Kind == model.Text || t.Kind == model.Custom) && !isRawJSON(t):
		made, ok := ownForm(t, v.schema.Format)
		return made, ok && (v.follows == nil || v.follows(made))
	}
	// Trying asks the rules themselves, the dearest part of an example, and one value stands in several.
	if !v.tried {
		v.tried = true
		v.found, v.isFound = v.first(v.candidates(t, name)...)
	}
	return v.found, v.isFound
}

// candidates are the values that may do for an example of one that holds no others, the best first. It guesses and
// tries rather than solve what the rules ask for: rules of users are functions, and a list of plain values suits nearly
// all of them.
func (v *value) candidates(t *model.Type, name string) []any {
	switch {
	case len(v.schema.Enum) > 0:
		var listed []any
		for _, text := range v.schema.Enum {
			listed = append(listed, schema.Go(text))
		}
		return listed
	case v.schema.Const != nil:
		return []any{schema.Go(v.schema.Const)}
	}
	switch {
	case t.Kind == model.Any, isRawJSON(t):
		return []any{"anything", int64(1), true}
	case t.Kind == model.Bytes:
		return v.encoded()
	case t.Kind == model.Text, t.Kind == model.Custom:
		return nil // those that marshal themselves have one form that we know
	case t.Kind == model.Bool:
		return []any{true, false}
	case t.Kind.IsNumber():
		return v.numbers(t)
	case t.Kind == model.Time:
		return append(slices.Clone(v.samples), "2026-01-15T09:30:00Z")
	}
	return v.texts(name)
}

// sampleElements makes examples of lists and maps of their elements: one, or as few as there may be. Counts are tried
// one after the other, since rules of a list may ask for any number.
func (v *value) sampleElements(t *model.Type, name string, element *value) {
	v.sample = func(seen []*Definition) (any, bool) {
		one, ok := element.make(seen, t.Elem, name)
		if !ok {
			one = nil
		}
		for _, count := range v.counts(t, ok || element.null) {
			made, can := v.list(count, one, element, t, name)
			if t.Kind == model.Map {
				made, can = v.entries(count, one)
			}
			if can && v.takes(made) {
				return made, true
			}
		}
		return nil, false
	}
}

// counts are the numbers of elements that an example may have, the best first.
func (v *value) counts(t *model.Type, hasElement bool) []int {
	least, most := v.schema.MinItems, v.schema.MaxItems
	if t.Kind == model.Map {
		least, most = v.schema.MinProperties, v.schema.MaxProperties
	}
	// One says most: none hides what an element looks like, and many are noise.
	list := []int{1, 0, 2, 3, int(min(least, longest))}
	return slices.DeleteFunc(list, func(n int) bool {
		return uint64(n) < least || most != nil && uint64(n) > *most || n > 0 && !hasElement //nolint:gosec // not negative
	})
}

// list makes an example of a list of a number of elements.
func (v *value) list(count int, one any, element *value, t *model.Type, name string) (any, bool) {
	if v.schema.UniqueItems && count > 1 {
		elements := element.several(count, one, t.Elem, name)
		return elements, len(elements) == count
	}
	elements := make([]any, count)
	for i := range elements {
		elements[i] = one
	}
	return elements, true
}

// entries makes an example of a map of a number of entries.
// Keys have rules of their own, so they are looked for like any text.
func (v *value) entries(count int, one any) (any, bool) {
	keys := v.keys
	if keys == nil {
		keys = &value{schema: &schema.Schema{}}
	}
	text := &model.Type{Kind: model.String}
	entries := map[string]any{}
	if first, ok := keys.first(append([]any{"key"}, keys.candidates(text, "key")...)...); ok {
		for _, key := range keys.several(count, first, text, "key") {
			if name, isText := key.(string); isText {
				entries[name] = one
			}
		}
	}
	return entries, len(entries) == count
}

// mend leaves out of an example of a whole body what may be left out and would be refused beside the other members, and
// reports whether the service takes what is left. Each member follows its own rules already.
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

// refused returns the members for which the service refuses a body as it stands; "" for one about no member. Those that
// the service sets are not known yet, nor those of a record to which a merge patch is applied. A rule of the user's
// that fails to judge tells nothing. It asks the very codec and checker that will serve the operation. To understand
// rules a second time, here, would mean two opinions about them.
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
