package openapi

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// sampler makes an example of a value, and reports whether it could. Structs that it is
// inside of are in seen, so that recursive types end.
type sampler func(seen []*definition) (any, bool)

// example makes an example of the definition's struct that has every member it can.
func (d *definition) example(seen []*definition) (any, bool) {
	if slices.Contains(seen, d) {
		return nil, false
	}
	seen = append(slices.Clip(seen), d)
	object := map[string]any{}
	for _, m := range d.members {
		if m.sample == nil {
			continue
		}
		value, ok := m.sample(seen)
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
func (d *definition) smallExample() any {
	for _, m := range d.members {
		if m.sample == nil || m.field.Identifier {
			continue
		}
		if value, ok := m.sample([]*definition{d}); ok {
			return map[string]any{m.field.Name: value}
		}
	}
	return map[string]any{}
}

// sampleOf returns how examples show a member: as its tags say, else by a value made to
// follow its rules. In requests, members that could be refused all the same are left out.
func sampleOf(f *model.Field, v *value, in *definition) sampler {
	for _, text := range []jsontext.Value{f.Example, f.Default} {
		if text != nil && fitsAlone(f.Type, in.role) {
			return constant(literal(text))
		}
	}
	if in.role.isRequest() && v.risky && v.beside == nil && !in.role.requires(f) {
		return nil
	}
	return func(seen []*definition) (any, bool) {
		if v.beside != nil {
			if made, ok := in.sampleBeside(seen, v.beside); ok && allows(v.schema, made) {
				return made, true
			}
		}
		made, ok := v.make(seen, f.Type, f.Name)
		return made, ok || v.null
	}
}

// sampleBeside returns a value for a member that is compared with another one.
func (d *definition) sampleBeside(seen []*definition, b *beside) (any, bool) {
	for _, other := range d.members {
		if other.field.GoPath != b.goPath || other.sample == nil || other.compared {
			continue
		}
		if value, ok := other.sample(seen); ok {
			return b.of(value)
		}
	}
	return nil, false
}

// constant returns a sampler that always gives the same value.
func constant(value any) sampler {
	return func([]*definition) (any, bool) { return value, true }
}

// make makes a value of a type that follows the rules.
func (v *value) make(seen []*definition, t *model.Type, name string) (any, bool) {
	switch {
	case v.definition != nil:
		return v.definition.example(seen)
	case v.sample != nil:
		return v.sample(seen)
	case len(v.schema.Enum) > 0:
		return v.schema.Enum[0], true
	case v.schema.Const != nil:
		return v.schema.Const, true
	}
	switch t.Kind {
	case model.Bytes:
		return "aGVsbG8=", true
	case model.Any:
		return "anything", true
	case model.Text, model.Custom:
		return ownForm(t, v.schema.Format)
	}
	if !v.tried {
		v.tried = true
		v.found, v.isFound = v.first(v.candidates(t, name)...)
	}
	return v.found, v.isFound
}

// candidates are the scalars that may do for an example, the best first.
func (v *value) candidates(t *model.Type, name string) []any {
	switch t.Kind {
	case model.Bool:
		return []any{true, false}
	case model.Int, model.Uint, model.Float:
		return numbers(v.schema, t)
	case model.Time:
		return asAny(append(v.samples, "2026-01-15T09:30:00Z"))
	}
	return v.texts(name)
}

// sampleElements makes examples of lists and maps of their elements.
func (v *value) sampleElements(t *model.Type, name string, element *value) {
	v.sample = func(seen []*definition) (any, bool) {
		one, ok := element.make(seen, t.Elem, name)
		ok = ok || element.null
		switch {
		case t.Kind == model.Map && ok:
			key, found := v.key()
			return map[string]any{key: one}, found && v.schema.MinProps <= 1
		case t.Kind == model.Map:
			return map[string]any{}, v.schema.MinProps == 0
		case !ok || v.schema.MaxItems != nil && *v.schema.MaxItems == 0:
			return []any{}, v.schema.MinItems == 0
		}
		return v.list(one, element)
	}
}

// key makes an example of a map's key.
func (v *value) key() (string, bool) {
	const plain = "key"
	if v.keys == nil {
		return plain, true
	}
	made, ok := v.keys.first(v.keys.texts(plain)...)
	key, isText := made.(string)
	return key, ok && isText
}

// list makes an example of a list that has as few elements as it may, but one.
func (v *value) list(one any, element *value) (any, bool) {
	elements := []any{one}
	for uint64(len(elements)) < min(v.schema.MinItems, longest) {
		next, ok := one, true
		if v.schema.UniqueItems {
			next, ok = another(one, element.schema, len(elements))
		}
		if !ok {
			return nil, false
		}
		elements = append(elements, next)
	}
	return elements, v.schema.MinItems <= longest
}
