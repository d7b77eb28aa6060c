package describe

import (
	"encoding/base64"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// judge returns what tells whether an example of a type follows its rules, those of what is
// in it left out, as the service will judge it: no keyword says all. Nil where there are none.
func (s *Schemas) judge(t *model.Type, rules model.Rules) func(any) bool {
	// Elements and keys have been judged by themselves: here they would be judged again for each list.
	if rules.Elem, rules.Keys = nil, nil; len(rules.All) == 0 {
		return nil
	}
	return func(value any) bool {
		if s.rules == nil {
			s.rules, _ = check.New(s.api.Rules) // which New took
		}
		text, err := json.Marshal(value)
		return err == nil && s.rules.Follows(t, rules, text)
	}
}

// first returns the first of the candidates that the schema and the rules allow.
// Nothing is better than a value that is wrong: examples are tried by tests and pasted by people.
func (v *value) first(candidates ...any) (any, bool) {
	for _, candidate := range candidates {
		if v.takes(candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// takes reports whether a value other than null is one that the schema and the rules allow.
func (v *value) takes(candidate any) bool {
	return candidate != nil && allows(v.schema, candidate) && (v.follows == nil || v.follows(candidate))
}

// allows reports whether a value follows a schema. What is in a list or map has been judged by its own schema.
func allows(of *schema.Schema, value any) bool {
	alone := *of
	alone.Items, alone.AdditionalProperties, alone.PropertyNames = nil, nil, nil
	return alone.Allows(value)
}

// numbers are the candidates for a number: those that the rules suggest, a plain one, else one near its bounds.
func (v *value) numbers(t *model.Type) []any {
	// Plain numbers first, since people read them; the neighbours of bounds last, which only fit where
	// nothing else does.
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
		// In the bits of the field, for the next number of 64 bits is the bound itself in 32.
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
			found = append(found, schema.Whole(candidate))
		}
	}
	return append(found, huge...)
}

// encoded are the candidates for bytes, written as Base64. Words rather than random bytes, so that a reader who decodes
// them sees what was meant. The empty one comes last, as it shows nothing.
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

// texts are the candidates for a text: what the rules suggest, the member's name as
// words, or anything of the right length.
func (v *value) texts(name string) []any {
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

// longest is the length up to which examples are made.
const longest = 1000

// fit makes a text as long as a schema asks for, unless that is too long for an example.
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

// several returns different values that the schema and the rules allow, as many as are asked for or fewer. Numbers
// count on and texts get a number behind them: that keeps most rules, and all that do not are passed over.
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
		// What must be unique is compared as clients do, by value.
		isKnown := slices.ContainsFunc(found, func(known any) bool { return reflect.DeepEqual(known, candidate) })
		if len(found) < count && !isKnown && v.takes(candidate) {
			found = append(found, candidate)
		}
	}
	return found
}

// ownForm makes an example of a type that marshals itself: its zero value, if it takes that back. No other value can be
// known of such a type. A form that it does not take back itself must not be in an example.
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
