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

// sampler makes an example of a value, and reports whether it could. Seen has the structs around it, so that recursive
// types end.
type sampler func(seen []*Definition) (any, bool)

// maxExampleDepth is the maximum nesting of objects in an example. Otherwise types that hold each other twice would
// double its size with each level.
const maxExampleDepth = 8

// example makes an example of the definition's struct with as many fields as possible.
func (d *Definition) example(seen []*Definition) (any, bool) {
	// A recursive field is omitted; if it is required, there is no example.
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
		// People paste examples, so an invalid one is worse than none.
		if !ok && m.required {
			return nil, false
		}
		if ok {
			object[m.field.Name] = value
		}
	}
	return object, true
}

// smallExample makes an example with only the first field that clients can change, which the identifier is not.
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

// sampleOf returns how examples show a field: as its tags say, or with a value that follows its rules. In requests it
// omits fields that could be rejected anyway.
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

// sampleBeside returns a value for a field that is compared with another one. It skips a field that is itself compared,
// because two of them could wait for each other.
func (d *Definition) sampleBeside(seen []*Definition, b *check.Relative) (any, bool) {
	for _, other := range d.members {
		if other.field.GoPath != b.GoPath || other.sample == nil || other.compared {
			continue
		}
		if value, ok := other.sample(seen); ok {
			return related(*b, value)
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
	// Values are used in several examples, and running the rules is expensive.
	if !v.tried {
		v.tried = true
		v.found, v.isFound = v.first(v.candidates(t, name)...)
	}
	return v.found, v.isFound
}

// candidates returns values to try as an example of a scalar, the best first. It guesses, because rules of users are
// functions, and plain values satisfy nearly all of them.
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
		return nil // only one value is known of types that marshal themselves
	case t.Kind == model.Bool:
		return []any{true, false}
	case t.Kind == model.Numeral:
		return []any{int64(1)}
	case t.Kind.IsNumber():
		return v.numbers(t)
	case t.Kind == model.Time:
		return append(slices.Clone(v.samples), "2026-01-15T09:30:00Z")
	}
	return v.strings(name)
}

// sampleElements makes examples of lists and maps with one element, or the fewest allowed. It tries several counts,
// because rules may require any.
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

// counts returns numbers of elements that an example can have, the best first.
func (v *value) counts(t *model.Type, hasElement bool) []int {
	least, most := v.schema.MinItems, v.schema.MaxItems
	if t.Kind == model.Map {
		least, most = v.schema.MinProperties, v.schema.MaxProperties
	}
	// One is best: none hides what an element looks like, and many are noise.
	list := []int{1, 0, 2, 3, int(min(least, longest))}
	return slices.DeleteFunc(list, func(n int) bool {
		return uint64(n) < least || most != nil && uint64(n) > *most || n > 0 && !hasElement //nolint:gosec // not negative
	})
}

// list makes an example of a list with count elements.
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

// entries makes an example of a map with count entries, whose keys can have rules.
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

// repair removes optional fields from an example of a body that the service would reject, and reports whether the rest is
// valid. Each field by itself follows its rules already.
func (d *Definition) repair(example map[string]any, records *codec.Codec, checker *check.Checker) bool {
	// Rules about several fields apply to whole bodies. Each round removes at least one field.
	for {
		rejected, known := d.rejected(example, records, checker)
		if len(rejected) == 0 || !known {
			return true
		}
		for _, m := range d.members {
			if m.required && slices.Contains(rejected, m.field.Name) {
				return false
			}
		}
		before := len(example)
		maps.DeleteFunc(example, func(name string, _ any) bool { return slices.Contains(rejected, name) })
		if len(example) == before {
			return false
		}
	}
}

// rejected returns the fields for which the service rejects a body, "" for an error that is not about a field. It uses
// the codec and checker of the operation. It skips fields that the service sets, or that a merge patch takes from the
// record. Known is false if a rule of the user's fails.
func (d *Definition) rejected(example map[string]any, records *codec.Codec, checker *check.Checker) (names []string, known bool) {
	defer func() {
		if recover() != nil {
			names, known = nil, false
		}
	}()
	text, _ := json.Marshal(example) // the example consists of JSON values
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
		isSet := slices.ContainsFunc(d.members, func(m fieldSample) bool { return m.field.Name == name && m.field.ReadOnly })
		if sent || !d.role.patches && !isSet {
			names = append(names, name)
		}
	}
	return names, true
}
