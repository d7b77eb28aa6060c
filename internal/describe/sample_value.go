package describe

import (
	"cmp"
	"encoding/base64"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

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
	return candidate != nil && allows(v.schema, candidate) && (v.follows == nil || v.follows(candidate))
}

// allows reports whether a value follows a schema, except those of its elements, which have been checked already.
func allows(of *schema.Schema, value any) bool {
	alone := *of
	alone.Items, alone.AdditionalProperties, alone.PropertyNames = nil, nil, nil
	return alone.Allows(value)
}

// numbers returns the candidates for a number: those that the rules suggest, plain ones, and some near its bounds.
func (v *value) numbers(t *model.Type) []any {
	// Plain numbers come first, because people read them.
	candidates := []float64{1, 0, 10, 2, 100, -1}
	bounds := []schema.Decimal{v.schema.Min, v.schema.ExclusiveMin, v.schema.Max, v.schema.ExclusiveMax}
	for i, limit := range bounds {
		inward := 1.0
		if i >= 2 {
			inward = -1
		}
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
	texts := []string{"hello"}
	if v.decoded != nil {
		texts = append(texts, fit("hello", v.decoded), "hello, world", "he")
	}
	var found []any
	for _, text := range texts {
		found = append(found, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	return append(found, "")
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

// several returns up to count different values that the schema and the rules allow. Numbers count up, and strings get a
// number appended, which keeps most rules.
func (v *value) several(count int, first any, t *model.Type, name string) []any {
	candidates := []any{first}
	for i := range count - 1 {
		switch one := first.(type) {
		case int64:
			candidates = append(candidates, one+int64(i)+1)
		case float64:
			candidates = append(candidates, one+float64(i)+1)
		case string:
			candidates = append(candidates, one+strconv.Itoa(i+2))
		}
	}
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

// ownForm makes an example of a type that marshals itself: its zero value, if the type can unmarshal it. No other value of
// such a type is known.
func ownForm(t *model.Type, format string) (made any, ok bool) {
	if format == "uuid" {
		return "01890a5d-ac96-774b-bcce-b302099a8057", true
	}
	defer func() {
		if recover() != nil { // the user's methods may not expect a zero value
			made, ok = nil, false
		}
	}()
	text, err := json.Marshal(reflect.New(t.Base()).Interface())
	if err != nil || json.Unmarshal(text, reflect.New(t.Base()).Interface()) != nil {
		return nil, false
	}
	return schema.Go(text), true
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
		if at, ok := check.ParseDate(cmp.Or(b.OtherLayout, time.RFC3339), v); ok {
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
		if at, ok := check.ParseDate(layout, text); ok && (b.Step == 0 || at.Compare(other) == b.Step) {
			return text, true
		}
	}
	return nil, false
}
