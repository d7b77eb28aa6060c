package describe

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

func TestSamplesFollowTheirSchema(t *testing.T) {
	t.Parallel()
	text, whole, fraction := &model.Type{Kind: model.String}, &model.Type{Kind: model.Int, Bits: 64}, &model.Type{Kind: model.Float, Bits: 64}
	tests := map[string]struct {
		typ    *model.Type
		schema string
		want   any
	}{
		"a text says its name":              {text, `{}`, "Tag line"},
		"a short one is cut":                {text, `{"maxLength":3}`, "Tag"},
		"a long one is repeated":            {text, `{"minLength":10}`, "Tag lineTa"},
		"letters where only those fit":      {text, `{"pattern":"^[a-z]+$"}`, "abc"},
		"digits where only those fit":       {text, `{"pattern":"^[0-9]+$","minLength":4}`, "1231"},
		"nothing where it is too long":      {text, `{"minLength":5000}`, nil},
		"a choice is the first":             {text, `{"enum":["b","a"]}`, "b"},
		"a constant is itself":              {text, `{"const":"b"}`, "b"},
		"not what is refused":               {text, `{"not":{"const":"Tag line"}}`, "tagLine"},
		"nothing where nothing fits":        {text, `{"pattern":"^§$"}`, nil},
		"a number is one":                   {whole, `{}`, int64(1)},
		"a number at its lower bound":       {whole, `{"minimum":1450}`, int64(1450)},
		"a number at its upper bound":       {whole, `{"maximum":-3}`, int64(-3)},
		"a number beyond an open bound":     {whole, `{"exclusiveMinimum":1}`, int64(10)},
		"a number below an open bound":      {whole, `{"exclusiveMaximum":0}`, int64(-1)},
		"a number that is not refused":      {whole, `{"not":{"enum":[1,0]}}`, int64(10)},
		"a fraction between narrow bounds":  {fraction, `{"exclusiveMinimum":2,"exclusiveMaximum":2.1}`, 2.0009765625},
		"no number where there is none":     {whole, `{"exclusiveMinimum":2,"exclusiveMaximum":3}`, nil},
		"a boolean that must be false":      {&model.Type{Kind: model.Bool}, `{"not":{"const":true}}`, false},
		"bytes are base64":                  {&model.Type{Kind: model.Bytes}, `{}`, "aGVsbG8="},
		"a time is one":                     {&model.Type{Kind: model.Time}, `{}`, "2026-01-15T09:30:00Z"},
		"an open value is anything":         {&model.Type{Kind: model.Any}, `{}`, "anything"},
		"both sides of a list of negations": {text, `{"not":{"pattern":"^[Tt]"},"allOf":[{"not":{"pattern":"^a"}}]}`, "Abc1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &value{schema: read(t, test.schema)}
			got, _ := v.make(nil, test.typ, "tagLine")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the sample differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSamplesOfLists(t *testing.T) {
	t.Parallel()
	whole := &model.Type{Kind: model.Int, Bits: 64}
	tests := map[string]struct {
		typ           *model.Type
		list, element string
		null          bool
		want          any
		ok            bool
	}{
		"one element":                     {&model.Type{Kind: model.List, Elem: whole}, `{}`, `{}`, false, []any{int64(1)}, true},
		"as many as must be":              {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":3}`, `{}`, false, []any{int64(1), int64(1), int64(1)}, true},
		"none where none may be":          {&model.Type{Kind: model.List, Elem: whole}, `{"maxItems":0}`, `{}`, false, []any{}, true},
		"none where none can be made":     {&model.Type{Kind: model.List, Elem: whole}, `{}`, `{"minimum":2,"maximum":1}`, false, []any{}, true},
		"null where only that can be":     {&model.Type{Kind: model.List, Elem: whole}, `{}`, `{"minimum":2,"maximum":1}`, true, []any{nil}, true},
		"nothing where one must be":       {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":1}`, `{"minimum":2,"maximum":1}`, false, nil, false},
		"others where they must differ":   {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":3,"uniqueItems":true}`, `{}`, false, []any{int64(1), int64(0), int64(10)}, true},
		"other choices":                   {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":2,"uniqueItems":true}`, `{"enum":["a","b","c"]}`, false, []any{"a", "b"}, true},
		"nothing where choices run out":   {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":2,"uniqueItems":true}`, `{"enum":["a"]}`, false, nil, false},
		"others below a limit":            {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":2,"uniqueItems":true}`, `{"maximum":1}`, false, []any{int64(1), int64(0)}, true},
		"nothing where no other fits":     {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":2,"uniqueItems":true}`, `{"minimum":1,"maximum":1}`, false, nil, false},
		"nothing where they are too many": {&model.Type{Kind: model.List, Elem: whole}, `{"minItems":1001,"uniqueItems":true}`, `{"enum":["a"]}`, false, nil, false},
		"one entry":                       {&model.Type{Kind: model.Map, Elem: whole}, `{}`, `{}`, false, map[string]any{"key": int64(1)}, true},
		"no entry where none can be made": {&model.Type{Kind: model.Map, Elem: whole}, `{}`, `{"minimum":2,"maximum":1}`, false, map[string]any{}, true},
		"two entries where two must be":   {&model.Type{Kind: model.Map, Elem: whole}, `{"minProperties":2}`, `{}`, false, map[string]any{"key": int64(1), "Key": int64(1)}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &value{schema: read(t, test.list)}
			v.sampleElements(test.typ, "numbers", &value{schema: read(t, test.element), null: test.null})
			got, ok := v.sample(nil)
			if diff := cmp.Diff(test.want, got); diff != "" || ok != test.ok {
				t.Errorf("the sample is right: %v, want %v; it differs (-want +got):\n%s", ok, test.ok, diff)
			}
		})
	}
}

func FuzzTextsFit(f *testing.F) {
	f.Add("Tag line", uint8(3), uint8(5))
	f.Add("日本", uint8(7), uint8(7))
	f.Add("", uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, text string, least, more uint8) {
		most := uint64(least) + uint64(more)
		of := &schema.Schema{MinLength: uint64(least), MaxLength: &most}
		if least == 0 && more == 0 {
			of = &schema.Schema{}
			most = uint64(utf8.RuneCountInString(text))
		}
		got := uint64(utf8.RuneCountInString(fit(text, of)))
		if text != "" && (got < uint64(least) || got > most) {
			t.Errorf("fit(%q) has %d characters, want %d to %d", text, got, least, most)
		}
	})
}

func read(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
