package describe

import (
	"cmp"
	"context"
	"encoding/base64"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
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
	case v.schema.Const != nil:
		return []any{schema.Go(v.schema.Const)}
	case v.schema.Enum != nil:
		listed := make([]any, len(v.schema.Enum))
		for i, text := range v.schema.Enum {
			listed[i] = schema.Go(text)
		}
		return listed
	case t.Stated != nil && t.Stated.Examples != nil:
		examples := make([]any, len(t.Stated.Examples))
		for i, text := range t.Stated.Examples {
			examples[i] = schema.Go(text)
		}
		return examples
	case t.Kind == model.Any, isRawJSON(t):
		return []any{"anything", int64(1), true}
	case t.Kind == model.Bytes:
		return v.encoded()
	case t.IsDate():
		return append(slices.Clone(v.samples), "2026-01-15")
	case t.Digits != nil:
		return append(slices.Clone(v.samples), decimals(t.Digits)...)
	case t.Kind == model.Text, t.Kind == model.Custom:
		return []any{ownForm(t, v.schema.Format)}
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

// sampleElements makes examples of lists and maps, with one element if possible: none hides what an element looks like, and
// many are noise.
func (v *value) sampleElements(t *model.Type, name string, element *value) {
	least := v.schema.MinItems
	if t.Kind == model.Map {
		least = v.schema.MinProperties
	}
	v.sample = func(seen []*Definition) (any, bool) {
		one, ok := element.make(seen, t.Elem, name)
		if !ok {
			one = nil
		}
		for _, count := range []int{1, 0, 2, 3, int(min(least, longest))} {
			if count > 0 && !ok && !element.null {
				continue
			}
			if made := v.elements(count, one, element, t, name); v.takes(made) {
				return made, true
			}
		}
		return nil, false
	}
}

// elements makes an example of a list or map with count elements, or fewer if fewer different ones are found.
func (v *value) elements(count int, one any, element *value, t *model.Type, name string) any {
	if t.Kind != model.Map && v.schema.UniqueItems && count > 1 {
		return element.several(count, one, t.Elem, name)
	}
	if t.Kind != model.Map {
		return slices.Repeat([]any{one}, count)
	}
	keys := v.keys
	if keys == nil {
		keys = &value{schema: &schema.Schema{}}
	}
	text := textType(false)
	entries := map[string]any{}
	first, _ := keys.first(append([]any{"key"}, keys.candidates(text, "key")...)...)
	for _, key := range keys.several(count, first, text, "key") {
		if name, isText := key.(string); isText {
			entries[name] = one
		}
	}
	return entries
}

// follow reports whether the service accepts an example of a body, if need be without its optional fields. Rules about
// several fields apply to whole bodies; each field by itself follows its rules already.
func (d *Definition) follow(example map[string]any, records *codec.Codec, checker *check.Checker) bool {
	if !d.isRejected(example, records, checker) {
		return true
	}
	for _, m := range d.members {
		if !m.required {
			delete(example, m.field.Name)
		}
	}
	return !d.isRejected(example, records, checker)
}

// isRejected reports whether the codec or the checker of an operation rejects a body. It skips fields that the service
// sets or takes from the record: all others of a merge patch, and in a replacement those outside its view and those that
// can only be set on creation. A rule of the user's that panics says nothing about a body.
func (d *Definition) isRejected(example map[string]any, records *codec.Codec, checker *check.Checker) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	text, _ := json.Marshal(example) // the example consists of JSON values
	record := records.New()
	decoded, err := records.Decoder(checker.Views().View(model.Create)).Decode(text, record)
	if err != nil {
		return false
	}
	found, err := checker.Check(context.Background(), record, decoded)
	return err == nil && slices.ContainsFunc(found.Violations, func(v model.Violation) bool {
		name, _, _ := strings.Cut(v.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		_, sent := example[name]
		i := slices.IndexFunc(d.members, func(m fieldSample) bool { return m.field.Name == name })
		isKept := d.role.replaces() && (i < 0 || d.members[i].field.CreateOnly) || i >= 0 && d.members[i].field.ReadOnly
		return sent || !d.role.patches && !isKept
	})
}

// judge returns a function that reports whether an example of a type follows its rules, except those of its elements; nil
// without rules.
func (s *Schemas) judge(t *model.Type, rules model.Rules) func(any) bool {
	// Elements and keys have been checked already.
	if rules.Elem, rules.Keys = nil, nil; len(rules.All) == 0 {
		return nil
	}
	return func(value any) bool {
		if s.rules == nil {
			s.rules, _ = check.New(s.api.Rules) // New has checked them
		}
		text, err := json.Marshal(value)
		return err == nil && s.rules.Follows(t, rules, text)
	}
}

// first returns the first of the candidates that the schema and the rules allow.
func (v *value) first(candidates ...any) (any, bool) {
	for _, candidate := range candidates {
		if v.takes(candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// takes reports whether the schema and the rules allow a value other than null.
func (v *value) takes(candidate any) bool {
	return candidate != nil && v.schema.Allows(candidate) && (v.follows == nil || v.follows(candidate))
}

// numbers returns the candidates for a number: those that the rules suggest, plain ones, and some near its bounds.
func (v *value) numbers(t *model.Type) []any {
	// Plain numbers come first, because people read them.
	candidates := []float64{1, 0, 10, 2, 100, -1}
	for i, limit := range []schema.Decimal{v.schema.Min, v.schema.ExclusiveMin, v.schema.Max, v.schema.ExclusiveMax} {
		inward := float64(1 - i/2*2)
		bound, ok := limit.Float64()
		if !ok {
			continue
		}
		// With 32 bits, the next number of 64 bits is the bound itself.
		next := math.Nextafter(bound, inward*math.Inf(1))
		if t.Bits == 32 {
			next = float64(math.Nextafter32(float32(bound), float32(inward*math.Inf(1))))
		}
		candidates = append(candidates, bound, bound+inward, bound+2*inward, bound+inward/2, bound+inward/1024, next)
	}
	var found, huge []any
	for _, sample := range v.samples {
		if n, ok := schema.Decimal(schema.ValueOf(sample)).Float64(); ok && math.Abs(n) < schema.Exact {
			found = append(found, sample)
		} else {
			huge = append(huge, sample) // many clients read numbers as float64
		}
	}
	for _, candidate := range candidates {
		if t.Kind == model.Float || candidate == math.Trunc(candidate) {
			found = append(found, schema.AsInteger(candidate))
		}
	}
	return append(found, huge...)
}

// encoded returns the candidates for bytes, as Base64 of words that readers can decode. The empty one comes last.
func (v *value) encoded() []any {
	texts := []string{"hello", "hello, world", "he", ""}
	if v.decoded != nil {
		texts = slices.Insert(texts, 1, fit("hello", v.decoded))
	}
	found := make([]any, len(texts))
	for i, text := range texts {
		found[i] = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return found
}

// strings returns the candidates for a string: what the rules suggest, the field's name as words, or anything of the
// right length.
func (v *value) strings(name string) []any {
	var found []any
	var list []string
	for _, sample := range v.samples {
		if text, ok := sample.(string); ok && text != "" {
			list, found = append(list, text), append(found, text)
		}
	}
	if len(list) > 1 {
		list = append(list, strings.Join(list, ""))
	}
	for _, text := range append(list, naming.SentenceCase(name), name, "abc", "Abc1", "ABC", "123") {
		found = append(found, fit(text, v.schema))
	}
	return append(found, "")
}

// longest is the maximum length of strings and lists in examples.
const longest = 1000

// fit repeats or cuts a string to the length that a schema requires, unless that is too long for an example.
func fit(text string, of *schema.Schema) string {
	// Lengths in JSON Schema are of characters, not of bytes.
	runes := []rune(text)
	least, most := of.MinLength, uint64(longest)
	if of.MaxLength != nil {
		most = min(most, *of.MaxLength)
	}
	if len(runes) == 0 || least > most {
		return text
	}
	if uint64(len(runes)) < least {
		most = least
	}
	for uint64(len(runes)) < least {
		runes = append(runes, []rune(text)...)
	}
	return string(runes[:min(uint64(len(runes)), most)])
}

// several returns up to count different values that the schema and the rules allow.
func (v *value) several(count int, first any, t *model.Type, name string) []any {
	candidates := []any{first}
	if v.definition == nil && v.sample == nil {
		candidates = append(candidates, v.candidates(t, name)...)
	}
	var found []any
	for _, candidate := range candidates {
		isKnown := slices.ContainsFunc(found, func(known any) bool { return reflect.DeepEqual(known, candidate) })
		if len(found) < count && !isKnown && v.takes(candidate) {
			found = append(found, candidate)
		}
	}
	return found
}

// decimals returns decimal numbers that many rules accept.
func decimals(digits *model.Digits) (numbers []any) {
	for _, text := range []string{"19.95", "19.9", "19", "1", "0.5", "10", "100", "0", "-1"} {
		if exact, err := digits.Text(text); err == nil {
			numbers = append(numbers, exact)
		}
	}
	return numbers
}

// ownForm makes an example of a type that marshals itself: its zero value, if the type can unmarshal it; else nil. No other
// value of such a type is known.
func ownForm(t *model.Type, format string) (made any) {
	if format == "uuid" {
		return "01890a5d-ac96-774b-bcce-b302099a8057"
	}
	defer func() { _ = recover() }() // the user's methods may not expect a zero value
	text, err := json.Marshal(reflect.New(t.Base()).Interface())
	if err != nil || json.Unmarshal(text, reflect.New(t.Base()).Interface()) != nil {
		return nil
	}
	return schema.Go(text)
}

// related returns a value that compares so with another one, if there is one. Strings compare by their length.
func related(b check.Relative, other any) (any, bool) {
	switch v := other.(type) {
	case bool:
		return v != (b.Step != 0), true
	case int64:
		return v + int64(b.Step), true
	case float64:
		return v + float64(b.Step), true
	case string:
		if at, ok := codec.ParseDate(cmp.Or(b.OtherLayout, time.RFC3339), v); ok {
			return relatedDate(b, at)
		}
		runes := []rune(v)
		switch {
		case b.Step > 0:
			v += "1"
		case b.Step < 0 && len(runes) > 0:
			v = string(runes[:len(runes)-1])
		}
		return v, b.Step >= 0 || len(runes) > 0
	}
	return other, b.Step == 0
}

// relatedDate returns a date that compares so with another one. A step is the shortest that the layout shows.
func relatedDate(b check.Relative, other time.Time) (any, bool) {
	layout := cmp.Or(b.Layout, time.RFC3339)
	for _, step := range []time.Duration{time.Hour, 24 * time.Hour, 31 * 24 * time.Hour, 366 * 24 * time.Hour} {
		text := other.Add(time.Duration(b.Step) * step).Format(layout)
		if at, ok := codec.ParseDate(layout, text); ok && (b.Step == 0 || at.Compare(other) == b.Step) {
			return text, true
		}
	}
	return nil, false
}
